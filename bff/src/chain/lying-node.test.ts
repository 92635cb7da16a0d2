import { type ContractStage, confirmations, openContractStage, silent } from '@stablecoin-checkout/rig/contract-stage'
import { receiptOf } from '@stablecoin-checkout/rig/devnet/receipt'
import { testUsdc } from '@stablecoin-checkout/rig/devnet/tokens.generated'
import { type LyingNode, openLyingNode } from '@stablecoin-checkout/rig/lying-node'
import { encodeFunctionData, type Hex, keccak256 } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '../db/db.ts'
import type { Fault } from '../network/network-health.ts'
import type { PaymentId } from '../payment/payment.ts'
import { createEvmAuthorizer } from './evm/authorization/evm-authorizer.ts'
import { createEvmAdapter } from './evm/rpc/evm-adapter.ts'
import { createEvmPool } from './evm/rpc/evm-pool.ts'
import { createEvmSender } from './evm/send/evm-sender.ts'
import { deploy } from './evm/setup/deploy-contracts.ts'
import { examineNetwork } from './evm/setup/examine-network.ts'
import { verifyNetwork } from './evm/setup/verify-network.ts'
import { verifySplitter } from './evm/setup/verify-splitter.ts'

let stage: ContractStage
let liar: LyingNode
let truth: string
beforeAll(async () => {
  stage = await openContractStage()
  truth = String(stage.network.rpcUrls[0])
})
afterAll(() => stage.close())
beforeEach(async () => {
  liar = await openLyingNode(truth)
})
afterEach(() => liar.close())

const never = new AbortController().signal
const nodes = (...rpcUrls: string[]) => ({ rpcUrls })

const newest = () => stage.chain.getBlockNumber({ cacheTime: 0 })

/** An adapter with its own clock. */
function reader(...rpcUrls: string[]) {
  const clock = { nowMs: 1_000_000 }
  const log = { ...silent, error: (fields: object) => void logged.push(fields) }
  const logged: object[] = []
  const network = { ...stage.network, rpcUrls }
  const deps = { nowMs: () => clock.nowMs, log }
  const pool = createEvmPool(network, deps)
  const adapter = createEvmAdapter(network, deps, pool)
  return { adapter, sender: createEvmSender(network, pool), clock, logged }
}

/** Passes until one reads something, like a watcher that is not stopped. */
async function passUntilRead(watcher: ReturnType<ContractStage['otherWatcher']>, id: string): Promise<void> {
  for (let passes = 0; passes < 10; passes++) {
    await watcher.pass(never).catch(() => undefined)
    if ((await stage.load(id as never)).seen > 0n) return
  }
}

test('transfers that the first node omits from a long range are found when it is the second node’s turn', async () => {
  await stage.chain.mine({ blocks: 10 })
  const payment = await stage.create()
  await stage.pay(payment)
  const to = Number(await newest())
  liar.lie('eth_getLogs', () => [])
  const { adapter } = reader(liar.url, truth)
  const found = async (turn: number) => {
    const findWatched = async () => ({ has: () => true })
    const range = { from: to - 9, to, findWatched, few: undefined, splitters: new Set<string>(), turn }
    return (await adapter.transfers(range, never)).length > 0
  }
  expect([await found(0), await found(1), await found(2), await found(3)]).toEqual([false, true, false, true])
})

test('a node that omits the logs of a block is not trusted, and the next one sees the payment', async () => {
  const payment = await stage.create()
  await stage.watch()
  await stage.pay(payment)
  liar.lie('eth_getLogs', () => [])
  const watcher = stage.otherWatcher(nodes(liar.url, truth))
  await expect(watcher.pass(never)).rejects.toThrow('node 1 of 2 omits logs of a block')
  expect((await stage.load(payment.id)).seen).toBe(0n)
  await passUntilRead(watcher, payment.id)
  expect((await stage.load(payment.id)).seen).toBe(25_000_000n)
  await stage.chain.mine({ blocks: confirmations - 1 })
  await stage.watch()
  expect(await stage.status(payment.id)).toMatchObject({ outcome: 'paid' })
})

test('if it is the only node, the cursor stays before the block, and nothing is lost once its responses are true again', async () => {
  const payment = await stage.create()
  await stage.watch()
  await stage.pay(payment)
  liar.lie('eth_getLogs', () => [])
  const { adapter, clock } = reader(liar.url)
  const watcher = stage.otherWatcher({}, { adapter })
  await expect(watcher.pass(never)).rejects.toThrow('the node omits logs')
  await expect(watcher.pass(never)).rejects.toThrow(/No node of Devnet can be trusted: the node omits logs/)
  liar.mend()
  clock.nowMs += 5 * 60 * 1000
  await watcher.pass(never)
  expect((await stage.load(payment.id)).seen).toBe(25_000_000n)
})

