import {
  encodeFunctionData,
  type Hex,
  type PublicClient,
  parseAbi,
  parseEventLogs,
  type TransactionReceipt,
} from 'viem'
import type { IdentifiedAuthorization } from '../../../payment/authorization.ts'
import type { ExternalSettlement } from '../../authorization.ts'
import { rpcErrorOf } from '../../rpc-pool.ts'
import { isRevert } from '../rpc/revert.ts'
import { authorizationAbi } from './check-authorization.ts'
import { permit2Abi, permit2Address } from './permit2.ts'

/** https://eips.ethereum.org/EIPS/eip-3009, and the token's transfer event. */
const eventsAbi = parseAbi([
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])

const [usedEvent, canceledEvent] = eventsAbi

/** https://eips.ethereum.org/EIPS/eip-1271 */
const contractSignatureAbi = parseAbi([
  'function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)',
])
const validSignature = '0x1626ba7e'

/** Blocks per log query, largest first: public nodes allow 10 to 10,000. */
const rangeBlocks = [2_000n, 500n, 100n, 10n]

/** Ranges per search, newest first: 20,000 blocks on most nodes, more than an hour on a chain with 0.25 s blocks. */
const rangesMax = 10

/** Allowance for the difference between the service's and the chain's clocks. */
const clockMarginMs = 600_000

/** Transactions read per range, newest first: the payer controls how many there are. */
const transfersMax = 20

/** Permit2 keeps 256 nonces in a word. */
async function isBitSet(nonce: string, read: (word: bigint) => Promise<bigint>): Promise<boolean> {
  const place = BigInt(nonce)
  return (((await read(place >> 8n)) >> (place & 255n)) & 1n) === 1n
}

type Nonce = Pick<IdentifiedAuthorization, 'kind' | 'token' | 'payer' | 'nonce'>

/**
 * Whether the nonce was used or cancelled, at the newest or a given block.
 * @throws the node's error.
 */
export async function isNonceUsed(
  client: PublicClient,
  { kind, token, payer, nonce }: Nonce,
  blockNumber?: bigint,
): Promise<boolean> {
  const at = blockNumber === undefined ? {} : { blockNumber }
  if (kind === 'permit2') {
    const bitmap = { address: permit2Address, abi: permit2Abi, functionName: 'nonceBitmap', ...at } as const
    return await isBitSet(nonce, (word) => client.readContract({ ...bitmap, args: [payer as Hex, word] }))
  }
  const state = { address: token as Hex, abi: authorizationAbi, functionName: 'authorizationState', ...at } as const
  return await client.readContract({ ...state, args: [payer as Hex, nonce as Hex] })
}

/**
 * Whether the contract at the payer's address accepts the signature.
 * @throws the node's error.
 */
export async function isAcceptedByContract(client: PublicClient, own: IdentifiedAuthorization): Promise<boolean> {
  const args = [own.digest as Hex, own.signature as Hex] as const
  const data = encodeFunctionData({ abi: contractSignatureAbi, functionName: 'isValidSignature', args })
  try {
    const answer = await client.call({ to: own.payer as Hex, data, gas: 300_000n })
    return answer.data?.startsWith(validSignature) === true
  } catch (error) {
    const refusal = rpcErrorOf(error)
    if (refusal && isRevert(refusal)) return false
    throw error
  }
}

type Deps = { client: PublicClient; confirmations: number }

/** Known facts about the payment. `txIds`: its transactions from the payer's account, found by the watcher. */
export type KnownPayment = { txIds: readonly string[]; createdAtMs: number }

/**
 * Finds a third party's transaction that carries an authorization. It must use the exact nonce and move exactly the signed value
 * from the payer to the signed address. Searches from the newest block back to the payment's creation, before which nobody could
 * pay it; if that is beyond the search depth, the answer is `unknown`.
 * @throws the node's error.
 */
export async function findExternalSettlement(
  deps: Deps,
  own: IdentifiedAuthorization,
  { txIds, createdAtMs }: KnownPayment,
): Promise<ExternalSettlement> {
  const { client, confirmations } = deps
  if (!(await isNonceUsed(client, own))) return { state: 'unused' }
  const settled = createSettledCheck(client, own)
  for (const txId of txIds) {
    const receipt = await client.getTransactionReceipt({ hash: txId as Hex }).catch(() => undefined)
    if (receipt && (await settled.isBy(receipt))) return { state: 'settled', txId }
  }
  const head = await client.getBlockNumber()
  const readBack = createBackwardReader(client, own, head)
  for (let ranges = 0; ranges < rangesMax; ranges += 1) {
    const { logs, fromBlock } = await readBack()
    for (const { transactionHash } of logs.slice(-transfersMax)) {
      const receipt = await client.getTransactionReceipt({ hash: transactionHash })
      if (await settled.isBy(receipt)) return { state: 'settled', txId: transactionHash }
      // The event names the nonce, which is single-use, so its transaction did something else.
      if (own.kind === 'authorization') return { state: 'used' }
    }
    if (logs.length > transfersMax || settled.isOpen()) return { state: 'unknown' }
    if (await isBlockBefore(client, fromBlock, createdAtMs - clockMarginMs)) {
      // A node's logs may lag behind its state: a nonce used just now may still have paid.
      const settledBlock = head - BigInt(confirmations)
      const isOld = settledBlock >= 0n && (await isNonceUsed(client, own, settledBlock))
      return { state: isOld && (await isWithoutEvent(client, own, fromBlock)) ? 'used' : 'unknown' }
    }
  }
  return { state: 'unknown' }
}

