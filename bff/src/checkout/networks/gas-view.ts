import { familyOf } from '../../chain/index.ts'
import type { Network } from '../../core/families.ts'
import { type BaseUnits, formatAmount } from '../../core/money.ts'
import type { GasBalances } from '../../network/gas-balances.ts'

/** A network's gas balance in whole coins, with a message for the operator; null if the balance is unknown. */
export function gasViewOf(network: Network, gasBalances: Pick<GasBalances, 'get'>) {
  const read = gasBalances.get(network.shortName)
  if (read === undefined) return null
  const { state, address } = read
  const { symbol: currency, decimals } = familyOf(network).coinOf(network)
  const format = (wei: bigint) => formatAmount(wei as BaseUnits, decimals)
  const [balance, needed] = [format(read.balanceWei), format(read.neededWei)]
  const messages = {
    ok: 'Enough for the next payouts.',
    low: `Enough for a few more payouts: send ${currency} to ${address}.`,
    empty: `Payouts wait: the next one needs ${needed} ${currency} at ${address}, which holds ${balance}.`,
  }
  return { state, address, balance, needed, currency, message: messages[state] }
}
