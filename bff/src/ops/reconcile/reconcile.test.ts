import { type ContractStage, openContractStage } from '@stablecoin-checkout/rig/contract-stage'
import { testUsdc } from '@stablecoin-checkout/rig/devnet/tokens.generated'
import { type LyingNode, openLyingNode } from '@stablecoin-checkout/rig/lying-node'
import { encodeFunctionData, type Hex } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { inspectNetwork } from '../../chain/connect-networks.ts'
import { paymentSplitter } from '../../chain/evm/deploy/contracts.generated.ts'
import { type Account, ChainMovedError, NothingAppliedError } from '../../chain/movements.ts'
import { commandPoolDeps } from '../../chain/rpc-pool.ts'
import { systemRuntime } from '../../core/runtime.ts'
import { sql } from '../../db/db.ts'
import type { PaymentId } from '../../payment/payment.ts'
import { accountsAfter } from './books-store.ts'
import { BlockAheadError, reconcileNetwork } from './reconcile.ts'
import type { Period } from './statement.ts'

const { signal } = new AbortController()
const confirmations = 3

let stage: ContractStage
let node: LyingNode
beforeAll(async () => {
  stage = await openContractStage()
  node = await openLyingNode(stage.network.rpcUrls[0] ?? '')
})
afterEach(() => node.mend())
afterAll(async () => {
  await node.close()
  await stage.close()
})

/** Everything is final and applied. */
async function settleDown(): Promise<void> {
  await stage.chain.mine({ blocks: confirmations })
  await stage.watch()
}

const throughNode = () => ({ ...stage.network, rpcUrls: [node.url] })

const reconcile = (period: Period = { kind: 'all' }, network = stage.network) => {
  const progress: string[] = []
  const onProgress = (step: string, done: number, total: number) => void progress.push(`${step} ${done}/${total}`)
  const deps = { db: stage.db, networks: stage.networks, runtime: systemRuntime, period, onProgress }
  return reconcileNetwork(deps, network, signal).then((found) => ({ ...found, progress }))
}

const token = () => (stage.network.tokens[0]?.address ?? '') as Hex

const asTokenOwner = (functionName: 'blacklist' | 'unBlacklist', args: [Hex]) =>
  stage.send({ to: token(), data: encodeFunctionData({ abi: testUsdc.abi, functionName, args }) }, stage.tokenOwner)

async function createDeposit(): Promise<string> {
  const { body } = await stage.post(
    '/api/v1/deposits/create',
    { amount: '25.00', currency: 'USDC', network: 'devnet' },
    { headers: { 'Idempotency-Key': systemRuntime.newUuid() } },
  )
  return String(body.payment['depositAddress'])
}

const transfer = (to: string, amount: bigint, of = token()) =>
  stage.send({
    to: of,
    data: encodeFunctionData({ abi: testUsdc.abi, functionName: 'transfer', args: [to as Hex, amount] }),
  })

test('a network that the service has not read is not compared', async () => {
  await stage.create()
  await expect(reconcile()).rejects.toThrow(NothingAppliedError)
})

test('a share that the platform’s wallet refused is still at the address, and a fee once it is paid', async () => {
  const { platform } = stage.wallets
  await asTokenOwner('blacklist', [platform])
  const payment = await stage.create()
  expect((await stage.pay(payment)).status).toBe('success')
  await settleDown()
  const parked = await reconcile()
  expect(parked).toMatchObject({ differences: [], differenceCount: 0 })
  expect(parked.lines).toMatchObject([
    { came: 25_000_000n, merchant: 24_625_000n, fee: 0n, closing: 375_000n, holding: { stillThere: 375_000n } },
  ])
  await asTokenOwner('unBlacklist', [platform])
  const args = [token(), platform] as const
  const data = encodeFunctionData({ abi: paymentSplitter.abi, functionName: 'payParked', args })
  await stage.send({ to: stage.network.splitter, data })
  await settleDown()
  expect((await reconcile()).lines).toMatchObject([{ merchant: 24_625_000n, fee: 375_000n, closing: 0n }])
})

test('progress covers the blocks and then the payments', async () => {
  const { progress, at, payments } = await reconcile()
  expect(progress[0]).toMatch(/^chain /)
  expect(progress.at(-1)).toBe(`books ${payments}/${payments}`)
  await expect(reconcile({ kind: 'block', block: at.number + 1 })).rejects.toThrow(BlockAheadError)
})

test('money that moves during the comparison is in later blocks, and not a difference', async () => {
  const payment = await stage.create()
  const deposit = await createDeposit()
  await settleDown()
  let isDone = false
  node.listen(async () => {
    if (isDone) return
    isDone = true
    await stage.pay(payment)
    await transfer(deposit, 25_000_000n)
    await settleDown()
  })
  expect(await reconcile({ kind: 'all' }, throughNode())).toMatchObject({ differences: [] })
  expect(isDone).toBe(true)
  node.listen(async () => undefined)
  expect(await reconcile()).toMatchObject({ differences: [] })
})

