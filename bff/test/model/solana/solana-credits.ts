import { type Connection, PublicKey } from '@solana/web3.js'
import { tokenAccountOf } from '@stablecoin-checkout/bff/testing/solana'

/**
 * Base units that the owner's account of a token received in canonical blocks, those until a block time, and the signatures of
 * the signers.
 */
export async function creditsOf(
  connection: Connection,
  { mint, owner, untilMs }: { mint: string; owner: string; untilMs: number },
): Promise<{ total: bigint; inTime: bigint; signatures: ReadonlySet<string> }> {
  const account = tokenAccountOf(mint, owner)
  const signatures = new Set<string>()
  let total = 0n
  let inTime = 0n
  for (const { signature, err } of await connection.getSignaturesForAddress(new PublicKey(account), {}, 'confirmed')) {
    if (err !== null) continue
    const found = await connection.getTransaction(signature, {
      commitment: 'confirmed',
      maxSupportedTransactionVersion: 0,
    })
    if (!found?.meta) throw new Error(`The chain lists ${signature} and does not have it`)
    const place = found.transaction.message.staticAccountKeys.findIndex((key) => key.toBase58() === account)
    const amountOf = (balances: typeof found.meta.preTokenBalances) =>
      BigInt(balances?.find(({ accountIndex }) => accountIndex === place)?.uiTokenAmount.amount ?? 0)
    const gained = amountOf(found.meta.postTokenBalances) - amountOf(found.meta.preTokenBalances)
    if (gained <= 0n) continue
    total += gained
    if ((found.blockTime ?? 0) * 1_000 <= untilMs) inTime += gained
    for (const one of found.transaction.signatures) signatures.add(one)
  }
  return { total, inTime, signatures }
}
