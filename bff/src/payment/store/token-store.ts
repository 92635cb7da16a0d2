import { sql, type Tx } from '../../db/db.ts'

/** A token that deposit addresses may hold. */
export type RecordedToken = { address: string; symbol: string; decimals: number }

/** Keeps the token watched after it is removed from the configuration. */
export function saveToken(tx: Tx, network: string, { address, symbol, decimals }: RecordedToken): void {
  tx.write(sql`
      insert into payment_tokens (network, address, symbol, decimals)
      values (${network}, ${address}, ${symbol}, ${decimals})
      on conflict (network, address) do nothing`)
}

/**
 * Every token that a live payment or the configuration of the network ever used: customers may still send
 * them to a deposit address. @returns EVM addresses, in lower case.
 */
export async function recordedTokens(tx: Tx, network: string): Promise<RecordedToken[]> {
  return await tx.all<RecordedToken>(sql`
      select lower(address) as address, min(symbol) as symbol, min(decimals) as decimals
        from payment_tokens where network = ${network} group by lower(address) order by 1 limit 1000`)
}

/** The addresses of these tokens, in the case of the payments: Base58 is case-sensitive. */
export async function recordedAddresses(tx: Tx, network: string): Promise<string[]> {
  const rows = await tx.all<{ address: string }>(sql`
      select address from payment_tokens where network = ${network} order by address limit 1000`)
  return rows.map(({ address }) => address)
}
