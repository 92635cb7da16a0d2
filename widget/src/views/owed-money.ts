import type { PublicPayment } from '../../../bff/src/api-types.ts'
import { amount as decimal, record, text } from '../api/parse-answer.ts'
import { formatAmount, t } from '../locales/locale.ts'
import type { Answer, Payment } from '../payment.ts'

/** Money that goes back to the customer, or went. `amount` is exact decimal text: what is still to go, else what went. */
export type OwedMoney = {
  /** Short name of another network than the payment's; empty for its own. */
  network: string
  networkName: string
  amount: string
  currency: string
  state: string
  address: string
  txHash: string
}

/** More than anybody sends by mistake; what is beyond is for the shop to look at. */
const unmatchedMax = 20

/** What exceeds the amount, came late or stayed short; null when nothing is owed. */
export function owedMoneyOf({ payment, wire }: Answer): OwedMoney | null {
  const { state, amount, address, txHash } = record<NonNullable<PublicPayment['refund']>>(wire.refund)
  if (!text(state)) return null
  const { network: networkName, currency } = payment
  return {
    network: '',
    networkName,
    currency,
    amount: decimal(amount),
    state: text(state),
    address: text(address),
    txHash: text(txHash),
  }
}

/** What was not asked for: another token, the chain's own coin, or on another network. */
export function unmatchedTransfersOf({ wire }: Answer): OwedMoney[] {
  const transfers = Array.isArray(wire.unmatched) ? wire.unmatched.slice(0, unmatchedMax) : []
  return transfers
    .map((json) => {
      const transfer = record<PublicPayment['unmatched'][number]>(json)
      const { state, address, txHash } = record<PublicPayment['unmatched'][number]['refund']>(transfer.refund)
      const network = text(transfer.network)
      const isBack = text(state) === 'refunded'
      return {
        network: network === wire.network ? '' : network,
        networkName: text(transfer.networkName) || network,
        currency: text(transfer.currency),
        amount: decimal(isBack ? transfer.amountRefunded : transfer.amount),
        state: text(state),
        address: text(address),
        txHash: text(txHash),
      }
    })
    .filter(({ amount, currency }) => /[1-9]/.test(amount) && currency !== '')
}

export function formatOwed({ amount, currency }: OwedMoney): string {
  return `${formatAmount(amount)} ${currency}`
}

export function shopOf({ merchant }: Payment): string {
  return merchant || t('theShop')
}
