import { afterEach, beforeEach, expect, test } from 'vitest'
import { mintTestTokens } from '../../../../../demo/devnet/solana/tokens.ts'
import { openSolanaStage, type SolanaStage } from '../../../../test/solana-stage.ts'

const shares = { merchant: 24_625_000n, platform: 375_000n }
const aboutAMinuteMs = 60_000
let stage: SolanaStage

beforeEach(async () => {
  stage = await openSolanaStage()
})

afterEach(() => stage.close())

test('a wallet payment is made by the transaction that the wallet asks for, and process answers when it is finalized', async () => {
  const { ask, solana } = stage
  const payment = await stage.create()
  expect(payment).toMatchObject({
    ...{ paymentMode: 'contract', amount: '25.00', feeAmount: '0.375', contractAddress: null, chainId: null },
    ...{ merchantWallet: stage.merchantWallet, platformWallet: stage.platformWallet, platformPercentage: 150 },
    paymentUri: `solana:https://pay.example/api/v1/payments/solana-pay/${payment.id}`,
    Network: { shortName: 'solana-devnet', type: 'solana' },
  })
  expect(payment['contractCall']).toBeUndefined()
  const label = await ask(`/payments/solana-pay/${payment.id}`)
  expect(label.body).toEqual({
    label: 'Corner Coffee',
    icon: 'https://pay.example/api/v1/payments/solana-pay-icon.svg',
  })
  const icon = await stage.app.request('/api/v1/payments/solana-pay-icon.svg')
  expect([icon.headers.get('content-type'), await icon.text()]).toEqual([
    'image/svg+xml',
    expect.stringMatching(/^<svg/),
  ])

  const signature = await stage.pay(payment.id)
  expect(await stage.balances()).toEqual({ merchant: 0n, platform: 0n })
  expect((await stage.process(payment.id, signature)).body).toMatchObject({ code: 'TRANSACTION_NOT_FOUND' })
  await solana.advance(1)
  const early = await stage.process(payment.id, signature)
  expect([early.status, early.body]).toMatchObject([
    400,
    { code: 'NOT_CONFIRMED', message: expect.stringMatching(/^payment not yet confirmed/), isAlreadyCompleted: false },
  ])
  expect(await stage.stored(payment.id)).toMatchObject({ status: 'pending', seen: 25_000_000n, received: 0n })
  await solana.advance(3)
  const { status, body } = await stage.process(payment.id, signature)
  expect([status, body]).toMatchObject([200, { success: true, isAlreadyCompleted: false }])
  expect(body.payment).toMatchObject({
    ...{ status: 'completed', outcome: 'paid', amountReceived: '25.00', transactionHash: signature },
    settlement: { state: 'settled' },
  })
  expect(await stage.balances()).toEqual(shares)
  expect(await stage.events(payment.id)).toEqual(['payment.created', 'payment.detected', 'payment.completed'])
  expect((await stage.process(payment.id, signature)).body).toMatchObject({ isAlreadyCompleted: true })
})

test('a customer who closes the page is seen all the same, by calls that do not grow with the open payments', async () => {
  for (let others = 0; others < 20; others += 1) await stage.create()
  const payment = await stage.create()
  await stage.find()
  await stage.pay(payment.id)
  await stage.solana.advance(1)
  await stage.find()
  expect(await stage.stored(payment.id)).toMatchObject({ status: 'pending', seen: 25_000_000n })
  await stage.solana.advance(3)
  await stage.find()
  expect(await stage.stored(payment.id)).toMatchObject({ status: 'completed', received: 25_000_000n })

  const before = stage.calls()
  await stage.find()
  expect(stage.calls() - before).toBe(2)
})

test('a payment that was made while the service was down is found by its reference at the next start', async () => {
  const payment = await stage.create()
  await stage.pay(payment.id)
  // Others follow, so that the merchant's newest transaction is not the one.
  await stage.pay((await stage.create()).id)
  await stage.solana.advance(4)
  stage.restartSplitWatcher()
  await stage.find()
  expect(await stage.stored(payment.id)).toMatchObject({ status: 'completed' })
})

test('a fork takes a seen payment back, and the transaction that lands again pays once', async () => {
  const { solana } = stage
  const payment = await stage.create()
  await solana.advance(2)
  const transaction = await stage.handOut(payment.id)
  transaction.sign(solana.customer)
  const signature = await solana.connection.sendRawTransaction(transaction.serialize())
  await solana.advance(1)
  await stage.find()
  expect(await stage.stored(payment.id)).toMatchObject({ seen: 25_000_000n })

  await solana.fate('fork', 2)
  await stage.find()
  // Nobody knows yet whether it lands on the other side.
  expect(await stage.stored(payment.id)).toMatchObject({ seen: 25_000_000n })
  await solana.advance(6)
  await stage.find()
  expect(await stage.stored(payment.id)).toMatchObject({ status: 'pending', seen: 0n, received: 0n })
  expect(await stage.balances()).toEqual({ merchant: 0n, platform: 0n })

  await solana.connection.sendRawTransaction(transaction.serialize())
  await solana.advance(5)
  await stage.find()
  expect(await stage.stored(payment.id)).toMatchObject({
    status: 'completed',
    lastTxId: signature,
    received: 25_000_000n,
  })
  expect(await stage.events(payment.id)).toEqual([
    ...['payment.created', 'payment.detected', 'payment.reorged', 'payment.detected', 'payment.completed'],
  ])
})