test('a node whose log index is behind its blocks is detected by the block’s filter, and read in full', async () => {
  const payment = await stage.create()
  await stage.watch()
  await stage.pay(payment)
  liar.lie('eth_getLogs', (logs, [query]) => ('topics' in (query as object) ? [] : logs))
  const watcher = stage.otherWatcher(nodes(liar.url))
  await watcher.pass(never)
  expect((await stage.load(payment.id)).seen).toBe(25_000_000n)
})

test('a block without relevant logs costs no more calls', async () => {
  await stage.create()
  await stage.watch()
  const watcher = stage.otherWatcher(nodes(liar.url))
  await stage.chain.mine({ blocks: 1 })
  await watcher.pass(never)
  expect(liar.heard).toEqual(['eth_chainId', 'eth_getBlockByNumber', 'eth_getLogs'])
})

test('a node on another chain gets no other call, and the next one is used', async () => {
  liar.lie('eth_chainId', () => '0x1')
  const { adapter, logged } = reader(liar.url, truth)
  const head = await adapter.head(never)
  expect(head.number).toBe(Number(await newest()))
  expect(liar.heard).toEqual(['eth_chainId'])
  expect(logged).toMatchObject([{ node: 'node 1 of 2', lie: 'is on chain 1 (Ethereum), not on 31337' }])
  const alone = reader(liar.url).adapter
  await expect(alone.head(never)).rejects.toThrow('is on chain 1')
  await expect(alone.head(never)).rejects.toThrow(/No node of Devnet can be trusted/)
})

test('a node that lied to the watcher is not used for payouts either, whose transactions go to the next node', async () => {
  const { chain, customer, relayer } = stage
  const { adapter, sender, clock } = reader(liar.url, truth)
  liar.lie('eth_chainId', () => '0x1')
  await adapter.head(never)
  liar.mend()
  const before = liar.heard.length
  const head = await sender.head()
  expect(head.number).toBe(Number(await newest()))
  const request = await chain.prepareTransactionRequest({
    account: customer,
    to: relayer.address,
    value: 1n,
    gas: 21_000n,
  })
  const raw = await customer.signTransaction(request as never)
  expect(await sender.broadcast(raw)).toEqual({ answer: 'known' })
  const receipt = await receiptOf(chain, keccak256(raw))
  expect(receipt.status).toBe('success')
  expect(liar.heard.length).toBe(before)
  clock.nowMs += 5 * 60 * 1000
  await sender.head()
  expect(liar.heard.length).toBeGreaterThan(before)
})

test('a quarantined node is called neither at the start, nor by doctor, nor by a deployment', async () => {
  const { network } = stage
  const both = { ...network, rpcUrls: [liar.url, truth] }
  const clock = { nowMs: 1_000_000 }
  const pool = createEvmPool(both, { nowMs: () => clock.nowMs, log: silent })
  const [liarNode] = pool.nodes
  if (liarNode === undefined) throw new Error('The pool has no node')
  pool.distrust(liarNode, 'omits logs')
  const faultsOfDoctor = async () =>
    (await examineNetwork({ network: both, pool, operator: null, wallets: [], nowMs: Date.now }))
      .filter(({ state }) => state === 'bad')
      .map(({ subject, says }) => ({ subject, says }))
  expect(await verifyNetwork(both, pool, never)).toBeUndefined()
  expect(await verifySplitter(both, pool, never)).toBeUndefined()
  expect(await faultsOfDoctor()).toEqual([{ subject: 'Devnet, node 1 of 2', says: 'omits logs' }])
  expect(await deploy(pool, null)).toMatchObject({ chainId: network.chainId, cost: null })
  expect(liar.heard).toEqual([])
  clock.nowMs += 5 * 60 * 1000
  expect(await faultsOfDoctor()).toEqual([])
  expect(liar.heard).toContain('eth_getLogs')
})

