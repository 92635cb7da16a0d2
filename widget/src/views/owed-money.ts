import type { PublicPayment } from '../../../bff/src/api-types.ts'
import { amount as decimal, record, text } from '../api/parse-answer.ts'
import { formatAmount, t } from '../locales/locale.ts'
import type { Answer, Payment } from '../payment.ts'

/**
 * Money that is or was returned to the customer. `amount` is exact decimal text: the part still to be returned, else
 * the returned amount.
 */
export type OwedMoney = {
  /** Short name if the network differs from the payment's; else empty. */
  network: string
  networkName: string
  amount: string
  /** The part already returned; empty for unmatched transfers. */
  amountRefunded: string
  currency: string
  state: string
  address: string
  txHash: string
}

/** More than anybody sends by mistake; the shop handles the rest. */
const unmatchedMax = 20

/** Excess, late or insufficient money; null when nothing is owed. */
export function owedMoneyOf({ payment, wire }: Answer): OwedMoney | null {
  const { state, amount, amountRefunded, address, txHash } = record<NonNullable<PublicPayment['refund']>>(wire.refund)
  if (!text(state)) return null
  const { network: networkName, currency } = payment
  return {
    network: '',
    networkName,
    currency,
    amount: decimal(amount),
    amountRefunded: decimal(amountRefunded),
    state: text(state),
    address: text(address),
    txHash: text(txHash),
  }
}

/** Unmatched transfers: another token, the chain's native coin, or another network. */
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
        amountRefunded: '',
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
