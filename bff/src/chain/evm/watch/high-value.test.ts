import {
  type ContractStage,
  type Created,
  confirmations,
  openContractStage,
} from '@stablecoin-checkout/rig/contract-stage'
import { testUsdc } from '@stablecoin-checkout/rig/devnet/tokens.generated'
import { type LyingNode, openLyingNode } from '@stablecoin-checkout/rig/lying-node'
import { encodeFunctionData, type Hex, numberToHex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { silentLog } from '../../../core/log.ts'
import type { BaseUnits } from '../../../core/money.ts'
import { sql } from '../../../db/db.ts'
import type { AttestedTransfer, SeenTransfer } from '../../chain-adapter.ts'
import { createEvmAdapter } from '../rpc/evm-adapter.ts'

/** Of 20.00 and more. */
const wanted = confirmations + 3
const never = new AbortController().signal

let stage: ContractStage
let liar: LyingNode
let truth: string
beforeAll(async () => {
  stage = await openContractStage({ highValue: { amount: '20', confirmations: wanted } })
  truth = String(stage.network.rpcUrls[0])
})
afterAll(() => stage.close())
beforeEach(async () => {
  liar = await openLyingNode(truth)
})
afterEach(() => liar.close())

const mine = (blocks: number) => stage.chain.mine({ blocks })
const load = ({ id }: Created) => stage.load(id)
const asTopic = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`

/** Runs the watcher of these nodes until it has read the chain. */
async function watchBy(watcher: ReturnType<ContractStage['otherWatcher']>): Promise<void> {
  for (let passes = 0; passes < 5; passes++) await watcher.pass(never)
}

test('a high-value payment is paid with its own confirmations, and a smaller one with the network’s', async () => {
  const [high, low] = [await stage.create({ amount: '20.00' }), await stage.create({ amount: '19.99' })]
  const watcher = stage.otherWatcher({})
  await watchBy(watcher)
  const { transactionHash } = await stage.pay(high)
  await stage.pay(low)
  await mine(confirmations - 1)
  await watchBy(watcher)
  expect(await stage.status(low.id)).toMatchObject({ outcome: 'paid', requiredConfirmations: confirmations })
  expect(await stage.status(high.id)).toMatchObject({ outcome: 'pending', requiredConfirmations: wanted })
  const { status, body } = await stage.process(high.id, transactionHash)
  expect([status, body['message']]).toEqual([400, 'payment not yet confirmed: 5 of 6 confirmations'])
  await mine(1)
  await watchBy(watcher)
  expect(await stage.status(high.id)).toMatchObject({ outcome: 'paid', confirmations: wanted })
})

test('with two nodes, a high-value payment waits until both have it', async () => {
  const payment = await stage.create()
  const watcher = stage.otherWatcher({ rpcUrls: [truth, liar.url] })
  await watchBy(watcher)
  const { transactionHash } = await stage.pay(payment)
  liar.lie('eth_getTransactionReceipt', () => null)
  await mine(wanted)
  await watchBy(watcher)
  expect(await load(payment)).toMatchObject({ status: 'pending', seen: 25_000_000n, received: 0n })
  expect((await stage.process(payment.id, transactionHash)).status).toBe(400)
  expect(await load(payment)).toMatchObject({ status: 'pending', received: 0n })

  liar.mend()
  await mine(1)
  await watchBy(watcher)
  expect(await load(payment)).toMatchObject({ status: 'completed', received: 25_000_000n })
})

test('a high-value payment mined while nobody watched is also attested before it is paid', async () => {
  const payment = await stage.create()
  const watcher = stage.otherWatcher({ rpcUrls: [truth, liar.url] })
  await watchBy(watcher)
  await stage.pay(payment)
  await mine(2 * wanted)
  liar.fail(503)
  await watchBy(watcher)
  await mine(1)
  await watchBy(watcher)
  expect(await load(payment)).toMatchObject({ status: 'pending', seen: 25_000_000n, received: 0n })
})

test('blocks invented by one node make no payment of high value deep enough', async () => {
  const payment = await stage.create()
  const watcher = stage.otherWatcher({ rpcUrls: [liar.url, truth] })
  await watchBy(watcher)
  await stage.pay(payment)
  await watchBy(watcher)
  const { number, timestamp } = await stage.chain.getBlock()
  const invented = {
    number: numberToHex(number + 20n),
    hash: `0x${'77'.repeat(32)}`,
    parentHash: `0x${'78'.repeat(32)}`,
    timestamp: numberToHex(timestamp + 20n),
  }
  liar.lie('eth_getBlockByNumber', (true_, [tag]) => (tag === 'latest' || tag === invented.number ? invented : true_))
  // The true node refuses a range that ends beyond its head.
  liar.lie('eth_getLogs', (logs) => logs ?? [])
  await watchBy(watcher)
  expect(await load(payment)).toMatchObject({ status: 'pending', seen: 25_000_000n, received: 0n })

  liar.mend()
  await mine(25)
  await watchBy(watcher)
  await mine(1)
  await watchBy(watcher)
  expect(await load(payment)).toMatchObject({ status: 'completed', received: 25_000_000n })
})

test('money invented by one node pays nothing of high value', async () => {
  const order = { amount: '25.00', currency: 'USDC', network: 'devnet' }
  const deposit = (await stage.post('/api/v1/deposits/create', order)).body.payment as Created & { depositAddress: Hex }
  const watcher = stage.otherWatcher({ rpcUrls: [liar.url, truth] })
  await watchBy(watcher)
  await mine(1)
  const { number, hash } = await stage.chain.getBlock()
  const invented = {
    address: stage.network.tokens[0]?.address,
    topics: [
      '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
      ...[asTopic(stage.customer.address), asTopic(deposit.depositAddress)],
    ],
    ...{ data: numberToHex(25_000_000n, { size: 32 }), blockNumber: numberToHex(number), blockHash: hash },
    ...{ transactionHash: `0x${'5e'.repeat(32)}`, logIndex: '0x0', removed: false },
  }
  liar.lie('eth_getLogs', () => [invented])
  const receipt = { status: '0x1', blockNumber: numberToHex(number), blockHash: hash, logs: [invented] }
  liar.lie('eth_getTransactionReceipt', () => receipt)
  await watcher.pass(never)
  liar.lie('eth_getLogs', () => [])
  await mine(wanted)
  await watchBy(watcher)
  expect(await load(deposit)).toMatchObject({ status: 'pending', seen: 25_000_000n, received: 0n })

  const alone = stage.otherWatcher({ rpcUrls: [liar.url] })
  await mine(1)
  await watchBy(alone)
  expect(await load(deposit)).toMatchObject({ status: 'sweeping', received: 25_000_000n })
})

type Log = { topics: string[] }
type Receipt = { logs: Log[] }

/** As the node has it. */
async function receiptOf(transactionHash: string): Promise<Receipt> {
  const call = { jsonrpc: '2.0', id: 1, method: 'eth_getTransactionReceipt', params: [transactionHash] }
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(call) }
  return ((await (await fetch(truth, init)).json()) as { result: Receipt }).result
}

/** One node says that a log of a true transaction has other topics, and hides nothing. */
function replaceLog(receipt: Receipt, from: Log, topics: string[]): void {
  const replaced = { ...from, topics }
  liar.lie('eth_getLogs', (logs) => [...(logs as object[]), replaced])
  liar.lie('eth_getTransactionReceipt', () => ({
    ...receipt,
    logs: receipt.logs.map((log) => (log === from ? replaced : log)),
  }))
}

test('a true transfer that one node says went to a deposit address pays nothing of high value', async () => {
  const order = { amount: '25.00', currency: 'USDC', network: 'devnet', orderId: 'redirected' }
  const deposit = (await stage.post('/api/v1/deposits/create', order)).body.payment as Created & { depositAddress: Hex }
  const watcher = stage.otherWatcher({ rpcUrls: [liar.url, truth] })
  await watchBy(watcher)
  const data = encodeFunctionData({
    abi: testUsdc.abi,
    functionName: 'transfer',
    args: [stage.relayer.address, 25_000_000n],
  })
  const { transactionHash } = await stage.send({ to: stage.network.tokens[0]?.address ?? '', data })
  const receipt = await receiptOf(transactionHash)
  const [log] = receipt.logs as [Log]
  const [kind = '', payer = ''] = log.topics
  replaceLog(receipt, log, [kind, payer, asTopic(deposit.depositAddress)])
  await watcher.pass(never)
  liar.lie('eth_getLogs', (logs) => logs)
  await mine(wanted)
  await watchBy(watcher)
  expect(await load(deposit)).toMatchObject({ status: 'pending', seen: 25_000_000n, received: 0n })
})

test('a node attests a transfer of its contract, its place, its two parties and its amount, and no other', async () => {
  const { transactionHash } = await stage.pay(await stage.create())
  const { blockNumber, blockHash } = await stage.chain.getTransactionReceipt({ hash: transactionHash as Hex })
  const adapter = createEvmAdapter(stage.network, { nowMs: Date.now, log: silentLog })
  const isOurs = new Set([stage.network.tokens[0]?.address.toLowerCase()])
  const range = { from: Number(blockNumber), to: Number(blockNumber), few: undefined, splitters: new Set<string>() }
  const found = await adapter.transfers({ ...range, findWatched: async (topics) => new Set(topics) }, never)
  const transfer = { ...(found.find(({ source }) => isOurs.has(source)) as SeenTransfer), required: 1 }
  const isAttested = (change: Partial<AttestedTransfer> = {}) => adapter.isAttested({ ...transfer, ...change }, never)
  expect([transfer.txId, transfer.blockHash]).toEqual([transactionHash, blockHash])
  expect(await isAttested()).toBe(true)
  const nobody = `0x${'77'.repeat(20)}`
  const others: Partial<AttestedTransfer>[] = [
    { txId: `0x${'77'.repeat(32)}` },
    { logIndex: transfer.logIndex + 50 },
    { amount: (transfer.amount + 1n) as BaseUnits },
    { blockHash: `0x${'77'.repeat(32)}` },
    { blockNumber: transfer.blockNumber + 1 },
    { source: nobody },
    { payer: nobody },
    { topic: asTopic(nobody) },
    { required: 1_000 },
  ]
  for (const change of others) expect([change, await isAttested(change)]).toEqual([change, false])
})

/** Ends the windows of both, by the time of the next block. */
async function passWindows(): Promise<void> {
  await stage.chain.increaseTime({ seconds: 3_600 })
  await mine(1)
}

test('the window of a high-value payment ends by its own confirmations, and that of a smaller one by the network’s', async () => {
  const [high, low] = [await stage.create({ amount: '20.00' }), await stage.create({ amount: '19.99' })]
  const watcher = stage.otherWatcher({})
  await watchBy(watcher)
  await passWindows()
  await mine(confirmations - 1)
  await watchBy(watcher)
  expect([await load(low), await load(high)]).toMatchObject([{ status: 'expired' }, { status: 'pending' }])
  await mine(wanted - confirmations - 1)
  await watchBy(watcher)
  expect(await load(high)).toMatchObject({ status: 'pending' })
  await mine(1)
  await watchBy(watcher)
  expect(await load(high)).toMatchObject({ status: 'expired' })
})

test('a high-value payment made in time that gathers confirmations does not expire, nor is it reverted later', async () => {
  const high = await stage.create({ amount: '20.00' })
  const watcher = stage.otherWatcher({})
  await watchBy(watcher)
  await stage.pay(high)
  await passWindows()
  await mine(confirmations - 1)
  await watchBy(watcher)
  expect(await load(high)).toMatchObject({ status: 'pending', seen: 20_000_000n, received: 0n })
  await mine(wanted)
  await watchBy(watcher)
  expect(await load(high)).toMatchObject({ status: 'completed', received: 20_000_000n })
  const events = await stage.db.read((tx) =>
    tx.all<{ type: string }>(sql`select type from events where payment_id = ${high.id} order by number`),
  )
  expect(events.map(({ type }) => type)).toEqual(['payment.created', 'payment.detected', 'payment.completed'])
})