test('a call that began before the quarantine and fails during it does not shorten it', async () => {
  const pool = createEvmPool({ ...stage.network, rpcUrls: [liar.url, truth] }, { nowMs: () => 1_000_000, log: silent })
  const [liarNode] = pool.nodes
  if (liarNode === undefined) throw new Error('The pool has no node')
  liar.listen(async () => {
    pool.distrust(liarNode, 'omits logs')
    liar.fail(503)
  })
  await pool.ask('eth_blockNumber', [], never)
  expect(liarNode).toMatchObject({ lie: 'omits logs', outUntilMs: 1_000_000 + 5 * 60 * 1000 })
})

test('a network is unavailable while one of its nodes is on another chain, and the node is checked again within a minute', async () => {
  const { network } = stage
  const both = { ...network, rpcUrls: [truth, liar.url] }
  const clock = { nowMs: 1_000_000 }
  const pool = createEvmPool(both, { nowMs: () => clock.nowMs, log: silent })
  liar.lie('eth_chainId', () => '0x1')
  const wrong = { kind: 'wrong', reason: 'Node 2 of 2 of Devnet is on chain 1 (Ethereum), not on 31337.' }
  expect(await verifyNetwork(both, pool, never)).toEqual(wrong)
  expect(await verifySplitter(both, pool, never)).toEqual(wrong)
  expect(liar.heard).toEqual(['eth_chainId'])
  liar.mend()
  clock.nowMs += 60_000
  expect(await verifyNetwork(both, pool, never)).toBeUndefined()
})

const block = async (number: bigint) => {
  const params = [`0x${number.toString(16)}`, false]
  return await stage.chain.request({ method: 'eth_getBlockByNumber', params } as never)
}
const asHead = (old: unknown) => liar.lie('eth_getBlockByNumber', (now, [tag]) => (tag === 'latest' ? old : now))

test('a node whose head goes back is replaced by one that is ahead', async () => {
  await stage.chain.mine({ blocks: 6 })
  const number = await newest()
  const { adapter, logged } = reader(liar.url, truth)
  expect((await adapter.head(never)).number).toBe(Number(number))
  asHead(await block(number - 5n))
  expect((await adapter.head(never)).number).toBe(Number(number))
  expect(logged).toMatchObject([{ node: 'node 1 of 2', lie: expect.stringContaining('went back from block') }])
})

test('a stuck node is replaced by one that is ahead; if all are stuck, the chain is slow', async () => {
  const number = await newest()
  const { adapter, clock, logged } = reader(liar.url, truth)
  await adapter.head(never)
  clock.nowMs += 31_000
  expect((await adapter.head(never)).number).toBe(Number(number))
  expect(logged).toEqual([])
  asHead(await block(number))
  await stage.chain.mine({ blocks: 5 })
  expect((await adapter.head(never)).number).toBe(Number(number))
  clock.nowMs += 31_000
  expect((await adapter.head(never)).number).toBe(Number(number) + 5)
  expect(logged).toMatchObject([{ lie: expect.stringContaining('is stuck at block') }])
})

test('a node that is down is skipped for increasing times while the next one responds; then it is called again', async () => {
  const { adapter, clock } = reader(liar.url, truth)
  liar.fail(503)
  const asked = async () => {
    const before = liar.heard.length
    await adapter.head(never)
    return liar.heard.length - before
  }
  expect(await asked()).toBe(1)
  expect(await asked()).toBe(0)
  clock.nowMs += 1_000
  expect(await asked()).toBe(1)
  clock.nowMs += 1_000
  expect(await asked()).toBe(0)
  clock.nowMs += 1_000
  liar.mend()
  expect(await asked()).toBe(2)
  expect(await asked()).toBe(1)
})

test('the reason why a network cannot be watched is reported without a node’s address, and so is its end', async () => {
  const faults: (Fault | undefined)[] = []
  const stopping = new AbortController()
  await stage.create()
  const { adapter, clock } = reader(liar.url)
  const watcher = stage.otherWatcher({}, { adapter, report: (fault) => void faults.push(fault) })
  liar.lie('eth_chainId', () => '0x1' as Hex)
  const running = watcher.run(stopping.signal)
  await expect.poll(() => faults.length).toBeGreaterThan(0)
  liar.mend()
  clock.nowMs += 5 * 60 * 1000
  await expect.poll(() => faults.at(-1)).toBe(undefined)
  stopping.abort()
  await running
  expect(faults[0]).toMatchObject({
    kind: 'unreachable',
    reason: 'No node of Devnet can be trusted: the node is on chain 1 (Ethereum), not on 31337.',
  })
})

