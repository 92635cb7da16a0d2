import type { Hex } from 'viem'
import type { TronNetwork } from '../../../core/families.ts'
import type { AttestedTransfer, SeenTransfer, TransferRange } from '../../chain-adapter.ts'
import { addressHex, addressTopic, tronAddressOf } from '../../event-topic.ts'
import { createEvmAdapter, type EvmAdapter, isDeep, type RpcLog, tokenTransfer } from '../../evm/rpc/evm-adapter.ts'
import { createEvmPool, type EvmPool, type RpcBlock } from '../../evm/rpc/evm-pool.ts'
import { type PoolDeps, type RpcNode, rpcErrorOf } from '../../rpc-pool.ts'

/** Hosts that read the same range, to check each other. */
const witnessesMax = 2

/** Former tokens as the payments have them: their addresses in Base58Check. */
type ReadTokens = () => Promise<readonly string[]>

/** `balanceOf(address)` */
const balanceOfSelector = '0x70a08231'

const answerWord = /^0x[0-9a-f]{64}$/i

type RpcReceipt = { status?: Hex; blockHash: string; logs: RpcLog[] } | null

/** A node's report on a transfer. `later`: undecided, because the node is behind or the block is not final. */
type Testimony = 'yes' | 'no' | 'later' | 'down'

/**
 * Tron over java-tron's JSON-RPC, whose blocks and logs have Ethereum's form. All differences are handled here:
 * - Accounts are 20 bytes on the wire and Base58Check everywhere else; transaction ids have 0x only on the wire.
 * - Blocks have no filter (`logsBloom` is zero), so nothing proves that a node returned all logs. Two nodes of different hosts
 * read each range, and transfers of either count as found.
 * - `finalized` is the newest block on which 19 of the 27 witnesses have built. A transfer counts once a node reports its block
 * as final and no other node denies it.
 * - Nodes of different versions number logs within the block or within the transaction. `logIndex` is therefore the log's position in
 * the receipt, which is the same at every node.
 * - State can be read only at the newest block.
 * @param readTokens - Reads the tokens that are no longer configured, to which payments may still be open.
 */
