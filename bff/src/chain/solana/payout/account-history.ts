import { type TransactionStatus, toStatus } from '../rpc/solana-adapter.ts'
import { type AskNode, responses, type SolanaRpc } from '../rpc/solana-rpc.ts'

/** Signatures per `getSignaturesForAddress`. */
const signaturesPerCall = 1_000

/** Maximum calls per listing. Sending that much dust to an account costs more than most payments. */
const listingsMax = 200

/** The history to read of an account. */
export type AskedHistory = {
  /** The token account from which the transactions withdraw. */
  account: string
  txIds: readonly string[]
  /** No block above this height can contain any of the transactions. */
  lastValidHeight: number
  /** An older final transaction of the account; null: none is known. */
  since: string | null
}

/**
 * An account's history in final blocks. `listed`: its transactions, newest first, as listed by any node, except those about which
 * nodes contradict each other. `isComplete`: nodes of two hosts (if configured) list everything since the older transaction, know
 * no unlisted transaction, and agree which ones failed.
 */
export type AccountHistory = { listed: { txId: string; isFailed: boolean }[]; isComplete: boolean }

/**
 * Reads the history from several nodes. A single response without a transaction proves nothing: a node may be behind, prune its
 * history, or be several machines behind one URL. A node counts if it has finalized every block that could contain the
 * transactions, lists the account back to the older transaction, and has no status for unlisted ones.
 */
export async function readAccountHistory(
  rpc: SolanaRpc,
  asked: AskedHistory,
  signal: AbortSignal,
): Promise<AccountHistory> {
  const found = new Map<string, { txId: string; slot: number; isFailed: boolean }>()
  const contradicted = new Set<string>()
  const isComplete = await rpc.isAttestedBy(async (ask) => {
    const { absoluteSlot, blockHeight } = await ask(responses.epochInfo, 'getEpochInfo', [{ commitment: 'finalized' }])
    const { listed, isWhole } = await listAccount(ask, asked, absoluteSlot)
    for (const one of listed) {
      const known = found.get(one.txId)
      if (known !== undefined && known.isFailed !== one.isFailed) contradicted.add(one.txId)
      else found.set(one.txId, one)
    }
    if (contradicted.size > 0) return false
    const missing = asked.txIds.filter((txId) => !found.has(txId))
    return blockHeight > asked.lastValidHeight && isWhole && (await areUnknown(ask, missing))
  }, signal)
  const listed = [...found.values()].filter(({ txId }) => !contradicted.has(txId))
  return { listed: listed.sort((a, b) => b.slot - a.slot), isComplete }
}

/** Whether nodes of two hosts (if configured) have finalized the transaction with this result. */
export async function isFinalized(
  rpc: SolanaRpc,
  { txId, isFailed }: { txId: string; isFailed: boolean },
  signal: AbortSignal,
): Promise<boolean> {
  return await rpc.isAttestedBy(async (ask) => {
    const [status] = await readStatuses(ask, [txId])
    return status?.isFinal === true && status.isFailed === isFailed
  }, signal)
}

/**
 * Whether nodes of two hosts (if configured) have finalized every block that could contain the transaction, and do not know it.
 */
export async function isExpired(
  rpc: SolanaRpc,
  { txId, lastValidHeight }: { txId: string; lastValidHeight: number },
  signal: AbortSignal,
): Promise<boolean> {
  return await rpc.isAttestedBy(async (ask) => {
    const { blockHeight } = await ask(responses.epochInfo, 'getEpochInfo', [{ commitment: 'finalized' }])
    return blockHeight > lastValidHeight && (await areUnknown(ask, [txId]))
  }, signal)
}

/** @returns `isWhole`: the listing reaches the older transaction, or the account's first one if none is known. */
async function listAccount(ask: AskNode, { account, since }: AskedHistory, minContextSlot: number) {
  const listed: { txId: string; slot: number; isFailed: boolean }[] = []
  for (let calls = 0; calls < listingsMax; calls++) {
    const before = listed.at(-1)?.txId
    const options = { commitment: 'finalized', limit: signaturesPerCall, minContextSlot, ...(before && { before }) }
    const page = await ask(responses.signatures, 'getSignaturesForAddress', [account, options])
    for (const { signature: txId, slot, err } of page) listed.push({ txId, slot, isFailed: err !== null })
    if (page.some(({ signature }) => signature === since)) return { listed, isWhole: true }
    if (page.length < signaturesPerCall) return { listed, isWhole: since === null }
  }
  return { listed, isWhole: false }
}

async function areUnknown(ask: AskNode, txIds: readonly string[]): Promise<boolean> {
  return (await readStatuses(ask, txIds)).every((status) => status === undefined)
}

/** The statuses, in order. @throws {Error} when the node omits one. */
export async function readStatuses(ask: AskNode, txIds: readonly string[]): Promise<TransactionStatus[]> {
  if (txIds.length === 0) return []
  const options = { searchTransactionHistory: true }
  const { value } = await ask(responses.statuses, 'getSignatureStatuses', [txIds, options])
  if (value.length !== txIds.length) throw new Error('a node omitted statuses')
  return value.map(toStatus)
}
