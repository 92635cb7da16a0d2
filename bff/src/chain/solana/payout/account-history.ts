import { toStatus } from '../rpc/solana-adapter.ts'
import { type AskNode, responses, type SolanaRpc } from '../rpc/solana-rpc.ts'

/** Signatures of one `getSignaturesForAddress`. */
const signaturesPerCall = 1_000

/** Calls of one listing. Sending an account more dust than they list costs more than most payments. */
const listingsMax = 200

/** Transactions of ours of which nodes are asked what became of them. */
export type AskedHistory = {
  /** The token account that the transactions take money out of. */
  account: string
  txIds: readonly string[]
  /** No block above this height can hold any of the transactions. */
  lastValidHeight: number
  /** A final transaction that is older than they are, and names the account; null: none is known. */
  since: string | null
}

/**
 * What the final blocks have of an account. `listed`: its transactions, newest first, as far as any node lists them. `isComplete`: nodes
 * of two hosts, where so many are configured, list everything since the older transaction, and know nothing of those that are not listed.
 */
export type AccountHistory = { listed: { txId: string; isFailed: boolean }[]; isComplete: boolean }

/**
 * One answer without a transaction proves nothing: a node may be behind, keep no history, or be several machines behind one address. A node
 * counts when it has finalized what could hold the transactions, lists the account back to the older transaction, and has no
 * status of those that it does not list.
 */
export async function readAccountHistory(
  rpc: SolanaRpc,
  asked: AskedHistory,
  signal: AbortSignal,
): Promise<AccountHistory> {
  const found = new Map<string, { txId: string; slot: number; isFailed: boolean }>()
  const isComplete = await rpc.isAttestedBy(async (ask) => {
    const { absoluteSlot, blockHeight } = await ask(responses.epochInfo, 'getEpochInfo', [{ commitment: 'finalized' }])
    const { listed, isWhole } = await listAccount(ask, asked, absoluteSlot)
    for (const one of listed) found.set(one.txId, one)
    const missing = asked.txIds.filter((txId) => !found.has(txId))
    return blockHeight > asked.lastValidHeight && isWhole && (await areUnknown(ask, missing))
  }, signal)
  return { listed: [...found.values()].sort((a, b) => b.slot - a.slot), isComplete }
}

/** Whether nodes of two hosts, where so many are configured, have finalized what could hold the transaction, and do not know it. */
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

/** @returns `isWhole`: the listing goes back to the older transaction, or to the account's beginning where none is known. */
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
  if (txIds.length === 0) return true
  const options = { searchTransactionHistory: true }
  const { value } = await ask(responses.statuses, 'getSignatureStatuses', [txIds, options])
  return value.length === txIds.length && value.every((status) => toStatus(status) === undefined)
}
