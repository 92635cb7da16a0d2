import { honest } from '@stablecoin-checkout/rig/devnet/tron/tron-view'
import { openLyingNode } from '@stablecoin-checkout/rig/lying-node'
import { openTronStage, type TronStage, tronConfirmations } from '@stablecoin-checkout/rig/tron-stage'
import type { Address } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { TronNetwork } from '../../core/families.ts'
import { silentLog } from '../../core/log.ts'
import type { BaseUnits } from '../../core/money.ts'
import { systemRuntime } from '../../core/runtime.ts'
import { addressHex, addressTopic, tronAddressOf } from '../event-topic.ts'
import { createEvmPool } from '../evm/rpc/evm-pool.ts'
import type { Account, MovementReader } from '../movements.ts'
import { readTronMovements } from './movements/tron-movements.ts'
import { createTronAdapter } from './rpc/tron-adapter.ts'
import { examineTron } from './setup/examine-tron.ts'
import { verifyTronNetwork } from './setup/verify-tron.ts'

let stage: TronStage
const { signal } = new AbortController()
const { nowMs } = systemRuntime

beforeAll(async () => {
  stage = await openTronStage()
})
beforeEach(() => {
  for (const { switches } of stage.nodes) Object.assign(switches, honest())
})
afterAll(() => stage.close())

const poolOf = (network: TronNetwork) => createEvmPool(network, { nowMs, log: silentLog })
const verify = (change: Partial<TronNetwork>) => {
  const network = { ...stage.network, ...change }
  return verifyTronNetwork(network, poolOf(network), signal)
}
const [nowhere, token] = [tronAddressOf(`0x${'11'.repeat(20)}`), () => stage.network.tokens[0]]
const withToken = (change: object) => ({ tokens: stage.network.tokens.map((one) => ({ ...one, ...change })) })

test('a network is verified: its chain, and each token’s contract, decimals and symbol', async () => {
  expect(await verify({})).toBeUndefined()
  expect(await verify({ chainId: 728_126_428 })).toMatchObject({
    reason: `Node 1 of 2 of Tron is on chain ${stage.chainId}, not on 728126428.`,
  })
  expect(await verify(withToken({ address: nowhere }))).toMatchObject({
    reason: expect.stringMatching(/^USDT on Tron .* is not a contract\.$/),
  })
  expect(await verify(withToken({ decimals: 18 }))).toMatchObject({
    reason: expect.stringMatching(/has 6 decimals on chain, not 18\.$/),
  })
  expect(await verify(withToken({ symbol: 'USDX' }))).toMatchObject({
    reason: expect.stringMatching(/is called "USDT" on chain\.$/),
  })
  for (const { switches } of stage.nodes) switches.isDown = true
  expect(await verify({})).toMatchObject({ reason: expect.stringContaining('No node of Tron') })
})

test('doctor reports that Tron was never tested with real money, and each fault of nodes and tokens', async () => {
  const examine = async (change: Partial<TronNetwork>) => {
    const network = { ...stage.network, ...change }
    const findings = await examineTron({ network, pool: poolOf(network), nowMs })
    return findings.map(({ state, code }) => `${state} ${code}`)
  }
  expect(await examine({})).toEqual(
    expect.arrayContaining(['warning tron.unproven', 'good rpc.good', 'good token.good']),
  )
  expect(await examine(withToken({ decimals: 18 }))).toContain('bad token.wrong')
  expect(await examine({ chainId: 728_126_428 })).toContain('bad rpc.wrong')
  for (const { switches } of stage.nodes) switches.isDown = true
  const down = await examine({})
  expect(down[0]).toBe('warning tron.unproven')
  expect(down.filter((one) => one === 'bad rpc.silent')).toHaveLength(2)
  expect(down.some((one) => one.includes('token'))).toBe(false)
})

test('a range costs one call of each of two nodes: no block has a filter, so no block is read for one', async () => {
  const { network } = stage
  const [deps, pool] = [{ nowMs, log: silentLog }, poolOf(network)]
  const asked: string[] = []
  const counted: typeof pool = {
    ...pool,
    ask(method, ...more) {
      asked.push(method)
      return pool.ask(method, ...more)
    },
    askNode(node, method, ...more) {
      asked.push(method)
      return pool.askNode(node, method, ...more)
    },
  }
  const adapter = createTronAdapter(network, deps, counted)
  const range = {
    from: 0,
    to: 2,
    few: undefined,
    splitters: new Set<string>(),
    findWatched: async () => new Set<string>(),
  }
  expect(await adapter.transfers(range, signal)).toEqual([])
  expect(asked).toEqual(['eth_getLogs', 'eth_getLogs'])
})

