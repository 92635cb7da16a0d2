import {
  type ContractStage,
  type Created,
  confirmations,
  openContractStage,
} from '@stablecoin-checkout/rig/contract-stage'
import { testUsdc } from '@stablecoin-checkout/rig/devnet/tokens.generated'
import { type LyingNode, openLyingNode } from '@stablecoin-checkout/rig/lying-node'
import { encodeFunctionData, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { silentLog } from '../../../core/log.ts'
import type { MerchantRefundId } from '../../../payment/merchant-refund.ts'
import { createEvmAdapter } from '../rpc/evm-adapter.ts'
import { createNonceReader, createPromptCheck } from '../submit/check-prompt.ts'

/** Of 20.00 and more. */
const wanted = 6
const never = new AbortController().signal

let stage: ContractStage
let liar: LyingNode
let truth: string
beforeAll(async () => {
  stage = await openContractStage({ highValue: { amount: '20', confirmations: wanted } })
  truth = String(stage.network.rpcUrls[0])
  liar = await openLyingNode(truth)
})
afterAll(async () => {
  await liar.close()
  await stage.close()
})

type Refund = { id: string; status: string; address: string; paid: string; call: Created['contractCall'] }

async function ask(path: string, body?: unknown): Promise<Refund> {
  const { apiKey, apiSecret } = stage.merchant
  const response = await stage.app.request(`/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': apiKey, 'X-API-Secret': apiSecret },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return ((await response.json()) as { refund: Refund }).refund
}

async function watchBy(watcher: ReturnType<ContractStage['otherWatcher']>): Promise<void> {
  for (let passes = 0; passes < 5; passes++) await watcher.pass(never)
}

/** A payment that its customer has paid, final. */
async function paidPayment(amount: string): Promise<Created> {
  // A watcher begins with the newest block.
  await stage.watch()
  const payment = await stage.create({ amount })
  await stage.pay(payment)
  // Seen in one block, and asked for again in a later one.
  await stage.watch()
  await stage.chain.mine({ blocks: wanted })
  await stage.watch()
  expect((await stage.load(payment.id)).status).toBe('completed')
  return payment
}

test('a high-value refund is paid with its own confirmations, once two nodes have it', async () => {
  const payment = await paidPayment('45.00')
  const address = privateKeyToAccount(generatePrivateKey()).address
  const [high, low] = [
    await ask(`/payments/${payment.id}/refunds`, { amount: '25.00', address }),
    await ask(`/payments/${payment.id}/refunds`, { amount: '19.99', address }),
  ]
  for (const { call } of [high, low]) await stage.pay({ ...payment, contractCall: call })
  const watcher = stage.otherWatcher({ rpcUrls: [truth, liar.url] })
  await stage.chain.mine({ blocks: wanted - 2 })
  await watchBy(watcher)
  expect(await ask(`/refunds/${high.id}`)).toMatchObject({ status: 'confirming', paid: '0.00' })
  expect(await ask(`/refunds/${low.id}`)).toMatchObject({ status: 'paid', paid: '19.99' })
  liar.lie('eth_getTransactionReceipt', () => null)
  await stage.chain.mine({ blocks: wanted })
  await watchBy(watcher)
  expect(await ask(`/refunds/${high.id}`)).toMatchObject({ status: 'confirming', paid: '0.00' })
  liar.mend()
  await stage.chain.mine({ blocks: 1 })
  await watchBy(watcher)
  expect(await ask(`/refunds/${high.id}`)).toMatchObject({ status: 'paid', paid: '25.00' })
})

describe('the end of a wallet prompt', () => {
  const runtime = { nowMs: Date.now }
  const { address } = privateKeyToAccount(generatePrivateKey())
  let refundId: string | undefined
  // The watcher reads blocks while something is watched.
  beforeEach(async () => void (await stage.create()))
  afterEach(() => liar.mend())

  function adapterOf(other: string) {
    const network = { ...stage.network, rpcUrls: [liar.url, other] }
    return { network, adapter: createEvmAdapter(network, { nowMs: Date.now, log: silentLog, callTimeoutMs: 1_000 }) }
  }

  /** Whether it is over, by the node that lies and by `other`. @param required - Of a high-value refund. */
  async function isOver(
    prompt: { nonce?: number; txId?: string; deadlineMs?: number },
    other: string,
    required = true,
  ) {
    const { db } = stage
    refundId ??= (await ask(`/payments/${(await paidPayment('45.00')).id}/refunds`, { amount: '25.00', address })).id
    const { network, adapter } = adapterOf(other)
    const asked = {
      refundId: refundId as MerchantRefundId,
      askedAtMs: Date.now(),
      account: stage.merchantAccount.address,
      nonce: prompt.nonce ?? null,
      txId: prompt.txId ?? null,
      deadlineMs: prompt.deadlineMs ?? null,
      confirmations: required ? wanted : null,
    }
    return createPromptCheck({ db, network, adapter, runtime })(asked, never)
  }
  const sent = { txId: `0x${'ab'.repeat(32)}`, nonce: 1_000 }
  const noNode = 'http://127.0.0.1:1'
  /** The block's time is an hour later. */
  const hasten = () =>
    liar.lie('eth_getBlockByNumber', (block) => {
      const { timestamp, ...others } = block as { timestamp: string }
      return { ...others, timestamp: `0x${(Number(timestamp) + 3_600).toString(16)}` }
    })

  test('must be proven by two nodes for a high-value refund: by a nonce', async () => {
    await stage.watch()
    expect(await isOver(sent, truth)).toBe(false)
    liar.lie('eth_getTransactionCount', () => '0x3e9')
    expect(await isOver(sent, truth), 'one node that lies').toBe(false)
    expect(await isOver(sent, noNode), 'while the other is down').toBe(false)
    expect(await isOver(sent, truth, false), 'below the high value one node is believed').toBe(true)
    await stage.chain.setNonce({ address: stage.merchantAccount.address, nonce: 1_001 })
    await stage.chain.mine({ blocks: wanted })
    await stage.watch()
    expect(await isOver(sent, truth)).toBe(true)
  })

  test('requires the nonce from two nodes: an older one would end it while the transaction waits', async () => {
    const { transactionHash: txId, from: account } = await stage.send({ to: stage.customer.address, data: '0x' })
    const { nonce } = await stage.chain.getTransaction({ hash: txId })
    const nonceOf = (other: string, isHighValue = true) =>
      createNonceReader(adapterOf(other))({ txId, account, isHighValue }, never)
    expect(await nonceOf(truth)).toBe(nonce)
    expect(await nonceOf(noNode), 'while the other is down').toBeNull()
    liar.lie('eth_getTransactionByHash', (sent) => ({ ...(sent as object), nonce: '0x0' }))
    expect(await nonceOf(truth)).toBeNull()
    expect(await nonceOf(truth, false)).toBe(0)
  })

  test('must be proven by two nodes for a high-value refund: by a reverted transaction', async () => {
    const reverted = await stage.send({ to: String(stage.network.tokens[0]?.address), data: '0x12345678' })
    const paid = await stage.send({ to: stage.customer.address, data: '0x' })
    await stage.chain.mine({ blocks: wanted })
    await stage.watch()
    liar.lie('eth_getTransactionReceipt', (receipt) => ({ ...(receipt as object), status: '0x0' }))
    expect(await isOver({ txId: paid.transactionHash }, truth)).toBe(false)
    expect(await isOver({ txId: reverted.transactionHash }, noNode)).toBe(false)
    expect(await isOver({ txId: reverted.transactionHash }, truth)).toBe(true)
  })

  test('of a deadline', async () => {
    await stage.chain.mine({ blocks: wanted })
    await stage.watch()
    const deep = (await stage.chain.getBlockNumber()) - BigInt(wanted) + 1n
    const { timestamp } = await stage.chain.getBlock({ blockNumber: deep })
    const deadlineMs = Number(timestamp) * 1_000
    hasten()
    expect(await isOver({ deadlineMs }, truth)).toBe(false)
    expect(await isOver({ deadlineMs: deadlineMs - 1_000 }, noNode)).toBe(false)
    expect(await isOver({ deadlineMs: deadlineMs - 1_000 }, truth)).toBe(true)
  })
})

describe('a prompt for a high-value refund whose transaction was replaced is not over while one node hides the payment', () => {
  const account = () => stage.merchantAccount.address
  const token = () => stage.network.tokens[0]?.address as Hex
  const tokenCall = (functionName: 'mint' | 'transfer', to: Hex) =>
    encodeFunctionData({ abi: testUsdc.abi, functionName, args: [to, 25_000_000n] })

  beforeAll(async () => {
    await stage.chain.setBalance({ address: account(), value: 10n ** 19n })
    await stage.send({ to: token(), data: tokenCall('mint', account()) }, stage.tokenOwner)
    await stage.send({ to: token(), data: tokenCall('mint', account()) }, stage.tokenOwner)
  })
  afterEach(() => liar.mend())

  const cases: [string, (refund: Refund) => { to: string; data: Hex }[]][] = [
    ['by the splitter', ({ call }) => [call.approval, { to: call.contractAddress, data: call.before.data }]],
    ['by a transfer', ({ address }) => [{ to: token(), data: tokenCall('transfer', address as Hex) }]],
  ]
  test.each(cases)('%s', async (_, callsOf) => {
    const payment = await paidPayment('45.00')
    const address = privateKeyToAccount(generatePrivateKey()).address
    const refund = await ask(`/payments/${payment.id}/refunds`, { amount: '25.00', address })
    await ask('/refunds/prompts', { refundIds: [refund.id], account: account() })
    const calls = callsOf({ ...refund, address })
    const isOver = () => {
      const network = { ...stage.network, rpcUrls: [liar.url, truth] }
      const adapter = createEvmAdapter(network, { nowMs: Date.now, log: silentLog, callTimeoutMs: 1_000 })
      const prompt = {
        refundId: refund.id as MerchantRefundId,
        account: account(),
        nonce,
        txId: `0x${'cd'.repeat(32)}`,
        deadlineMs: null,
        askedAtMs: Date.now(),
        confirmations: wanted,
      }
      return createPromptCheck({ db: stage.db, network, adapter, runtime: { nowMs: Date.now } })(prompt, never)
    }
    const nonce = (await stage.chain.getTransactionCount({ address: account() })) + calls.length - 1
    liar.lie('eth_getLogs', () => [])
    for (const method of ['eth_getBlockByNumber', 'eth_getBlockByHash'])
      liar.lie(method, (block) => block && { ...block, logsBloom: `0x${'00'.repeat(256)}` })
    const fooled = stage.otherWatcher({ rpcUrls: [liar.url, truth] })
    for (const call of calls) await stage.send(call, stage.merchantAccount)
    await stage.chain.mine({ blocks: wanted })
    await watchBy(fooled)
    expect(await ask(`/refunds/${refund.id}`)).toMatchObject({ status: 'to_pay', paid: '0.00' })
    expect(await isOver(), 'while one node hides it').toBe(false)
    liar.mend()
    expect(await isOver(), 'while it is not stored').toBe(false)
  })
})

// Last: the chain's clock is ahead of the service's from here on.
test('a prompt for a high-value refund is over only with its own confirmations', async () => {
  const payment = await paidPayment('45.00')
  const address = privateKeyToAccount(generatePrivateKey()).address
  const [high, low] = [
    await ask(`/payments/${payment.id}/refunds`, { amount: '25.00', address }),
    await ask(`/payments/${payment.id}/refunds`, { amount: '19.00', address }),
  ]
  await ask('/refunds/prompts', { refundIds: [high.id, low.id], account: stage.merchantAccount.address })
  await stage.chain.increaseTime({ seconds: 2 * 3_600 })
  await stage.chain.mine({ blocks: confirmations })
  await stage.watch()
  expect(await ask(`/refunds/${low.id}`)).toMatchObject({ prompt: null })
  expect(await ask(`/refunds/${high.id}`)).toMatchObject({ prompt: { account: stage.merchantAccount.address } })
  await stage.chain.mine({ blocks: wanted - confirmations })
  await stage.watch()
  expect(await ask(`/refunds/${high.id}`)).toMatchObject({ prompt: null })
})
