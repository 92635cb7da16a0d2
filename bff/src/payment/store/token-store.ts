import { sql, type Tx } from '../../db/db.ts'
import type { Payment } from '../payment.ts'

/** A token that payments were made with. `address` in lower case. */
export type PaymentToken = { address: string; symbol: string; decimals: number }

/** So that the token is watched for when it has left the configuration. */
export function saveTokenOf(tx: Tx, { network, tokenAddress, currency, tokenDecimals }: Payment): void {
  tx.write(sql`
      insert into payment_tokens (network, address, symbol, decimals)
      values (${network}, ${tokenAddress}, ${currency}, ${tokenDecimals})
      on conflict (network, address) do nothing`)
}

/** The tokens that live payments of an EVM network were ever made with. */
export async function tokensOfPayments(tx: Tx, network: string): Promise<PaymentToken[]> {
  return await tx.all<PaymentToken>(sql`
      select lower(address) as address, min(symbol) as symbol, min(decimals) as decimals
        from payment_tokens where network = ${network} group by lower(address) order by 1 limit 1000`)
}