test('two nodes of one host count as one: the range is read from another host too', async () => {
  const [first, second] = stage.nodes
  if (first === undefined || second === undefined) throw new Error('The stage has two nodes')
  first.switches.omits = () => true
  const { address } = await stage.deposit()
  const { blockNumber } = await stage.pay(address, 7n)
  const network = { ...stage.network, rpcUrls: [first.rpcUrl, `${first.rpcUrl}?key=2`, second.rpcUrl] }
  const range = {
    from: Number(blockNumber),
    to: Number(blockNumber),
    few: undefined,
    splitters: new Set<string>(),
    tokens: new Set([String(token()?.address.toLowerCase())]),
    findWatched: async (topics: readonly string[]) => new Set(topics),
  }
  const found = await createTronAdapter(network, { nowMs, log: silentLog }).transfers(range, signal)
  expect(found.map(({ amount }) => amount)).toEqual([7n])
})

test('a node attests a transfer only if block, transaction, log index, token, both parties and amount match', async () => {
  const { address } = await stage.deposit()
  const { transactionHash, blockNumber, logs } = await stage.pay(address, 7n)
  await stage.mine(tronConfirmations)
  const [node] = stage.nodes
  const liar = await openLyingNode(node?.rpcUrl ?? '')
  const adapter = createTronAdapter({ ...stage.network, rpcUrls: [liar.url] }, { nowMs, log: silentLog })
  const transfer = {
    network: 'tron',
    txId: transactionHash.slice(2),
    logIndex: Number(logs[0]?.logIndex),
    amount: 7n as BaseUnits,
    blockNumber: Number(blockNumber),
    blockHash: (await adapter.block(Number(blockNumber), signal))?.hash ?? '',
    blockTimeMs: 0,
    payer: tronAddressOf(`0x${logs[0]?.topics[1]?.slice(26)}`),
    topic: addressTopic(address),
    source: String(token()?.address.toLowerCase()),
    required: 1,
  }
  const isAttested = (change: Partial<typeof transfer> = {}) => adapter.isAttested({ ...transfer, ...change }, signal)
  try {
    expect(await isAttested()).toBe(true)
    const others: Partial<typeof transfer>[] = [
      { txId: '77'.repeat(32) },
      { logIndex: transfer.logIndex + 1 },
      { amount: 8n as BaseUnits },
      { blockHash: `0x${'77'.repeat(32)}` },
      { blockNumber: transfer.blockNumber + 1 },
      { source: nowhere.toLowerCase() },
      { payer: nowhere },
      { topic: addressTopic(nowhere) },
    ]
    for (const change of others) expect([change, await isAttested(change)]).toEqual([change, false])
    liar.lie('eth_getTransactionReceipt', (truth) => ({ ...(truth as object), status: '0x0' }))
    expect(await isAttested()).toBe(false)
  } finally {
    await liar.close()
  }
})

test('equal transfers of one transaction are two, each with its place in the receipt', async () => {
  const { address } = await stage.deposit()
  const { blockNumber } = await stage.pay(address, 7n)
  const liar = await openLyingNode(stage.nodes[0]?.rpcUrl ?? '')
  const adapter = createTronAdapter({ ...stage.network, rpcUrls: [liar.url] }, { nowMs, log: silentLog })
  const twice = (logs: unknown) => (logs as { logIndex: string }[]).flatMap((log) => [log, { ...log, logIndex: '0x9' }])
  const [from, to] = [Number(blockNumber), Number(blockNumber)]
  const findWatched = async (topics: readonly string[]) => new Set(topics)
  try {
    liar.lie('eth_getLogs', twice)
    liar.lie('eth_getTransactionReceipt', (truth) => {
      const receipt = truth as { logs: unknown }
      return { ...receipt, logs: twice(receipt.logs) }
    })
    const found = await adapter.transfers({ from, to, findWatched, few: undefined, splitters: new Set() }, signal)
    expect(found.map(({ logIndex, amount }) => [logIndex, amount])).toEqual([
      [0, 7n],
      [1, 7n],
    ])
  } finally {
    await liar.close()
  }
})