export function createTronAdapter(
  network: TronNetwork,
  deps: PoolDeps,
  pool = createEvmPool(network, deps),
  readTokens: ReadTokens = async () => [],
): EvmAdapter {
  const hexTokens = network.tokens.map((token) => ({ ...token, address: addressHex(token.address) }))
  const inner = createEvmAdapter({ ...network, tokens: hexTokens }, deps, pool, { hasNoFilters: true })
  /** The stores compare tokens in lower case, which Base58Check cannot decode. */
  const hexBySource = new Map(network.tokens.map(({ address }) => [address.toLowerCase(), addressHex(address) as Hex]))

  async function hexOf(token: string): Promise<Hex | undefined> {
    const source = token.toLowerCase()
    if (!hexBySource.has(source)) {
      for (const address of await readTokens()) hexBySource.set(address.toLowerCase(), addressHex(address) as Hex)
    }
    return hexBySource.get(source)
  }

  const translated = (transfer: SeenTransfer): SeenTransfer => ({
    ...transfer,
    txId: transfer.txId.slice(2),
    payer: tronAddressOf(transfer.payer),
    source: tronAddressOf(transfer.source).toLowerCase(),
  })

  /** The first healthy nodes of different hosts, with their index among the healthy ones. */
  function witnesses(): { node: RpcNode; turn: number }[] {
    const found: { node: RpcNode; turn: number }[] = []
    for (const [turn, node] of pool.candidates().entries()) {
      if (found.length < witnessesMax && !found.some((one) => one.node.host === node.host)) found.push({ node, turn })
    }
    return found
  }

  /** The transfers, translated, with their positions in the receipts; without those that the receipt does not contain. */
  async function withPositions(found: readonly SeenTransfer[], turn: number): Promise<SeenTransfer[]> {
    const nodes = pool.candidates()
    const node = nodes[turn % nodes.length] as RpcNode
    const receipts = new Map<string, RpcReceipt>()
    for (const { txId } of found) {
      if (!receipts.has(txId))
        receipts.set(txId, await pool.askNode<RpcReceipt>(node, 'eth_getTransactionReceipt', [txId]))
    }
    const taken = new Set<RpcLog>()
    return found.flatMap((one) => {
      const transfer = translated(one)
      const receipt = receipts.get(one.txId)
      const logs = receipt?.blockHash === one.blockHash ? receipt.logs : []
      // By what it moves: behind one URL, the list and the receipt may come from nodes that number logs differently.
      const logIndex = logs.findIndex((log) => !taken.has(log) && isLogOf(log, transfer))
      if (logIndex === -1) return []
      taken.add(logs[logIndex] as RpcLog)
      return [{ ...transfer, logIndex }]
    })
  }

  const isLogOf = (log: RpcLog, { source, payer, topic, amount }: SeenTransfer): boolean =>
    tronAddressOf(log.address).toLowerCase() === source &&
    isSameParty(log.topics[1], addressTopic(payer)) &&
    isSameParty(log.topics[2], topic) &&
    // An approval has the same parties and amount, but moves nothing.
    tokenTransfer(network, log, 0)?.amount === amount

  async function transfers(range: TransferRange, signal: AbortSignal): Promise<SeenTransfer[]> {
    const tokens = new Set<string>()
    for (const token of range.tokens ?? []) {
      const hex = await hexOf(token)
      if (hex !== undefined) tokens.add(hex)
    }
    const { onProven, onContradicted, ...asked } = range
    const turns = range.turn === undefined ? witnesses().map(({ turn }) => turn) : [range.turn]
    let isWhole = true
    const { findWatcheds, gaveUp } = createTopicGate(turns.length, range.findWatched)
    const reads = await Promise.allSettled(
      turns.map(async (turn, index) => {
        try {
          const findWatched = findWatcheds[index] as TransferRange['findWatched']
          const found = await inner.transfers({ ...asked, tokens, turn, findWatched }, signal)
          const positioned = await withPositions(found, turn)
          if (positioned.length < found.length) isWhole = false
          return positioned
        } finally {
          gaveUp(index)
        }
      }),
    )
    const answers = reads.flatMap((read) => (read.status === 'fulfilled' ? [read.value] : []))
    const [first, second] = answers
    if (first === undefined) throw (reads[0] as PromiseRejectedResult).reason
    const known = new Set(first.map(placeOf))
    const others = (second ?? []).filter((transfer) => !known.has(placeOf(transfer)))
    const isSame = isWhole && second !== undefined && others.length === 0 && contentOf(second) === contentOf(first)
    if (isSame) onProven?.()
    const ofBoth = new Set((second ?? []).map(placeOf))
    const isShared = (transfer: SeenTransfer) => ofBoth.has(placeOf(transfer)) && known.has(placeOf(transfer))
    if (second && contentOf(first.filter(isShared)) !== contentOf(second.filter(isShared))) onContradicted?.()
    return [...first, ...others].sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
  }

  /** Whether the node reports the block as final. Old versions do not know the tag: then the node's own head decides. */
  async function isFinal(
    node: RpcNode,
    { blockNumber, required }: Pick<AttestedTransfer, 'blockNumber' | 'required'>,
  ): Promise<boolean> {
    try {
      const final = await pool.askNode<RpcBlock>(node, 'eth_getBlockByNumber', ['finalized', false])
      return final !== null && Number(final.number) >= blockNumber
    } catch (error) {
      if (rpcErrorOf(error) === undefined) throw error
      return await isDeep(pool, node, blockNumber, required)
    }
  }

  async function testify(node: RpcNode, transfer: AttestedTransfer): Promise<Testimony> {
    const { txId, logIndex, blockNumber, blockHash } = transfer
    try {
      const number = `0x${blockNumber.toString(16)}`
      const block = await pool.askNode<RpcBlock>(node, 'eth_getBlockByNumber', [number, false])
      if (block === null) return 'later'
      if (block.hash !== blockHash) return 'no'
      const receipt = await pool.askNode<RpcReceipt>(node, 'eth_getTransactionReceipt', [`0x${txId}`])
      const log = receipt?.logs[logIndex]
      const isThere =
        receipt?.blockHash === blockHash && receipt.status === '0x1' && log !== undefined && isLogOf(log, transfer)
      if (!isThere) return 'no'
      return (await isFinal(node, transfer)) ? 'yes' : 'later'
    } catch {
      return 'down'
    }
  }

  /** Below high value, one node that is down or behind does not block a transfer; one that denies it does. */
  async function isAttested(transfer: AttestedTransfer, signal: AbortSignal): Promise<boolean> {
    const asked = witnesses()
    const said: Testimony[] = []
    for (const { node } of asked) {
      signal.throwIfAborted()
      said.push(await testify(node, transfer))
    }
    if (said.includes('no')) return false
    const hosts = new Set(pool.nodes.map(({ host }) => host)).size
    const needed = transfer.isHighValue ? Math.min(witnessesMax, hosts) : 1
    return said.filter((one) => one === 'yes').length >= needed
  }

  return {
    ...inner,
    needsAttestation: true,
    transfers,
    isAttested,
    async receipt(txId, signal) {
      const receipt = await inner.receipt(`0x${txId}`, signal)
      const logs = receipt?.logs.map((log, position): RpcLog => ({ ...log, logIndex: `0x${position.toString(16)}` }))
      return receipt && logs && { ...receipt, logs }
    },
    async balances(token, addresses, _block, signal) {
      const contract = token === null ? null : await hexOf(token)
      if (contract === undefined) throw new Error(`No payment has the token ${token}, and it is not configured`)
      const balances: bigint[] = []
      for (const address of addresses) balances.push(await readBalance(pool, contract, address, signal))
      return balances
    },
    // An address of the merchant's wallet is not a contract.
    areSettled: async (addresses) => addresses.map(() => false),
    // Nodes offer no other state.
    balancesAtHead: true,
  }
}

