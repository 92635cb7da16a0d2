import type { Db } from '../../../db/db.ts'
import type { SolanaTransaction } from '../rpc/solana-transaction.ts'
import { isOfDeposit, isOurs } from './reference-store.ts'

/**
 * Whether the service made a transaction, or it withdrew from a deposit's account. After a restore, a transaction missing from
 * the database is recognized by its fee payer.
 * @param feePayer - The service's fee payer; null if the service sends no transactions.
 */
export async function isOwnPayout(
  { db, feePayer }: { db: Db; feePayer: string | null },
  { signature, signers, changes }: SolanaTransaction,
  network: string,
): Promise<boolean> {
  if (feePayer !== null && signers.includes(feePayer)) return true
  const emptied = changes.filter(({ before, after }) => after < before).map(({ account }) => account)
  return await db.read(
    async (tx) => (await isOurs(tx, network, signature)) || (await isOfDeposit(tx, network, emptied)),
  )
}