test('what a fork puts in the place of a payment is seen, though the balance stays the same', async () => {
  const [first, second] = [await stage.create(), await stage.create()]
  await stage.find()
  await stage.solana.advance(2)
  await stage.pay(first.id)
  await stage.solana.advance(1)
  await stage.find()
  expect(await stage.stored(first.id)).toMatchObject({ seen: 25_000_000n })
  await stage.solana.fate('fork', 2)
  await stage.solana.advance(1)
  await stage.pay(second.id)
  await stage.solana.advance(5)
  await stage.find()
  expect(await stage.stored(second.id)).toMatchObject({ status: 'completed' })
  expect(await stage.stored(first.id)).toMatchObject({ status: 'pending', seen: 0n })
})

test('a window is judged by blocks that were read: what was paid in it does not expire, and the rest does', async () => {
  const [paid, unpaid] = [await stage.create(), await stage.create()]
  await stage.find()
  await stage.pay(paid.id)
  await stage.solana.fate('travel', 1_801)
  await stage.solana.advance(1)
  await stage.find()
  expect(await stage.stored(paid.id)).toMatchObject({ status: 'pending', seen: 25_000_000n, windowEnded: true })
  expect(await stage.events(unpaid.id)).toEqual(['payment.created', 'payment.expired'])
  await stage.solana.advance(3)
  await stage.find()
  expect(await stage.events(paid.id)).toEqual(['payment.created', 'payment.detected', 'payment.completed'])
})

test('a transaction that was made for one payment pays no other, whoever sends it', async () => {
  const [theirs, mine] = [await stage.create(), await stage.create()]
  const signature = await stage.pay(theirs.id)
  await stage.solana.advance(5)
  const senderAddress = stage.solana.customer.publicKey.toBase58()
  const { body } = await stage.process(mine.id, signature, { senderAddress })
  expect(body).toMatchObject({ code: 'ALREADY_USED' })
  await stage.find()
  expect(await stage.stored(theirs.id)).toMatchObject({ status: 'completed' })
})

test('the recipients need no token account before: the customer opens them, and only those that are missing', async () => {
  const payment = await stage.create()
  expect((await stage.handOut(payment.id)).instructions).toHaveLength(4)
  await stage.pay(payment.id)
  await stage.solana.advance(1)
  expect((await stage.handOut((await stage.create()).id)).instructions).toHaveLength(2)
})

test('a wallet with too little, or none of the tokens, is told so before it signs', async () => {
  const { solana, post } = stage
  const payment = await stage.create()
  const poor = await solana.newAccount()
  const account = poor.publicKey.toBase58()
  const ask = async () => (await post(`/payments/solana-pay/${payment.id}`, { account })).body
  expect(await ask()).toMatchObject({
    code: 'INSUFFICIENT_FUNDS',
    message: 'The wallet has 0.00 of 25.00 USDC on Solana devnet.',
  })
  await mintTestTokens(solana.connection, solana.tokenOwner, {
    mint: stage.mint().toBase58(),
    to: account,
    amount: 24_999_999n,
  })
  await solana.advance(1)
  expect(await ask()).toMatchObject({ message: 'The wallet has 24.999999 of 25.00 USDC on Solana devnet.' })
})

test('nothing is handed out for a payment that is over, being confirmed, a test, or a deposit of another kind', async () => {
  const { post, solana } = stage
  const account = solana.customer.publicKey.toBase58()
  const codeOf = async (id: string) => (await post(`/payments/solana-pay/${id}`, { account })).body['code']
  const seen = await stage.create()
  await stage.pay(seen.id)
  await solana.advance(1)
  await stage.find()
  expect(await codeOf(seen.id)).toBe('ALREADY_PAID')
  await solana.advance(4)
  await stage.find()
  expect(await codeOf(seen.id)).toBe('PAYMENT_ENDED')
  const test = await stage.createAnswer({}, stage.merchant.testPublicKey)
  expect(test.body.payment).toMatchObject({ isTest: true, paymentUri: null })
  expect(await codeOf(test.body.payment.id)).toBe('TEST_PAYMENT')
  const late = await stage.create()
  stage.later(30 * aboutAMinuteMs + 1_000)
  expect(await codeOf(late.id)).toBe('PAYMENT_ENDED')
  expect(await codeOf('00000000-0000-4000-8000-000000000000')).toBe('PAYMENT_NOT_FOUND')
})

test('what is no account, no signature or no sender of Solana is refused by name', async () => {
  const payment = await stage.create()
  const account = { account: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }
  expect((await stage.post(`/payments/solana-pay/${payment.id}`, account)).body['message']).toContain('account must be')
  const hash = `0x${'ab'.repeat(32)}`
  expect((await stage.process(payment.id, hash)).body['message']).toBe(
    'transactionHash must be a signature: 64 bytes in base58',
  )
  const signature = await stage.pay(payment.id)
  const { body } = await stage.process(payment.id, signature, { senderAddress: 'nobody' })
  expect(body['message']).toBe('senderAddress must be an address of Solana devnet: 32 bytes in base58')
})

test('a transaction that expired never pays, and the next one that is handed out does', async () => {
  const { solana } = stage
  const payment = await stage.create()
  const expired = await stage.handOut(payment.id)
  expired.sign(solana.customer)
  await solana.fate('expireBlockhashes')
  await expect(solana.connection.sendRawTransaction(expired.serialize())).rejects.toThrow('Blockhash not found')
  const signature = await stage.pay(payment.id)
  await solana.advance(5)
  expect((await stage.process(payment.id, signature)).status).toBe(200)
})
