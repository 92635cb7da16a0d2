import { testTronUsdt } from '@stablecoin-checkout/rig/devnet/tokens.generated'
import { honest } from '@stablecoin-checkout/rig/devnet/tron/tron-view'
import { openTronStage, type TronStage, tronConfirmations } from '@stablecoin-checkout/rig/tron-stage'
import { type Address, createWalletClient, http } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { settlementOf } from '../../checkout/wire/settlement-view.ts'
import { systemRuntime } from '../../core/runtime.ts'
import { sql } from '../../db/db.ts'
import { reconcileNetwork } from '../../ops/reconcile/reconcile.ts'
import { outcomeOf } from '../../payment/payment.ts'
import { addressHex, tronAddressOf } from '../event-topic.ts'

let stage: TronStage

beforeAll(async () => {
  stage = await openTronStage()
})

beforeEach(() => {
  for (const { switches } of stage.nodes) Object.assign(switches, honest())
})

afterAll(() => stage.close())

/** Mines until the transfers in the newest blocks are final and counted. */
async function finalize(): Promise<void> {
  await stage.mine(tronConfirmations)
  await stage.watch()
  // A transfer already seen at the required depth counts with the next block.
  await stage.mine(1)
  await stage.watch()
}

test('the exact amount, in a final block, pays the deposit and is settled with the transfer', async () => {
  const { id, address } = await stage.deposit()
  expect(address).toMatch(/^T.{33}$/)
  await stage.watch()
  const { transactionHash } = await stage.pay(address, 25_000_000n)
  await stage.watch()
  expect(await stage.load(id)).toMatchObject({ seen: 25_000_000n, received: 0n, status: 'pending' })
  await finalize()
  const paid = await stage.load(id)
  expect(paid).toMatchObject({ received: 25_000_000n, status: 'swept', lastTxId: transactionHash.slice(2) })
  expect(settlementOf(paid).state).toBe('settled')
})

test('depth alone is not enough: the node must report the block as final', async () => {
  const { id, address } = await stage.deposit()
  const { blockNumber } = await stage.pay(address, 25_000_000n)
  for (const { switches } of stage.nodes) switches.solidified = Number(blockNumber) - 1
  await finalize()
  expect(outcomeOf(await stage.load(id))).toBe('pending')
  for (const { switches } of stage.nodes) switches.solidified = Number(blockNumber)
  await stage.mine(1)
  await stage.watch()
  expect(outcomeOf(await stage.load(id))).toBe('paid')
})

test('a partial amount and then the rest, and too much', async () => {
  const short = await stage.deposit()
  const over = await stage.deposit()
  await stage.pay(short.address, 10_000_000n)
  await stage.pay(over.address, 30_000_000n)
  await finalize()
  expect(await stage.load(short.id)).toMatchObject({ received: 10_000_000n, status: 'pending' })
  expect(await stage.load(over.id)).toMatchObject({ received: 30_000_000n, status: 'swept' })
  await stage.pay(short.address, 15_000_000n)
  await finalize()
  expect(await stage.load(short.id)).toMatchObject({ received: 25_000_000n, status: 'swept' })
})

test('two concurrent payments have different addresses, and each gets its money', async () => {
  const [one, two] = await Promise.all([stage.deposit('1.00'), stage.deposit('2.00')])
  expect(one.address).not.toBe(two.address)
  await stage.pay(two.address, 2_000_000n)
  await stage.pay(one.address, 1_000_000n)
  await finalize()
  expect((await stage.load(one.id)).received).toBe(1_000_000n)
  expect((await stage.load(two.id)).received).toBe(2_000_000n)
})

test('another token pays nothing', async () => {
  const { id, address } = await stage.deposit()
  const other = await stage.deployToken()
  await stage.pay(address, 25_000_000n, other)
  await finalize()
  expect(await stage.load(id)).toMatchObject({ seen: 0n, received: 0n, status: 'pending' })
})

test('a transfer in a block that a fork replaces is undone, and counts where it lands again', async () => {
  const { id, address } = await stage.deposit()
  await stage.mine(2)
  await stage.watch()
  await stage.pay(address, 25_000_000n)
  await stage.mine(1)
  await stage.watch()
  expect((await stage.load(id)).seen).toBe(25_000_000n)
  await stage.reorg(2)
  await stage.mine(1)
  await stage.watch()
  expect((await stage.load(id)).seen).toBe(0n)
  await stage.pay(address, 25_000_000n)
  await finalize()
  expect(await stage.load(id)).toMatchObject({ received: 25_000_000n, status: 'swept' })
})

test('a restart between transfer and finality loses nothing and counts nothing twice', async () => {
  const { id, address } = await stage.deposit()
  await stage.pay(address, 25_000_000n)
  await stage.watch()
  stage.restart()
  await finalize()
  expect(await stage.load(id)).toMatchObject({ received: 25_000_000n, status: 'swept' })
})

test('a payment whose token was removed from the configuration is paid, and its balance is read', async () => {
  const { id, address } = await stage.deposit()
  const [usdt] = stage.network.tokens
  const other = tronAddressOf(await stage.deployToken())
  stage.restart({ tokens: stage.network.tokens.map((token) => ({ ...token, address: other })) })
  try {
    await stage.pay(address, 25_000_000n)
    await finalize()
    expect(await stage.load(id)).toMatchObject({ received: 25_000_000n, status: 'swept' })
    const token = String(usdt?.address.toLowerCase())
    expect(await stage.adapter().balances(token, [address], 0, new AbortController().signal)).toEqual([25_000_000n])
  } finally {
    stage.restart()
  }
})