/** Joins the topics of several reads into one lookup, made once each read has named its topics or failed. */
function createTopicGate(reads: number, find: TransferRange['findWatched']) {
  const resolvers: ((topics: readonly string[]) => void)[] = []
  const named = Array.from({ length: reads }, () => {
    return new Promise<readonly string[]>((resolve) => resolvers.push(resolve))
  })
  const watched = Promise.all(named).then((topics) => find([...new Set(topics.flat())]))
  // If all reads fail, nobody awaits this.
  watched.catch(() => undefined)
  return {
    findWatcheds: resolvers.map((resolve): TransferRange['findWatched'] => (topics) => {
      resolve(topics)
      return watched
    }),
    gaveUp: (index: number) => resolvers[index]?.([]),
  }
}

const isSameParty = (one: string | undefined, other: string): boolean => one?.toLowerCase() === other.toLowerCase()

/** Identifies a transaction in a block. */
const placeOf = ({ txId, blockHash }: Pick<SeenTransfer, 'txId' | 'blockHash'>): string => `${txId}:${blockHash}`

/** What each transaction moves, without the positions of its logs. */
const contentOf = (transfers: readonly SeenTransfer[]): string =>
  transfers
    .map(({ source, payer, topic, amount, ...place }) =>
      [placeOf(place), source, payer, topic, amount].join().toLowerCase(),
    )
    .sort()
    .join(' ')

/** In base units of the token, or in sun. One call each: the node only runs code that is on chain. */
async function readBalance(pool: EvmPool, token: Hex | null, address: string, signal: AbortSignal): Promise<bigint> {
  const holder = addressHex(address)
  if (token === null) {
    return BigInt((await pool.ask<Hex>('eth_getBalance', [holder, 'latest'], signal)).answer)
  }
  const data = `${balanceOfSelector}${holder.slice(2).padStart(64, '0')}`
  const { answer } = await pool.ask<Hex>('eth_call', [{ to: token, data }, 'latest'], signal)
  if (!answerWord.test(answer)) throw new Error(`A node returned ${answer.length} characters instead of a balance`)
  return BigInt(answer)
}
