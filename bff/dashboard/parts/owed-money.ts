import type { MerchantPayment } from '../../src/api-types.ts'
import { formatMoney } from '../ui/format.ts'

/**
 * Returnable money on one network, of the payment itself and of unmatched transfers: the service sends all of it to one address.
 * `network`: null for the payment's own. `address`: null unless all of it has the same.
 */
export type Owed = { network: string | null; networkName: string; amount: string; address: string | null }

type Payment = Pick<MerchantPayment, 'refund' | 'excessOwed' | 'currency' | 'network' | 'unmatched'> & {
  Network: { name: string }
}

const isNothing = (amount: string): boolean => /^0?\.?0*$/.test(amount)

/** What one press returns, by network. */
export function owedOf({ refund, excessOwed, currency, network, Network, unmatched }: Payment): Owed[] {
  const own = { network, networkName: Network.name, amount: excessOwed ?? '', currency, refund }
  const isOwed = refund !== null && refund.state !== 'refunded'
  const byNetwork = new Map<string, Owed>()
  for (const one of [...(isOwed ? [own] : []), ...(unmatched ?? [])]) {
    if (isNothing(one.amount)) continue
    const amount = formatMoney(one.amount, one.currency)
    const address = one.refund?.address ?? null
    const before = byNetwork.get(one.network)
    byNetwork.set(one.network, {
      network: one.network === network ? null : one.network,
      networkName: one.networkName,
      amount: before ? `${before.amount} + ${amount}` : amount,
      address: before && before.address !== address ? null : address,
    })
  }
  return [...byNetwork.values()]
}
