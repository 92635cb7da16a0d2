import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { concat, encodeErrorResult, encodeEventTopics, type Hex, numberToHex, parseAbi } from 'viem'
import { afterEach, expect, test } from 'vitest'
import { faultText } from '../../../core/fault-text.ts'
import { createEvmPool } from '../rpc/evm-pool.ts'
import { createEvmSender } from './evm-sender.ts'

type Request = { id: number; method: string; params: unknown[] }
type Answer = { result: unknown } | { error: { code: number; message: string; data?: Hex } }

const forwarder = '0x00000000000000000000000000000000000000f0'
const txId = `0x${'7'.repeat(64)}` as const
const servers: Server[] = []

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
})

/** A node with scripted responses, like other implementations'. */
async function startNode(answer: (request: Request) => Answer): Promise<string> {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const call = JSON.parse(body) as Request
    response.setHeader('content-type', 'application/json')
    const isIdentified = call.method === 'eth_chainId'
    response.end(
      JSON.stringify({ jsonrpc: '2.0', id: call.id, ...(isIdentified ? { result: '0x7a69' } : answer(call)) }),
    )
  })
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret-key`
}

const silent = { debug() {}, info() {}, warn() {}, error() {} }

function senderOf(...rpcUrls: string[]) {
  const network = { name: 'Devnet', shortName: 'devnet', chainId: 31_337, rpcUrls }
  return createEvmSender(network, createEvmPool(network, { nowMs: Date.now, log: silent }))
}

const refusal = (message: string, code = -32000): Answer => ({ error: { code, message } })

test.each([
  ['already known', 'known'],
  ['transaction already imported', 'known'],
  ['AlreadyKnown: already known transaction', 'known'],
  ['nonce too low: next nonce 9, tx nonce 7', 'nonce-used'],
  ['insufficient funds for gas * price + value: balance 0, tx cost 1', 'no-gas'],
  ['replacement transaction underpriced', 'refused'],
  ['max fee per gas less than block base fee', 'refused'],
])('a node’s response "%s" to a broadcast means: %s', async (message, answer) => {
  for (const code of [-32000, -32003, -32603]) {
    const sender = senderOf(await startNode(() => refusal(message, code)))
    expect(await sender.broadcast('0x02')).toMatchObject({ answer })
  }
})

const address = (digit: string) => `0x${digit.repeat(40)}` as const
const terms = {
  ...{ chainId: 31_337, token: address('4'), amount: 25n, least: 24n, merchant: address('6'), platform: address('7') },
  ...{
    feeBps: 150,
    deadlineSeconds: 900,
    operator: address('8'),
    salt: `0x${'07'.repeat(32)}` as const,
    factory: address('1'),
  },
} as const
const refund = { terms, token: address('4'), to: address('5'), amount: 9n }

test('a check of a refund or a parked share that reaches no node is a fault, and no refusal of the contract', async () => {
  const unreachable = senderOf('http://127.0.0.1:1/secret-key')
  await expect(unreachable.checkRefund(refund)).rejects.toThrow()
  await expect(unreachable.checkParked({ terms })).rejects.toThrow()
  for (const code of [3, -32000]) {
    const sender = senderOf(await startNode(() => refusal('execution reverted', code)))
    expect(await sender.checkRefund(refund)).toMatchObject({ error: null, refundable: 0n })
    expect(await sender.checkParked({ terms })).toMatchObject({ reason: expect.stringMatching(/execution reverted/i) })
  }
})

test.each([
  ['limit exceeded', -32005],
  ['Internal error', -32603],
  ['Too many requests', 429],
  ['request limit reached', -32007],
  ['header not found', -32000],
  ['Invalid API key', -32600],
  ['the method eth_estimateGas is not available', -32601],
])(
  'a node’s response "%s" (%i) to a simulation says nothing about the refund or the parked share',
  async (message, code) => {
    const sender = senderOf(await startNode(() => refusal(message, code)))
    await expect(sender.checkRefund(refund)).rejects.toThrow()
    await expect(sender.checkParked({ terms })).rejects.toThrow()
    await expect(sender.refusals(terms.factory, [terms])).rejects.toThrow()
  },
  15_000,
)

test.each([
  ['execution reverted', 3],
  ['VM Exception while processing transaction: reverted with reason string', -32603],
  ['Transaction reverted without a reason', -32000],
  ['VM execution error.', -32015],
  ['gas required exceeds allowance (30000000)', -32000],
  ['out of gas', -32000],
  ['invalid opcode: INVALID', -32000],
])(
  'a node’s response "%s" (%i) to a simulation is the contract’s refusal',
  async (message, code) => {
    const sender = senderOf(await startNode(() => refusal(message, code)))
    expect(await sender.checkRefund(refund)).toMatchObject({ error: null, refundable: 0n })
    expect(await sender.checkParked({ terms })).toMatchObject({ reason: expect.any(String) })
  },
  15_000,
)

test('the contract’s refusal of a refund counts, also where the next node answers no calls today', async () => {
  const abi = parseAbi(['error NotRefundable(address token, uint256 amount, uint256 refundable)'])
  const data = encodeErrorResult({ abi, errorName: 'NotRefundable', args: [address('4'), 9n, 4n] })
  const reverting = await startNode(() => ({ error: { code: 3, message: 'execution reverted', data } }))
  const exhausted = await startNode(() => refusal('daily request count exceeded', -32005))
  for (const urls of [
    [reverting, exhausted],
    [exhausted, reverting],
  ])
    expect(await senderOf(...urls).checkRefund(refund)).toMatchObject({ error: 'NotRefundable', refundable: 4n })
})

test('a broadcast that reaches no node is a fault, and its text does not contain the node’s URL', async () => {
  const sender = senderOf('http://127.0.0.1:1/secret-key')
  const fault = await sender.broadcast('0x02').catch((error: unknown) => error)
  expect(fault).toBeInstanceOf(Error)
  expect(faultText(fault)).not.toContain('secret-key')
})

test('when the first node is down the next one is used', async () => {
  const up = await startNode(() => ({ result: '0x2a' }))
  expect(await senderOf('http://127.0.0.1:1', up).balance(forwarder)).toBe(42n)
})

test('a node that reports a huge tip does not make us pay it', async () => {
  const sender = senderOf(await startNode(() => ({ result: '0xde0b6b3a7640000' })))
  const head = { number: 1, hash: txId, timeSeconds: 1, gasLimit: 30_000_000n, baseFeePerGas: 10n ** 9n }
  expect(await sender.fees(head)).toEqual({ maxPriorityFeePerGas: 50n * 10n ** 9n, maxFeePerGas: 52n * 10n ** 9n })
})

test('a settlement is found on a node with short log ranges', async () => {
  const settledAt = 4_321
  let calls = 0
  const url = await startNode(({ params }) => {
    calls += 1
    const { fromBlock, toBlock, topics } = params[0] as {
      fromBlock: string
      toBlock: string
      topics: [[string, string]]
    }
    const [from, to] = [Number(fromBlock), Number(toBlock)]
    if (to - from >= 500) return refusal('query returned more than 500 blocks', -32005)
    return { result: from <= settledAt && settledAt <= to ? [settledLog(settledAt, topics[0][0])] : [] }
  })
  const sender = senderOf(url)
  let from = 1_000
  for (let search = 0; search < 20; search++) {
    const { found, next } = await sender.findSettlement(forwarder, { from, to: 6_000 })
    if (found) {
      expect(found).toEqual({
        txId,
        blockNumber: settledAt,
        blockHash: `0x${'b'.repeat(64)}`,
        amount: 100n,
        parked: 0n,
      })
      expect(calls).toBeLessThan(60)
      return
    }
    expect(next).toBeGreaterThan(from)
    from = next
  }
  throw new Error('not found')
})

test('a search without a result ends at the head', async () => {
  const sender = senderOf(await startNode(() => ({ result: [] })))
  expect(await sender.findSettlement(forwarder, { from: 0, to: 5_000 })).toEqual({ next: 5_001 })
})

const money = parseAbi([
  'event Settled(uint256 merchantAmount, uint256 platformAmount)',
  'event PlatformShareParked(address indexed token, uint256 amount)',
  'event Refunded(address indexed token, address indexed to, uint256 amount)',
])
const token = '0x00000000000000000000000000000000000000a0'
const customer = '0x00000000000000000000000000000000000000c0'
const logOf = (topics: unknown, amounts: bigint[], hash: string) => ({
  ...settledLog(7, ''),
  topics,
  data: concat(amounts.map((amount) => numberToHex(amount, { size: 32 }))),
  transactionHash: hash,
})
const other = `0x${'8'.repeat(64)}` as const

test('a refund that is known is not found again, and the next one is', async () => {
  const topics = encodeEventTopics({ abi: money, eventName: 'Refunded', args: { token, to: customer } })
  const logs = [logOf(topics, [5n], txId), logOf(topics, [6n], other)]
  const sender = senderOf(await startNode(() => ({ result: logs })))
  const find = async (known: string[]) =>
    (await sender.findRefund(forwarder, token, known, { from: 1, to: 9 })).found?.amount
  expect([await find([]), await find([txId]), await find([other]), await find([txId, other])]).toEqual([
    ...[5n, 6n, 5n, undefined],
  ])
})

test('the platform’s share is parked by the settlement’s own transaction, and by no other', async () => {
  const settled = logOf(encodeEventTopics({ abi: money, eventName: 'Settled' }), [97n, 3n], txId)
  const parkedTopics = encodeEventTopics({ abi: money, eventName: 'PlatformShareParked', args: { token } })
  const parkedIn = async (hash: string) => {
    const sender = senderOf(await startNode(() => ({ result: [settled, logOf(parkedTopics, [3n], hash)] })))
    const { found } = await sender.findSettlement(forwarder, { from: 1, to: 9 })
    return [found?.amount, found?.parked]
  }
  expect([await parkedIn(txId), await parkedIn(other)]).toEqual([
    [100n, 3n],
    [100n, 0n],
  ])
})

test('a replaced or unknown block is not canonical', async () => {
  const sender = senderOf(await startNode(() => ({ result: null })))
  expect(await sender.isCanonical({ blockNumber: 7, blockHash: txId })).toBe(false)
  expect(await sender.receipt(txId, forwarder)).toBeUndefined()
})

function settledLog(blockNumber: number, topic: string) {
  return {
    address: forwarder,
    topics: [topic],
    // 97 to the merchant and 3 to the platform.
    data: `0x${'61'.padStart(64, '0')}${'3'.padStart(64, '0')}`,
    blockNumber: `0x${blockNumber.toString(16)}`,
    blockHash: `0x${'b'.repeat(64)}`,
    transactionHash: txId,
    transactionIndex: '0x0',
    logIndex: '0x0',
    removed: false,
  }
}

test('a nonce was taken when two nodes agree: one that lags, is down or has a receipt prevents it', async () => {
  const used = { address: forwarder, nonce: 6, block: 100, txIds: [txId] } as const
  const node = (count: string, receipt: unknown) =>
    startNode(({ method }) => ({ result: method === 'eth_getTransactionCount' ? count : receipt }))
  const without = () => node('0x7', null)
  // Nodes of one host count as one: the second uses another host name.
  const asOther = async (url: Promise<string>) => (await url).replace('127.0.0.1', 'localhost')
  expect(await senderOf(await without()).isReplaced(used)).toBe(true)
  expect(await senderOf(await node('0x6', null)).isReplaced(used)).toBe(false)
  expect(await senderOf(await without(), await asOther(without())).isReplaced(used)).toBe(true)
  expect(await senderOf(await without(), await asOther(node('0x6', null))).isReplaced(used)).toBe(false)
  expect(await senderOf(await without(), await asOther(node('0x7', { status: '0x1' }))).isReplaced(used)).toBe(false)
  expect(await senderOf(await without(), 'http://localhost:1').isReplaced(used)).toBe(false)
})

test('a settlement is gone when two nodes agree: one that lags, is down or has its receipt prevents it', async () => {
  const settlement = { txId, factory: forwarder, forwarder, block: 98, required: 3 } as const
  const settled = logOf(encodeEventTopics({ abi: money, eventName: 'Settled' }), [97n, 3n], txId)
  const receipt = { status: '0x1', blockNumber: '0x62', blockHash: txId, logs: [settled] }
  const reverted = { ...receipt, status: '0x0', logs: [] }
  const node = (found: unknown, head = 100) =>
    startNode(({ method }) => ({ result: method === 'eth_getBlockByNumber' ? { number: numberToHex(head) } : found }))
  const asOther = async (url: Promise<string>) => (await url).replace('127.0.0.1', 'localhost')
  const isGone = async (...urls: string[]) => await senderOf(...urls).isUnsettledBy(settlement)
  expect(await isGone(await node(null))).toBe(true)
  expect(await isGone(await node(null, 99))).toBe(false)
  expect(await isGone(await node(null), await asOther(node(reverted)))).toBe(true)
  expect(await isGone(await node(null), await asOther(node(receipt)))).toBe(false)
  expect(await isGone(await node(null), await asOther(node(null, 99)))).toBe(false)
  expect(await isGone(await node(null), 'http://localhost:1')).toBe(false)
})
