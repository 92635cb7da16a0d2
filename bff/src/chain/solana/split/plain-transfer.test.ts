import { mintTestTokens } from '@stablecoin-checkout/rig/devnet/solana/tokens'
import { openSolanaStage, type SolanaStage } from '@stablecoin-checkout/rig/solana-stage'
import { afterEach, expect, test } from 'vitest'
import { silentLog } from '../../../core/log.ts'
import { systemRuntime } from '../../../core/runtime.ts'
import { sql } from '../../../db/db.ts'
import { createSolanaSubmissions } from './verify-submission.ts'

const shares = { merchant: 24_625_000n, platform: 375_000n }
const whole = { merchant: 25_000_000n, platform: 0n }
const lenient = { lenientClients: true }
let stage: SolanaStage

afterEach(() => stage.close())

const customer = () => stage.solana.customer.publicKey.toBase58()

/** Before the token accounts of merchant and platform exist, a transaction creates them: it differs from later ones. */
async function open(options: Parameters<typeof openSolanaStage>[0]): Promise<void> {
  stage = await openSolanaStage(options)
  await stage.sendPlain({ merchant: 1n, platform: 1n })
}

/**
 * A paid and swept deposit.
 * @returns its address and the sweep's signature.
 */
async function sweepDeposit(): Promise<{ depositAddress: string; signature: string }> {
  const { solana } = stage
  const { id, depositAddress } = await stage.createDeposit()
  await mintTestTokens(solana.connection, solana.tokenOwner, {
    ...{ mint: stage.mint().toBase58(), to: depositAddress, amount: 25_000_000n },
  })
  await stage.work()
  const payment = await stage.stored(id)
  if (payment?.mode !== 'deposit' || payment.sweepTxId === null) throw new Error('The deposit was not swept')
  return { depositAddress, signature: payment.sweepTxId }
}

/** Refused permanently, without a detected transfer. */
async function expectRefused(id: string, signature: string, code: unknown = expect.any(String)): Promise<void> {
  const { status, body } = await stage.process(id, signature, { senderAddress: customer() })
  expect([status, body]).toMatchObject([400, { code, error: 'Payment verification failed', isAlreadyCompleted: false }])
  await stage.find()
  expect(await stage.stored(id as never)).toMatchObject({ status: 'pending', seen: 0n, received: 0n })
}

test.each([
  { lenientClients: false, feeBps: 150 },
  { lenientClients: true, feeBps: 150 },
  { lenientClients: true, feeBps: 0 },
])("the service's own sweep pays no contract payment, with %o", async (options) => {
  await open(options)
  const before = await stage.create()
  const { depositAddress, signature } = await sweepDeposit()
  const after = await stage.create({ senderAddress: depositAddress })
  for (const { id } of [before, after]) await expectRefused(id, signature)
})

test.each([0, 150])(
  'a sweep is refused if the deposit address was named as sender before it, with a fee of %i',
  async (feeBps) => {
    await open({ ...lenient, feeBps })
    const { solana } = stage
    const { id, depositAddress } = await stage.createDeposit()
    const payment = await stage.create({ senderAddress: depositAddress })
    const fees = await stage.create({ senderAddress: solana.operator.publicKey.toBase58() })
    await mintTestTokens(solana.connection, solana.tokenOwner, {
      ...{ mint: stage.mint().toBase58(), to: depositAddress, amount: 25_000_000n },
    })
    await stage.work()
    const deposit = await stage.stored(id)
    const signature = (deposit?.mode === 'deposit' && deposit.sweepTxId) || ''
    for (const one of [payment, fees]) await expectRefused(one.id, signature, 'OTHER_SENDER')
    // A restored database has lost its own transactions, and then the deposit too.
    await stage.db.write((tx) => tx.run(sql`update outgoing_transactions set tx_id = id`))
    await expectRefused(payment.id, signature, 'OTHER_SENDER')
    await stage.db.write((tx) => tx.run(sql`delete from solana_accounts`))
    await expectRefused(payment.id, signature, 'OTHER_SENDER')
  },
)

test.each([
  { feeBps: 150, lenientClients: false },
  { feeBps: 150, lenientClients: true },
  { feeBps: 0, lenientClients: true },
])("a stranger's plain transfers do not pay for others, with %o", async (options) => {
  await open(options)
  const before = await stage.create()
  const signature = await stage.sendPlain(options.feeBps === 0 ? whole : shares)
  await stage.solana.advance(5)
  const after = await stage.create()
  for (const { id } of [before, after]) await expectRefused(id, signature, 'OTHER_TERMS')
  // Naming the sender once the transfer is visible is too late, however soon.
  const named = await stage.create({ senderAddress: customer() })
  await expectRefused(named.id, signature, options.lenientClients ? 'OLDER_THAN_PAYMENT' : 'OTHER_TERMS')
})