test('a transfer that the first node omits is found by the second', async () => {
  const { id, address } = await stage.deposit()
  const [first] = stage.nodes
  if (first) first.switches.omits = () => true
  await stage.pay(address, 25_000_000n)
  await stage.watch()
  expect((await stage.load(id)).seen).toBe(25_000_000n)
  await finalize()
  expect(outcomeOf(await stage.load(id))).toBe('paid')
})

test('a transfer that the second node lacks does not count until it has it', async () => {
  const { id, address } = await stage.deposit()
  const { transactionHash } = await stage.pay(address, 25_000_000n)
  const [, second] = stage.nodes
  if (second) second.switches.denies = transactionHash
  await finalize()
  expect(await stage.load(id)).toMatchObject({ seen: 25_000_000n, received: 0n })
  if (second) second.switches.denies = null
  await stage.mine(1)
  await stage.watch()
  expect(outcomeOf(await stage.load(id))).toBe('paid')
})

test.each([0, 1])('a transfer whose amount is changed by node %i of two counts once they agree', async (lying) => {
  const { id, address } = await stage.deposit()
  await stage.pay(address, 25_000_000n)
  const node = stage.nodes[lying]
  if (node) node.switches.alters = (log) => ({ ...log, data: `0x${'1'.padStart(64, '0')}` })
  await stage.watch()
  await finalize()
  await stage.pass()
  expect(await stage.load(id)).toMatchObject({ received: 0n, status: 'pending' })
  if (node) Object.assign(node.switches, honest())
  // The next attempt to read the block is due immediately.
  stage.restart()
  await finalize()
  await stage.pass()
  await stage.mine(1)
  await stage.watch()
  expect(await stage.load(id)).toMatchObject({ received: 25_000_000n, status: 'swept' })
})

test.each([0, 1])('a transfer that node %i of two numbers differently counts once', async (differing) => {
  const { id, address } = await stage.deposit()
  const { switches } = stage.nodes[differing] ?? { switches: honest() }
  switches.alters = (log) => ({ ...log, logIndex: `0x${(Number(log.logIndex) + 5).toString(16)}` })
  await stage.pay(address, 25_000_000n)
  await finalize()
  expect(await stage.load(id)).toMatchObject({ seen: 25_000_000n, received: 25_000_000n, status: 'swept' })
})

test('a transfer counts whose log both nodes number differently in lists and in receipts', async () => {
  const { id, address } = await stage.deposit()
  for (const { switches } of stage.nodes)
    switches.lists = (log) => ({ ...log, logIndex: `0x${(Number(log.logIndex) + 1).toString(16)}` })
  await stage.pay(address, 25_000_000n)
  await finalize()
  expect(await stage.load(id)).toMatchObject({ seen: 25_000_000n, received: 25_000_000n, status: 'swept' })
})

test('a second node that is behind or down blocks no payment', async () => {
  const [, second] = stage.nodes
  const { id, address } = await stage.deposit()
  if (second) second.switches.lagBlocks = 40
  await stage.pay(address, 25_000_000n)
  await finalize()
  expect(outcomeOf(await stage.load(id))).toBe('paid')
  const other = await stage.deposit()
  if (second) second.switches.isDown = true
  await stage.pay(other.address, 25_000_000n)
  await finalize()
  expect(outcomeOf(await stage.load(other.id))).toBe('paid')
})

test('a wallet payment is refused, since Tron has no contract for it', async () => {
  const response = await stage.app.request('/api/v1/payments/create', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Public-Key': stage.merchant.publicKey, 'Idempotency-Key': 'a' },
    body: JSON.stringify({ amount: '1.00', currency: 'USDT', network: 'tron' }),
  })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ code: 'NETWORK_NOT_SUPPORTED' })
})

/** A transfer of USDT from an address of the merchant's wallet, which has no TRX here. */
async function payFrom(from: string, to: string, amount: bigint): Promise<void> {
  const account = addressHex(from) as Address
  const wallet = createWalletClient({ chain: stage.chain.chain, transport: http(stage.rpcUrl), account })
  await stage.chain.setBalance({ address: account, value: 10n ** 24n })
  await stage.chain.impersonateAccount({ address: account })
  const args = [addressHex(to) as Address, amount] as const
  await wallet.writeContract({ address: stage.usdt, abi: testTronUsdt.abi, functionName: 'transfer', args })
  await stage.mine(1)
}

const differences = async (network = stage.network) => {
  const period = { kind: 'all' } as const
  const { db, networks } = stage
  const deps = { db, networks, runtime: systemRuntime, period, onProgress: () => undefined }
  return (await reconcileNetwork(deps, network, new AbortController().signal)).differences
}

test('a refund is paid from the address that the customer paid to, and the books agree with the chain', async () => {
  const { id, address } = await stage.deposit()
  await stage.pay(address, 25_000_000n)
  await finalize()
  const { apiKey, apiSecret } = stage.merchant
  const to = tronAddressOf(stage.customer.address)
  const response = await stage.app.request(`/api/v1/payments/${id}/refunds`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': apiKey, 'X-API-Secret': apiSecret },
    body: JSON.stringify({ amount: '5.00', address: to }),
  })
  expect(response.status).toBe(200)
  const { refund } = (await response.json()) as { refund: { id: string } }
  // Only the merchant's own addresses pay a refund.
  await payFrom(address, to, 5_000_000n)
  await finalize()
  expect(await stage.load(id)).toMatchObject({ refundedByMerchant: 5_000_000n })
  expect(await differences()).toEqual([])
  expect(await differences({ ...stage.network, tokens: [] })).toEqual([])
  const lost = '77'.repeat(32)
  await stage.db.write((tx) => tx.run(sql`update transfers set tx_id = ${lost} where payment_id = ${refund.id}`))
  expect(await differences()).toMatchObject([{ code: 'merchant_refund_not_on_chain', txId: lost }])
})