test('a node that withholds logs causes differences, never a clean result', async () => {
  await transfer(await createDeposit(), 25_000_000n)
  // In a long range the blocks' log filters are not read.
  await stage.chain.mine({ blocks: 20 })
  await settleDown()
  node.lie('eth_getLogs', () => [])
  const { differences } = await reconcile({ kind: 'all' }, throughNode())
  expect(differences.map(({ code }) => code)).toContain('transfer_not_on_chain')
  expect(differences.map(({ code }) => code)).toContain('balance_differs')
})

test('a transfer invented by one node is not on an honest node’s chain', async () => {
  const deposit = await createDeposit()
  const topic = `0x${deposit.slice(2).toLowerCase().padStart(64, '0')}`
  const head = await stage.chain.getBlock()
  const invented = {
    ...{ address: token(), data: `0x${(25_000_000).toString(16).padStart(64, '0')}`, logIndex: '0x0', removed: false },
    topics: [
      '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
      `0x${'0'.repeat(24)}${'9'.repeat(40)}`,
      topic,
    ],
    transactionHash: `0x${'de'.repeat(32)}`,
  }
  // In a range longer than the one whose log filters are compared with the logs.
  await stage.chain.mine({ blocks: 12 })
  const inBlock = { blockNumber: `0x${head.number.toString(16)}`, blockHash: head.hash }
  node.lie('eth_getLogs', (truth) => [...(truth as object[]), { ...invented, ...inBlock }])
  await stage.otherWatcher({ rpcUrls: [node.url] }).pass(signal)
  node.mend()
  await settleDown()
  const { differences } = await reconcile()
  expect(differences).toMatchObject([{ code: 'transfer_not_on_chain', txId: invented.transactionHash }])
})

test('with more accounts than a node can filter by, all transfers are read', async () => {
  const before = await reconcile()
  const like = await stage.load((await stage.create()).id)
  await stage.db.write(async (tx) => {
    for (let index = 0; index < 500; index++) {
      const termsHash = `0x${index.toString(16).padStart(64, '0')}`
      const id = systemRuntime.newUuid() as PaymentId
      await stage.ledger.createIn(tx, { ...like, id, ...('termsHash' in like && { termsHash }) })
    }
  })
  const deposit = await createDeposit()
  await transfer(deposit, 25_000_000n)
  await settleDown()
  const after = await reconcile()
  expect(after.payments).toBe(before.payments + 502)
  expect(after.differences).toEqual(before.differences)
  expect((after.lines[0]?.came ?? 0n) - (before.lines[0]?.came ?? 0n)).toBe(25_000_000n)
})

/** Reads the chain as the comparison does, with the accounts changed by `change`. */
async function openReader(change: (account: Account) => Account = (account) => account, network = stage.network) {
  async function* accounts(): AsyncGenerator<Account[]> {
    yield (await stage.db.read((tx) => accountsAfter(tx, 0, 1_000))).map(change)
  }
  const applied = Number(await stage.chain.getBlockNumber())
  const request = { applied, accounts, networks: stage.networks, tokens: [], nowMs: Date.now }
  const inspection = await inspectNetwork(network, commandPoolDeps(systemRuntime))
  return await inspection.readMovements({ ...request, onProgress: () => undefined }, signal)
}

test('blocks replaced during the comparison make the result unknown', async () => {
  const reader = await openReader()
  await reader.verifyUnchanged(signal)
  await stage.reorg(confirmations)
  await expect(reader.verifyUnchanged(signal)).rejects.toThrow(ChainMovedError)
})

test('money is found of a payment that was created a quarter of an hour ahead of the chain’s clock', async () => {
  const payment = await stage.create()
  await stage.pay(payment)
  await settleDown()
  const cameIn = async (aheadMs: number) => {
    const changed: Account[] = []
    const reader = await openReader((account) => {
      changed.push({ ...account, createdAtMs: Date.now() + aheadMs })
      return changed.at(-1) ?? account
    })
    const [found] = await reader.read(
      changed.filter(({ id }) => id === payment.id),
      signal,
    )
    return found?.movements.map(({ kind }) => kind)
  }
  expect(await cameIn(14 * 60_000)).toEqual(['in', 'settled'])
})

