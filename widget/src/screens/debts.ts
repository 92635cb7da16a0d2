import type { PublicPayment } from '../../../bff/src/api-types.ts'
import { amount as decimal, record, text } from '../answer.ts'
import type { Answer } from '../payment.ts'

/** Money that goes back to the customer, or went. `amount` is exact decimal text: what is still to go, else what went. */
export type Debt = {
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
const straysMax = 20

/** What exceeds the amount, came late or stayed short; null when nothing is owed. */
export function debtOf({ payment, wire }: Answer): Debt | null {
  const { state, amount, address, txHash } = record<NonNullable<PublicPayment['refund']>>(wire.refund)
  if (!text(state)) return null
  const { network: networkName, currency } = payment
  return {
    ...{ network: '', networkName, currency },
    ...{ amount: decimal(amount), state: text(state), address: text(address), txHash: text(txHash) },
  }
}

/** What was not asked for: another token, the chain's own coin, or on another network. */
export function straysOf({ wire }: Answer): Debt[] {
  const strays = Array.isArray(wire.strays) ? wire.strays.slice(0, straysMax) : []
  return strays
    .map((json) => {
      const stray = record<PublicPayment['strays'][number]>(json)
      const { state, address, txHash } = record<PublicPayment['strays'][number]['refund']>(stray.refund)
      const network = text(stray.network)
      const isBack = text(state) === 'refunded'
      return {
        network: network === wire.network ? '' : network,
        networkName: text(stray.networkName) || network,
        currency: text(stray.currency),
        amount: decimal(isBack ? stray.amountRefunded : stray.amount),
        ...{ state: text(state), address: text(address), txHash: text(txHash) },
      }
    })
    .filter(({ amount, currency }) => /[1-9]/.test(amount) && currency !== '')
}
