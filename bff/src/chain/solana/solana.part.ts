import type { Runtime } from '../../core/runtime.ts'
import type { Db } from '../../db/db.ts'
import type { Vault } from '../../db/vault.ts'
import { openSolanaSeed } from './signer/deposit-seed.ts'
import { createSolanaSigner, type SolanaSigner } from './signer/solana-signer.ts'

export { solanaConnector } from './solana-chain.ts'

/** Opens the keys that sign payouts on Solana: the fee payer's, and the seed of all deposit addresses. */
export async function openSolanaSigner(
  feePayerKey: Uint8Array,
  { db, vault, runtime }: { db: Db; vault: Vault; runtime: Runtime },
): Promise<SolanaSigner> {
  return createSolanaSigner(feePayerKey, await openSolanaSeed(db, vault, runtime))
}
