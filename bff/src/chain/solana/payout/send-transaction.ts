import { ComputeBudgetProgram, LAMPORTS_PER_SOL, Transaction, type TransactionInstruction } from '@solana/web3.js'
import { markSent } from '../../../payout/outgoing-store.ts'
import type { Refused, StorePayouts } from '../../../payout/payout-chain.ts'
import { ConflictError } from '../../../payout/payout-queue-store.ts'
import { noteFeePayerBalance, ownRent, signatureFee } from './fee-payer-balance.ts'
import { tokenAccountRent } from './rent-shares.ts'
import type { PauseKind, SolanaContext } from './solana-context.ts'
import { insertSolanaTransaction, type Purpose } from './solana-outgoing-store.ts'

/** Pause after an insufficient balance, so that waiting for a refill costs few calls. */
const retryDelayMs = 15_000

/** Interval of repeated warnings. */
const warnEveryMs = 60_000

/** A transaction to sign. `units`: maximum compute units. `owners`: stored terms of the deposits that sign. */
type Draft = {
  /** Null: pays a parked platform share. */
  purpose: Purpose | null
  instructions: readonly TransactionInstruction[]
  owners: readonly string[]
  units: number
  /** Token accounts that the transaction creates at the fee payer's cost. */
  accountsMade: number
}

/**
 * `refused`: the transaction would fail now. Undefined: deferred, because the balance is too low or another process was faster.
 */
export type Sent = { txId: string } | { refused: Refused } | undefined

/** Simulates a transaction, signs it, stores it with the writes of `store`, and only then broadcasts it. */
export async function sendSolana(context: SolanaContext, draft: Draft, store: StorePayouts): Promise<Sent> {
  const { db, sender, signer, network, runtime } = context
  const kind = pauseKindOf(draft)
  if (runtime.nowMs() < pausedUntilMs(context, kind)) return undefined
  const { feePayer } = signer
  const writable = draft.instructions.flatMap(({ keys }) => keys.filter((key) => key.isWritable))
  const microLamports = await sender.unitPrice([...new Set(writable.map(({ pubkey }) => pubkey.toBase58()))])
  const balance = await sender.lamports(feePayer.toBase58())
  const priority = (BigInt(microLamports) * BigInt(draft.units)) / 1_000_000n + 1n
  const fee = signatureFee * BigInt(1 + draft.owners.length) + priority
  const needed = fee + tokenAccountRent * BigInt(draft.accountsMade) + ownRent
  // Payouts do not need what creating or closing accounts needs.
  noteFeePayerBalance(context, typeof kind === 'number' ? { balance, needed } : { balance })
  if (balance < needed) {
    warnEmpty(context, kind, { needed, balance })
    return undefined
  }
  const recent = await sender.recentBlockhash()
  const transaction = new Transaction({ feePayer, ...recent }).add(
    ComputeBudgetProgram.setComputeUnitLimit({ units: draft.units }),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports }),
    ...draft.instructions,
  )
  // Simulate before signing: a node that has the signatures could send the transaction before it is stored.
  const unsigned = transaction.serialize({ requireAllSignatures: false, verifySignatures: false })
  const reason = await sender.simulate(unsigned.toString('base64'))
  if (reason !== undefined) return { refused: { reason } }
  const { raw, txId } = signer.sign(transaction, draft.owners)
  const id = runtime.newUuid()
  const attempt = { txId, raw, purpose: draft.purpose, lastValidHeight: recent.lastValidBlockHeight }
  const stored = { ...attempt, id, network: network.shortName, sender: feePayer.toBase58(), atMs: runtime.nowMs() }
  try {
    await db.write(async (tx) => {
      await store(tx, id)
      await insertSolanaTransaction(tx, stored)
    })
  } catch (error) {
    if (error instanceof ConflictError) return undefined
    throw error
  }
  await broadcastSolana(context, { txId, raw })
  return { txId }
}

/**
 * Broadcasts a stored transaction.
 * @throws {Error} when no node responds; the next pass broadcasts it again.
 */
export async function broadcastSolana(
  { db, sender, network, runtime, log }: SolanaContext,
  { txId, raw }: { txId: string; raw: string },
): Promise<void> {
  const refusal = await sender.broadcast(raw)
  await db.write((tx) => markSent(tx, txId, runtime.nowMs()))
  const fields = { network: network.shortName, txId }
  if (refusal === undefined) log.debug(fields, 'A transaction was broadcast')
  else log.info({ ...fields, reason: refusal }, 'An RPC node did not accept the transaction; retrying')
}

const pauseKindOf = ({ purpose, accountsMade }: Draft): PauseKind =>
  purpose === 'open' || purpose === 'close' ? purpose : accountsMade

/** A payout also waits for pauses of payouts that create fewer accounts, because those cost less. */
export function pausedUntilMs({ memory }: SolanaContext, kind: PauseKind): number {
  if (typeof kind !== 'number') return memory.pauses.get(kind)?.untilMs ?? 0
  const paused = [...memory.pauses].filter(([other]) => typeof other === 'number' && other <= kind)
  return Math.max(0, ...paused.map(([, { untilMs }]) => untilMs))
}

/** Pauses this kind of work, and logs which account needs how much. Queued and stored payouts continue after a refill. */
export function warnEmpty(
  { network, signer, runtime, log, memory }: SolanaContext,
  kind: PauseKind,
  { needed, balance, isReserved = false }: { needed: bigint; balance: bigint; isReserved?: boolean },
): void {
  const nowMs = runtime.nowMs()
  const before = memory.pauses.get(kind)
  const isWarned = before !== undefined && nowMs - before.warnedAtMs < warnEveryMs
  memory.pauses.set(kind, { untilMs: nowMs + retryDelayMs, warnedAtMs: isWarned ? before.warnedAtMs : nowMs })
  if (isWarned) return
  const sol = (lamports: bigint) => (Number(lamports) / LAMPORTS_PER_SOL).toFixed(9)
  log.warn(
    {
      network: network.shortName,
      address: signer.feePayer.toBase58(),
      needed: sol(needed),
      balance: sol(balance),
    },
    isReserved
      ? 'New deposits get no token account: the fee payer’s SOL is reserved for payouts. Send SOL to its address.'
      : 'Deposits wait: the fee payer’s SOL balance is too low. Send SOL to its address.',
  )
}