for (const before of [6, 30])
  test(`the log index is behind the blocks in a range of ${before + 1}: the payment is found when its block is final`, async () => {
    const { payment } = (
      await stage.post('/api/v1/deposits/create', {
        amount: '25.00',
        currency: 'USDC',
        network: 'devnet',
        orderId: `behind ${before}`,
      })
    ).body as unknown as { payment: { id: PaymentId; depositAddress: Hex } }
    await stage.watch()
    const watcher = stage.otherWatcher(nodes(liar.url, truth))
    await stage.chain.mine({ blocks: before })
    const data = encodeFunctionData({
      abi: testUsdc.abi,
      functionName: 'transfer',
      args: [payment.depositAddress, 25_000_000n],
    })
    await stage.send({ to: stage.network.tokens[0]?.address ?? '', data })
    const indexed = Number(await newest()) - 2
    liar.lie('eth_getLogs', (logs) =>
      (logs as { blockNumber: string }[]).filter(({ blockNumber }) => Number(blockNumber) <= indexed),
    )
    await watcher.pass(never).catch(() => undefined)
    expect((await stage.load(payment.id)).seen).toBe(0n)
    liar.mend()
    await stage.chain.mine({ blocks: confirmations - 1 })
    await watcher.pass(never)
    expect(await stage.status(payment.id)).toMatchObject({ outcome: 'paid', status: 'sweeping' })
    expect(await stage.db.read((tx) => tx.all(sql`select * from second_reads where to_block <= ${indexed}`))).toEqual(
      [],
    )
  })

test('a node with a time far in the future ends no window', async () => {
  const payment = await stage.create()
  await stage.watch()
  await stage.chain.mine({ blocks: 1 })
  const later = `0x${(Math.floor(Date.now() / 1000) + 10 * 24 * 60 * 60).toString(16)}`
  liar.lie('eth_getBlockByNumber', (block) => ({ ...(block as object), timestamp: later }))
  await stage.otherWatcher({ ...nodes(liar.url), isTestnet: false }).pass(never)
  expect(await stage.status(payment.id)).toMatchObject({ status: 'pending', outcome: 'pending' })
})

test('two nodes attest a payout only with the same whole receipt, at the required depth by each node’s head', async () => {
  const factory = stage.network.factory as Hex
  const { transactionHash } = await stage.send({ to: stage.customer.address, data: '0x' })
  await stage.chain.mine({ blocks: confirmations - 1 })
  const receipt = await reader(truth).sender.receipt(transactionHash, factory)
  if (receipt === undefined) throw new Error('There is no receipt.')
  const isAttested = (urls: string[], required = confirmations) =>
    reader(...urls).sender.isAttested(receipt, factory, required)
  expect(await isAttested([truth])).toBe(true)
  expect(await isAttested([liar.url, truth])).toBe(true)
  expect(await isAttested([liar.url, truth], confirmations + 1)).toBe(false)
  expect(await isAttested([truth, 'http://127.0.0.1:1']), 'while one is down').toBe(false)
  liar.lie('eth_getTransactionReceipt', (own) => ({ ...(own as object), status: '0x0' }))
  expect(await isAttested([liar.url, truth]), 'another result').toBe(false)
  liar.mend()
  liar.lie('eth_getBlockByNumber', (block) => ({ ...(block as object), hash: `0x${'1'.repeat(64)}` }))
  expect(await isAttested([liar.url, truth]), 'another block').toBe(false)
})

test('a customer is told that the transaction was reverted only by two nodes: who pays again pays twice', async () => {
  const { transactionHash } = await stage.send({ to: stage.customer.address, data: '0x' })
  liar.lie('eth_getTransactionReceipt', (own) => ({ ...(own as object), status: '0x0' }))
  const receiptOf = (...rpcUrls: string[]) => {
    const signatureGas = { coinPrice: '1', perPayer: 1, perAddress: 1, dailyBudget: '1' }
    const network = { ...stage.network, rpcUrls, signatureGas }
    const pool = createEvmPool(network, { nowMs: Date.now, log: silent })
    const operator = stage.customer.address
    return createEvmAuthorizer({ network, pool, operator, nowMs: Date.now, wake: () => undefined }).receipt(
      transactionHash,
    )
  }
  expect(await receiptOf(liar.url, truth)).toBe(undefined)
  expect(await receiptOf(liar.url, 'http://127.0.0.1:1'), 'while one is down').toBe(undefined)
  expect(await receiptOf(liar.url)).toBe('reverted')
  expect(await receiptOf(truth)).toBe('done')
})