test('no node attests an approval with the same parties and amount as a transfer', async () => {
  const { address } = await stage.deposit()
  const approved = await stage.approve(addressHex(address) as Address, 7n)
  const paid = await stage.pay(address, 7n)
  await stage.mine(tronConfirmations)
  const adapter = createTronAdapter(stage.network, { nowMs, log: silentLog })
  const isAttested = async ({ transactionHash, blockNumber, logs }: typeof paid) =>
    await adapter.isAttested(
      {
        network: 'tron',
        txId: transactionHash.slice(2),
        logIndex: Number(logs[0]?.logIndex),
        amount: 7n as BaseUnits,
        blockNumber: Number(blockNumber),
        blockHash: (await adapter.block(Number(blockNumber), signal))?.hash ?? '',
        blockTimeMs: 0,
        payer: tronAddressOf(stage.customer.address),
        topic: addressTopic(address),
        source: String(token()?.address.toLowerCase()),
        required: 1,
      },
      signal,
    )
  expect([await isAttested(paid), await isAttested(approved)]).toEqual([true, false])
})

test('a node without final blocks attests a transfer that is deep enough by its own head', async () => {
  const { address } = await stage.deposit()
  const { transactionHash, blockNumber, logs } = await stage.pay(address, 7n)
  for (const { switches } of stage.nodes) switches.isOld = true
  const adapter = createTronAdapter(stage.network, { nowMs, log: silentLog })
  const transfer = {
    network: 'tron',
    txId: transactionHash.slice(2),
    logIndex: Number(logs[0]?.logIndex),
    amount: 7n as BaseUnits,
    blockNumber: Number(blockNumber),
    blockHash: (await adapter.block(Number(blockNumber), signal))?.hash ?? '',
    blockTimeMs: 0,
    payer: tronAddressOf(stage.customer.address),
    topic: addressTopic(address),
    source: String(token()?.address.toLowerCase()),
    required: tronConfirmations,
  }
  await stage.mine(tronConfirmations - 2)
  expect(await adapter.isAttested(transfer, signal)).toBe(false)
  await stage.mine(1)
  expect(await adapter.isAttested(transfer, signal)).toBe(true)
})

/** An account in the format of `reconcile`. */
const accountOf = (place: string, change: Partial<Account> = {}): Account => ({
  number: 1,
  id: 'p' as Account['id'],
  mode: 'deposit',
  network: 'tron',
  place,
  token: token()?.address ?? '',
  splitter: null,
  terms: '{}',
  createdAtMs: nowMs(),
  ...change,
})

async function read(accounts: Account[], applied?: number): Promise<MovementReader> {
  const { network } = stage
  const pages = async function* () {
    yield accounts
  }
  const newest = Number(await stage.chain.getBlockNumber())
  const request = { applied: applied ?? newest, accounts: pages, onProgress: () => undefined, nowMs }
  return await readTronMovements(network, poolOf(network), request as never, signal)
}

test('movements are those of this network’s deposits, in their token, up to the block that is final', async () => {
  const [one, other, early] = [await stage.deposit(), await stage.deposit(), await stage.deposit()]
  const first = await stage.pay(one.address, 10_000_000n)
  await stage.pay(one.address, 15_000_000n)
  await stage.pay(other.address, 1_000_000n, await stage.deployToken())
  await stage.mine(tronConfirmations)
  // Not deep enough yet.
  await stage.pay(early.address, 2_000_000n)
  const accounts = [
    accountOf(one.address),
    accountOf(other.address),
    accountOf(early.address),
    accountOf(one.address, { network: 'nile' }),
    accountOf(one.address, { mode: 'refund' }),
  ]
  const reader = await read(accounts)
  const [ofOne, ofOther, ofEarly, elsewhere, refund] = await reader.read(accounts, signal)
  expect(
    ofOne?.movements.map(({ block, kind, ...rest }) => ({ kind, amount: 'amount' in rest && rest.amount })),
  ).toEqual([
    { kind: 'in', amount: 10_000_000n },
    { kind: 'in', amount: 15_000_000n },
  ])
  expect(ofOne?.balances).toEqual([{ token: token()?.address, amount: 25_000_000n }])
  expect(ofOther).toMatchObject({ movements: [], balances: [] })
  expect(ofEarly).toMatchObject({ movements: [], balances: [] })
  expect([elsewhere, refund]).toEqual([undefined, undefined])

  const txId = first.transactionHash.slice(2)
  expect(await reader.blockOf(accountOf(one.address), txId, signal)).toBe(Number(first.blockNumber))
  expect(await reader.blockOf(accountOf(other.address), txId, signal)).toBeUndefined()
  expect(await reader.blockOf(accountOf(one.address), '77'.repeat(32), signal)).toBeUndefined()
  expect(await reader.verifyUnchanged(signal)).toBeUndefined()
})

