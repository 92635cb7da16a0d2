import { type AppFixture, openApp, order, transferTo } from '@stablecoin-checkout/rig/test-app'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { implementationAddress } from '../../chain/evm/deploy/contracts.generated.ts'
import type { EvmNetwork } from '../../core/families.ts'
import { baseUnits } from '../../core/money.ts'
import { sql } from '../../db/db.ts'
import type { PaymentId } from '../../payment/payment.ts'

const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const otherWallet = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
let bff: AppFixture

beforeAll(async () => {
  bff = await openApp()
})
afterAll(() => bff.close())

/** A page that made the payment has its client secret beside the public key. */
const request = (id: string, address: unknown, headers: Record<string, string> = {}) =>
  bff.post(`/api/v1/deposits/refund-request/${id}`, { address, clientSecret: bff.clientSecretOf(id) }, headers)

/** A page has the public key; the merchant's server sends the key and the secret alone. */
const asMerchant = async (id: string, address: string) =>
  await bff.call(`/api/v1/deposits/refund-request/${id}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...bff.keys.secret },
    body: JSON.stringify({ address }),
  })

async function newDeposit(): Promise<{ id: PaymentId; depositAddress: string }> {
  const { payment } = (await bff.create(order, { 'Idempotency-Key': crypto.randomUUID() })).body
  return { id: payment['id'] as PaymentId, depositAddress: String(payment['depositAddress']) }
}

/** A payment that received 10 of 25 and expired. */
async function expiredShort() {
  const payment = await newDeposit()
  const transfer = transferTo(payment.id, 10_000_000n)
  await bff.deps.ledger.apply(payment.id, { type: 'transfer.confirmed', transfer, atMs: bff.nowMs() })
  const blockTimeMs = bff.nowMs() + 3_600_000
  await bff.deps.ledger.apply(payment.id, { type: 'window.ended', blockTimeMs, atMs: bff.nowMs() })
  return payment
}

const queued = (id: string) =>
  bff.deps.db.read((tx) => tx.all(sql`select state from payouts where kind = 'refund' and payment_id = ${id}`))

test('what is owed asks for an address, takes it, and says how far the refund is', async () => {
  const { id } = await expiredShort()
  const owed = { amount: '10.00', amountRefunded: '0.00', txHash: null }
  const before = await bff.read(`/api/v1/payments/public/${id}`)
  expect(before.body.payment).toMatchObject({
    excessOwed: '10.00',
    refund: { ...owed, state: 'address_needed', address: null },
  })
  expect(await queued(id)).toEqual([])

  // In lower case, as many wallets copy it.
  const { status, body } = await request(id, wallet.toLowerCase())
  expect(status).toBe(200)
  expect(body.payment).toMatchObject({ refund: { ...owed, state: 'sending', address: wallet }, excessOwed: '10.00' })
  expect(await queued(id)).toEqual([{ state: 'queued' }])

  const sent = { amount: baseUnits('10000000'), txId: '0xfeed', atMs: bff.nowMs() }
  await bff.deps.ledger.apply(id, { type: 'refund.confirmed', ...sent })
  expect((await bff.read(`/api/v1/deposits/status/${id}`)).body.payment).toMatchObject({
    ...{ status: 'expired', outcome: 'failed', paymentState: 'expired_refunding', excessOwed: '0.00' },
    refund: { state: 'refunded', address: wallet, amount: '10.00', amountRefunded: '10.00', txHash: '0xfeed' },
  })
})

test('the holder of the client secret says it once, the merchant at any time, and every word is on record', async () => {
  const { id } = await expiredShort()
  expect((await request(id, wallet)).status).toBe(200)
  expect((await request(id, wallet)).status).toBe(200)
  const refused = await request(id, otherWallet)
  expect([refused.status, refused.body['code']]).toEqual([403, 'REFUND_ALREADY_REQUESTED'])

  const changed = await asMerchant(id, otherWallet)
  expect([changed.status, changed.body.payment['refund']]).toEqual([
    200,
    expect.objectContaining({ address: otherWallet }),
  ])
  const log = await bff.deps.db.read((tx) =>
    tx.all(sql`
        select address, caller_kind, caller_id from refund_requests where payment_id = ${id} order by number`),
  )
  expect(log).toEqual([
    { address: wallet, caller_kind: 'public', caller_id: bff.merchant.publicKey },
    { address: otherWallet, caller_kind: 'api', caller_id: bff.merchant.apiKey },
  ])
})

test('money is not sent into a hole', async () => {
  const { id, depositAddress } = await expiredShort()
  const { factory, splitter, tokens } = bff.deps.networks.get('devnet') as EvmNetwork
  const holes = ['nowhere', `0x${'0'.repeat(40)}`, depositAddress, factory, splitter, tokens[0]?.address, 7, undefined]
  // Another payment's address, a contract of ours that no configuration names, a token of another network.
  const elsewhere = bff.deps.networks.get('elsewhere') as EvmNetwork
  holes.push((await newDeposit()).depositAddress.toLowerCase(), implementationAddress, elsewhere.tokens[0]?.address)
  // A character of a checksummed address that was mistyped.
  holes.push(wallet.replace('C8', 'c8'))
  for (const hole of holes) {
    const { status, body } = await request(id, hole)
    expect([hole, status, body['code'], body['message']]).toEqual([
      hole,
      400,
      'VALIDATION_FAILED',
      expect.stringContaining('address'),
    ])
  }
  expect(await queued(id)).toEqual([])
})

test('where nothing is owed no address is taken', async () => {
  const { id } = await newDeposit()
  expect((await request(id, wallet)).body['code']).toBe('NOTHING_OWED')
  const transfer = transferTo(id, 10_000_000n)
  await bff.deps.ledger.apply(id, { type: 'transfer.confirmed', transfer, atMs: bff.nowMs() })
  // Still open: the rest may come.
  expect((await request(id, wallet)).body['code']).toBe('NOTHING_OWED')
})

test('a payment of somebody else is not there, and a payment whose money the service never holds says who returns it', async () => {
  const { id } = await expiredShort()
  expect((await request(id, wallet, bff.keys.stranger)).status).toBe(404)
  expect((await request(id, wallet, bff.keys.test)).status).toBe(404)

  const contract = await bff.create(order, { 'Idempotency-Key': 'contract' }, '/api/v1/payments/create')
  const byMerchant = await request(String(contract.body.payment['id']), wallet)
  expect([byMerchant.status, byMerchant.body['code']]).toEqual([400, 'REFUND_BY_MERCHANT'])
})

/** A transfer of USDT to the address of a payment in USDC: anybody can make one. */
const sendUnmatched = (id: PaymentId, block = 5) =>
  bff.deps.ledger.apply(id, {
    ...{ type: 'unmatched.measured', network: 'devnet', token: '0xusdt', currency: 'USDT', decimals: 6 },
    ...{ balance: baseUnits('1000000'), block, txId: '0xunmatched', atMs: bff.nowMs() },
  })

async function overpay(id: PaymentId) {
  const transfer = transferTo(id, 40_000_000n)
  await bff.deps.ledger.apply(id, { type: 'transfer.confirmed', transfer, atMs: bff.nowMs() })
  await bff.deps.ledger.apply(id, { type: 'sweep.confirmed', txId: '0xsweep', atMs: bff.nowMs() })
}

test('the address for a transfer that nobody asked for is never the one for what the payment owes', async () => {
  const { id } = await newDeposit()
  await sendUnmatched(id)
  const named = await request(id, otherWallet)
  expect([named.status, named.body.payment['refund']]).toEqual([200, null])
  expect(named.body.payment['unmatched']).toMatchObject([{ refund: { state: 'sending', address: otherWallet } }])

  await overpay(id)
  const { payment } = (await bff.read(`/api/v1/payments/public/${id}`)).body
  expect(payment).toMatchObject({ refund: { state: 'address_needed', address: null, amount: '15.00' } })
  expect(await queued(id)).toEqual([])
  const own = await request(id, wallet)
  expect([own.status, own.body.payment['refund']]).toEqual([
    200,
    expect.objectContaining({ state: 'sending', address: wallet }),
  ])
  // What somebody else has sent still goes back to where its sender said.
  expect(own.body.payment['unmatched']).toMatchObject([{ refund: { address: otherWallet } }])
  expect((await request(id, otherWallet)).body['code']).toBe('REFUND_ALREADY_REQUESTED')
})

test('a customer who named an address for what is owed names it once for all that came on the network', async () => {
  const { id } = await newDeposit()
  await overpay(id)
  await sendUnmatched(id)
  const { body } = await request(id, wallet)
  expect(body.payment).toMatchObject({ refund: { address: wallet }, unmatched: [{ refund: { address: wallet } }] })
})

test('the merchant’s change of address is for all that lies on the network', async () => {
  const { id } = await newDeposit()
  await sendUnmatched(id)
  expect((await request(id, otherWallet)).status).toBe(200)
  await overpay(id)
  const changed = { refund: { address: wallet }, unmatched: [{ refund: { address: wallet } }] }
  expect((await asMerchant(id, wallet)).body.payment).toMatchObject(changed)
  expect((await asMerchant(id, wallet)).body.payment).toMatchObject(changed)
})

test('where all that was owed has gone back, the merchant names another address for what may still come', async () => {
  const { id } = await expiredShort()
  await request(id, wallet)
  const amount = baseUnits('10000000')
  await bff.deps.ledger.apply(id, { type: 'refund.confirmed', amount, txId: '0xback', atMs: bff.nowMs() })
  const changed = await asMerchant(id, otherWallet)
  expect([changed.status, changed.body.payment['refund']]).toEqual([
    200,
    expect.objectContaining({ address: otherWallet }),
  ])
})

test('where unmatched money has gone back, the merchant names another address for what may still come', async () => {
  const { id } = await newDeposit()
  await sendUnmatched(id)
  expect((await request(id, wallet)).status).toBe(200)
  const returned = { network: 'devnet', token: '0xusdt', amount: baseUnits('1000000'), txId: '0xback', block: 6 }
  await bff.deps.ledger.apply(id, { type: 'unmatched.returned', ...returned, atMs: bff.nowMs() })
  const changed = await asMerchant(id, otherWallet)
  expect([changed.status, changed.body.payment['unmatched']]).toMatchObject([
    200,
    [{ refund: { address: otherWallet } }],
  ])
})

test('for unmatched money that is there no more no address is taken', async () => {
  const { id } = await newDeposit()
  await sendUnmatched(id)
  await bff.deps.ledger.apply(id, {
    ...{ type: 'unmatched.measured', network: 'devnet', token: '0xusdt', currency: 'USDT', decimals: 6 },
    ...{ balance: baseUnits('0'), block: 6, txId: null, atMs: bff.nowMs() },
  })
  expect((await request(id, wallet)).body['code']).toBe('NOTHING_OWED')
})
