import { sql, type Tx } from '../../db/db.ts'

/** A token that may lie at deposit addresses. */
export type RecordedToken = { address: string; symbol: string; decimals: number }

/** So that the token is watched for when it has left the configuration. */
export function saveToken(tx: Tx, network: string, { address, symbol, decimals }: RecordedToken): void {
  tx.write(sql`
      insert into payment_tokens (network, address, symbol, decimals)
      values (${network}, ${address}, ${symbol}, ${decimals})
      on conflict (network, address) do nothing`)
}

/**
 * The tokens that live payments of the network were ever made with, or that its configuration ever had: anybody can send those to a
 * deposit address. @returns EVM addresses, in lower case.
 */
export async function recordedTokens(tx: Tx, network: string): Promise<RecordedToken[]> {
  return await tx.all<RecordedToken>(sql`
      select lower(address) as address, min(symbol) as symbol, min(decimals) as decimals
        from payment_tokens where network = ${network} group by lower(address) order by 1 limit 1000`)
}