const isBlockBefore = async (client: PublicClient, blockNumber: bigint, timeMs: number): Promise<boolean> =>
  blockNumber === 0n || Number((await client.getBlock({ blockNumber })).timestamp) * 1000 < timeMs

/**
 * Whether the absence of an event back to this block is conclusive. ERC-3009 emits an event for each use, so unless the nonce was
 * already used at that block, the node omitted the event. Permit2 emits none.
 */
async function isWithoutEvent(client: PublicClient, own: IdentifiedAuthorization, fromBlock: bigint): Promise<boolean> {
  if (own.kind === 'permit2') return true
  // Many nodes do not keep state this old; then the answer is unknown.
  return await isNonceUsed(client, own, fromBlock).catch(() => false)
}

/** Reads the next older range with each call, in the longest ranges that the node allows. */
function createBackwardReader(client: PublicClient, own: IdentifiedAuthorization, head: bigint) {
  let toBlock = head
  let size = 0
  return async () => {
    for (;;) {
      const blocks = rangeBlocks[size] ?? 1n
      const fromBlock = toBlock >= blocks ? toBlock - blocks + 1n : 0n
      try {
        const logs = await readEvents(client, own, fromBlock, toBlock)
        toBlock = fromBlock === 0n ? 0n : fromBlock - 1n
        return { logs, fromBlock }
      } catch (error) {
        size += 1
        if (size === rangeBlocks.length) throw error
      }
    }
  }
}

async function readEvents(client: PublicClient, own: IdentifiedAuthorization, fromBlock: bigint, toBlock: bigint) {
  const { kind, payer, nonce, recipient } = own
  const range = { address: own.token as Hex, fromBlock, toBlock }
  if (kind === 'permit2') {
    // Permit2 emits no event: search the payer's transfers to the signed address.
    const args = { from: payer as Hex, to: recipient as Hex }
    return await client.getLogs({ ...range, event: eventsAbi[2], args })
  }
  const args = { authorizer: payer as Hex, nonce: nonce as Hex }
  const [used, canceled] = await Promise.all([
    client.getLogs({ ...range, event: usedEvent, args }),
    client.getLogs({ ...range, event: canceledEvent, args }),
  ])
  return [...used, ...canceled]
}

/**
 * Whether a transaction has settled the authorization. Permit2 emits no event for a nonce: a transfer by the payer to the same
 * address counts only if the nonce was unused before its block; otherwise it could be any other transfer. `isOpen`: a node lacks
 * the state of that block, so a transfer may have settled the authorization.
 */
function createSettledCheck(client: PublicClient, own: IdentifiedAuthorization) {
  let isOpen = false
  return {
    async isBy(receipt: TransactionReceipt): Promise<boolean> {
      if (!isSettledBy(receipt, own)) return false
      if (own.kind !== 'permit2') return true
      try {
        return !(await isNonceUsed(client, own, receipt.blockNumber - 1n))
      } catch {
        isOpen = true
        return false
      }
    },
    isOpen: () => isOpen,
  }
}

/** Whether the transaction uses the authorization and moves the signed amount to the signed address. */
function isSettledBy({ status, logs }: TransactionReceipt, own: IdentifiedAuthorization): boolean {
  if (status !== 'success') return false
  const ofToken = logs.filter(({ address }) => address.toLowerCase() === own.token)
  const events = parseEventLogs({ abi: eventsAbi, logs: ofToken })
  const isUsed =
    own.kind === 'permit2' ||
    events.some(
      ({ eventName, args }) =>
        eventName === 'AuthorizationUsed' &&
        args.authorizer.toLowerCase() === own.payer &&
        args.nonce.toLowerCase() === own.nonce,
    )
  const isMoved = events.some(
    ({ eventName, args }) =>
      eventName === 'Transfer' &&
      args.from.toLowerCase() === own.payer &&
      args.to.toLowerCase() === own.recipient &&
      args.value === own.value,
  )
  return isUsed && isMoved
}