test('a named sender counts only with lenientClients', async () => {
  await open({})
  const orderId = 'ignored-1'
  const payment = await stage.create({ orderId, senderAddress: customer() })
  expect((await stage.create({ orderId, senderAddress: stage.merchantWallet })).id).toBe(payment.id)
  const signature = await stage.sendPlain(shares)
  await stage.solana.advance(5)
  await expectRefused(payment.id, signature, 'OTHER_TERMS')
})

test.each([0, 150])('an older client that named its sender at create completes, with a fee of %i', async (feeBps) => {
  await open({ ...lenient, feeBps })
  const payment = await stage.create({ senderAddress: customer() })
  const signature = await stage.sendPlain(feeBps === 0 ? whole : shares)
  await stage.solana.advance(5)
  const { status, body } = await stage.process(payment.id, signature, { senderAddress: customer() })
  expect([status, body]).toMatchObject([200, { success: true, payment: { outcome: 'paid', amountReceived: '25.00' } }])
})

test('a detected transfer is not taken back because the service was restarted without lenientClients', async () => {
  await open(lenient)
  const payment = await stage.create({ senderAddress: customer() })
  const signature = await stage.sendPlain(shares)
  await stage.solana.advance(1)
  await stage.process(payment.id, signature, { senderAddress: customer() })
  expect(await stage.stored(payment.id)).toMatchObject({ status: 'pending', seen: 25_000_000n })
  await stage.solana.advance(40)
  const health = { get: () => ({ isPayable: true }) } as never
  const deps = { ...stage, health, runtime: systemRuntime, log: silentLog, feePayer: null, lenientClients: false }
  const verify = createSolanaSubmissions(deps)
  const found = { id: payment.id, txId: signature, isFound: true }
  const verified = await verify(found, new AbortController().signal).catch((error: unknown) => error)
  expect(await stage.stored(payment.id), String(verified)).toMatchObject({ status: 'completed', received: 25_000_000n })
})

test('an order can be repeated only with its own wallet: a stranger who guessed its number blocks no transfer', async () => {
  await open(lenient)
  const orderId = 'guessed-1'
  const first = await stage.create({ orderId, senderAddress: stage.merchantWallet })
  const payment = await stage.create({ orderId, senderAddress: customer() })
  expect(payment.id).not.toBe(first.id)
  expect((await stage.create({ orderId, senderAddress: customer() })).id).toBe(payment.id)
  const signature = await stage.sendPlain(shares)
  await stage.solana.advance(5)
  const { status, body } = await stage.process(payment.id, signature, { senderAddress: customer() })
  expect([status, body]).toMatchObject([200, { success: true, payment: { outcome: 'paid' } }])
})

test('a plain transfer detected before it was final is paid by the split watcher', async () => {
  await open(lenient)
  const payment = await stage.create({ senderAddress: customer() })
  const signature = await stage.sendPlain(shares)
  await stage.solana.advance(1)
  expect((await stage.process(payment.id, signature)).body).toMatchObject({ code: 'NOT_CONFIRMED' })
  await stage.solana.advance(4)
  await stage.find()
  expect(await stage.stored(payment.id)).toMatchObject({ status: 'completed' })
})

test('a plain transfer pays one payment, also for two concurrent requests, and none afterwards', async () => {
  await open(lenient)
  const senderAddress = customer()
  const [first, second] = [await stage.create({ senderAddress }), await stage.create({ senderAddress })]
  const signature = await stage.sendPlain(shares)
  await stage.solana.advance(5)
  const answers = await Promise.all([first, second].map(({ id }) => stage.process(id, signature)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
  const refused = answers.findIndex(({ status }) => status === 400)
  expect(answers[refused]?.body).toMatchObject({ code: 'ALREADY_USED' })
  const loser = refused === 0 ? first : second
  // Also after a fork has undone it: it may land again.
  await stage.db.write((tx) => tx.run(sql`update transfers set state = 'reverted'`))
  await expectRefused(loser.id, signature, 'ALREADY_USED')
})

test('a wallet that pays by the reference is paid in lenient mode too, regardless of the named sender', async () => {
  await open(lenient)
  const payment = await stage.create({ senderAddress: stage.merchantWallet })
  const signature = await stage.pay(payment.id)
  await stage.solana.advance(5)
  expect((await stage.process(payment.id, signature)).body).toMatchObject({ success: true })
})

test('a sender at create must be an address of the network, which a test payment checks without a chain', async () => {
  await open(lenient)
  const { status, body } = await stage.createAnswer({ senderAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' })
  expect([status, body['message']]).toEqual([
    400,
    'senderAddress must be an address of Solana devnet: 32 bytes in base58',
  ])
  const test = await stage.createAnswer({ senderAddress: customer() }, stage.merchant.testPublicKey)
  expect([test.status, test.body.payment]).toMatchObject([200, { isTest: true }])
})