test('a transaction of the books is looked up by what it moved, and only in the chain that the node has', async () => {
  const known = new Map<string, Account>()
  const remember = (account: Account) => {
    known.set(account.place.toLowerCase(), account)
    return account
  }
  const [mine, others] = [await createDeposit(), await createDeposit()]
  const sent = await transfer(mine, 25_000_000n)
  const payment = await stage.create()
  const paid = await stage.pay(payment)
  await settleDown()
  const reader = await openReader(remember, throughNode())
  const [deposit, other] = [mine, others].map((address) => known.get(address.toLowerCase()))
  const split = [...known.values()].find(({ id }) => id === payment.id)
  if (!deposit || !other || !split) throw new Error('The payments are live')
  const inBlock = Number(sent.blockNumber)
  expect(await reader.blockOf(deposit, sent.transactionHash, signal)).toBe(inBlock)
  expect(await reader.blockOf(other, sent.transactionHash, signal)).toBeUndefined()

  const plain = { ...deposit, terms: mine }
  const log = { txId: sent.transactionHash, logIndex: Number(sent.logs[0]?.logIndex) }
  expect(await reader.transferOf(plain, log, signal)).toEqual({ block: inBlock, amount: 25_000_000n })
  const usdt = stage.network.tokens[1]?.address ?? ''
  expect(await reader.transferOf({ ...plain, token: usdt }, log, signal)).toBeUndefined()
  expect(await reader.transferOf({ ...plain, terms: others }, log, signal)).toBeUndefined()

  const event = paid.logs.find(({ address }) => address.toLowerCase() === stage.network.splitter.toLowerCase())
  const ofSplit = { txId: paid.transactionHash, logIndex: Number(event?.logIndex) }
  const byTerms = { ...split, terms: others }
  const found = { block: Number(paid.blockNumber), amount: 25_000_000n }
  expect(await reader.transferOf(byTerms, ofSplit, signal)).toEqual(found)
  expect(await reader.transferOf({ ...byTerms, splitter: others }, ofSplit, signal)).toBeUndefined()
  expect(await reader.transferOf({ ...byTerms, place: `0x${'0d'.repeat(32)}` }, ofSplit, signal)).toBeUndefined()

  node.lie('eth_getTransactionReceipt', (truth) => ({ ...(truth as object), blockHash: `0x${'0d'.repeat(32)}` }))
  expect(await reader.blockOf(deposit, sent.transactionHash, signal)).toBeUndefined()
  expect(await reader.transferOf(plain, log, signal)).toBeUndefined()
  expect(await reader.transferOf(byTerms, ofSplit, signal)).toBeUndefined()
})

test('a token used by no payment is still compared after it was removed from the configuration', async () => {
  const [usdc, usdt] = stage.network.tokens
  if (!usdc || !usdt) throw new Error('The stage has two tokens')
  await stage.otherWatcher({}).resume()
  await transfer(await createDeposit(), 9n, usdt.address as Hex)
  await settleDown()
  const { lines, differences } = await reconcile({ kind: 'all' }, { ...stage.network, tokens: [usdc] })
  expect(differences.filter(({ code }) => code === 'balance_differs')).toEqual([])
  expect(lines.filter((line) => line.token === usdt.address.toLowerCase())).toMatchObject([
    { came: 9n, closing: 9n, holding: { unmatched: 9n } },
  ])
})

test('a refund by the merchant’s wallet that the books or the chain lack is a difference', async () => {
  const payment = await stage.create()
  await stage.pay(payment)
  await settleDown()
  const { apiKey, apiSecret } = stage.merchant
  const answer = await stage.app.request(`/api/v1/payments/${payment.id}/refunds`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': apiKey, 'X-API-Secret': apiSecret },
    body: JSON.stringify({ address: '0x90F79bf6EB2c4f870365E785982E1f101E93b906' }),
  })
  const { refund } = (await answer.json()) as { refund: { id: string; call: typeof payment.contractCall } }
  const { transactionHash } = await stage.pay({ ...payment, contractCall: refund.call })
  await settleDown()
  const differences = async () =>
    (await reconcile()).differences
      .filter(({ message }) => message.includes(refund.id))
      .map(({ code, txId }) => [code, txId])
  expect(await differences()).toEqual([])
  const lost = `0x${'0d'.repeat(32)}`
  const change = (field: 'tx_id' | 'amount', value: string) =>
    stage.db.write((tx) =>
      tx.run(
        field === 'tx_id'
          ? sql`update transfers set tx_id = ${value} where payment_id = ${refund.id}`
          : sql`update transfers set amount = ${value} where payment_id = ${refund.id}`,
      ),
    )
  await change('tx_id', lost)
  expect(await differences()).toEqual([
    ['merchant_refund_not_on_chain', lost],
    ['merchant_refund_not_in_books', transactionHash],
  ])
  await change('tx_id', transactionHash)
  await change('amount', '24000000')
  expect(await differences()).toEqual([
    ['transfer_differs', transactionHash],
    ['sum_differs', null],
    ['sum_differs', null],
  ])
  await change('amount', '25000000')
  expect(await differences()).toEqual([])
})