test('a refund’s transfer is read with its block, address, token and place in the transaction', async () => {
  const customer = tronAddressOf(`0x${'22'.repeat(20)}`)
  const paid = await stage.pay(customer, 5_000_000n)
  const [log] = paid.logs
  const at = { txId: paid.transactionHash.slice(2), logIndex: Number(log?.logIndex) }
  const reader = await read([])
  const refund = accountOf('hash', { mode: 'refund', terms: customer })
  expect(await reader.transferOf(refund, at, signal)).toEqual({ block: Number(paid.blockNumber), amount: 5_000_000n })
  const others: [Account, typeof at][] = [
    [{ ...refund, terms: nowhere }, at],
    [{ ...refund, token: nowhere }, at],
    [refund, { ...at, logIndex: at.logIndex + 1 }],
    [refund, { ...at, txId: '77'.repeat(32) }],
  ]
  for (const [account, place] of others) expect(await reader.transferOf(account, place, signal)).toBeUndefined()
})

test('nothing is compared before the service has read the chain, and nothing while it changes', async () => {
  const { address } = await stage.deposit()
  const pages = async function* () {
    yield [accountOf(address)]
  }
  const request = { applied: undefined, accounts: pages, onProgress: () => undefined, nowMs }
  await expect(readTronMovements(stage.network, poolOf(stage.network), request as never, signal)).rejects.toThrow(
    'the service has not read Tron yet',
  )
  await stage.mine(tronConfirmations)
  const reader = await read([accountOf(address)])
  await stage.reorg(tronConfirmations + 2)
  await expect(reader.verifyUnchanged(signal)).rejects.toThrow(`block ${reader.at.number} was replaced`)
})

/** The refusal's code and message, in response to a client's request. */
async function refusal(method: string, params: unknown[]): Promise<string> {
  const [node] = stage.nodes
  const response = await fetch(node?.rpcUrl ?? '', {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { error } = (await response.json()) as { error?: { code: number; message: string } }
  return error ? `${error.code} ${error.message}` : 'answered'
}

test('the emulated node refuses what java-tron refuses', async () => {
  const absent = '-32601 the method'
  for (const method of ['eth_sendRawTransaction', 'eth_getTransactionCount', 'eth_sign', 'eth_feeHistory'])
    expect(await refusal(method, [])).toContain(absent)
  const latestOnly = ['eth_getBalance', 'eth_getCode'] as const
  for (const method of latestOnly) {
    expect(await refusal(method, [stage.usdt, 'latest'])).toBe('answered')
    expect(await refusal(method, [stage.usdt, '0x1'])).toContain('QUANTITY not supported')
    expect(await refusal(method, [stage.usdt, 'finalized'])).toContain('TAG [earliest | pending | finalized]')
  }
  for (const tag of ['pending', 'safe']) expect(await refusal('eth_getBlockByNumber', [tag, false])).toContain(tag)
  expect(await refusal('eth_getBlockByNumber', ['finalized', false])).toBe('answered')
  expect(await refusal('eth_call', [{ data: '0x60' }, 'latest'])).toContain('invalid address hash value')

  await stage.chain.mine({ blocks: 5_001, interval: 0 })
  const topic = `0x${'33'.repeat(32)}`
  expect(await refusal('eth_getLogs', [{ fromBlock: '0x0', toBlock: 'latest' }])).toContain(
    'exceed max block range: 5000',
  )
  expect(await refusal('eth_getLogs', [{ fromBlock: '0x5', toBlock: '0x4' }])).toContain('fromBlock <= toBlock')
  const few = { fromBlock: '0x1', toBlock: '0x2' }
  expect(await refusal('eth_getLogs', [{ ...few, topics: [null, null, Array(1_000).fill(topic)] }])).toBe('answered')
  expect(await refusal('eth_getLogs', [{ ...few, topics: [null, null, Array(1_001).fill(topic)] }])).toContain(
    'max topics',
  )
  expect(await refusal('eth_getLogs', [{ ...few, topics: Array(5).fill(topic) }])).toContain('topics size')
  expect(await refusal('eth_getLogs', [{ ...few, topics: ['0x33'] }])).toContain('invalid topic')
  expect(await refusal('eth_getLogs', [{ ...few, blockHash: topic }])).toContain('cannot specify both')
  expect(await refusal('eth_getLogs', [{ blockHash: topic }])).toContain('invalid blockHash')
})
