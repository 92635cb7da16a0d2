import { mintTestTokens } from '@stablecoin-checkout/rig/devnet/solana/tokens'
import { type LyingNode, openLyingNode } from '@stablecoin-checkout/rig/lying-node'
import { openSolanaStage, type SolanaStage } from '@stablecoin-checkout/rig/solana-stage'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { setMerchant } from '../../../merchant/accounts.ts'
import { parseGasLimit } from '../../../merchant/merchant-settings.ts'

const shares = { merchant: 24_625_000n, platform: 375_000n }
const aboutAMinuteMs = 60_000
let stage: SolanaStage

beforeEach(async () => {
  stage = await openSolanaStage()
})

afterEach(() => stage.close())

test("a wallet payment is made by the wallet's transaction, and process responds when it is finalized", async () => {
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

test('a payment is detected although the customer closed the page, with calls independent of the number of open payments', async () => {
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

test('payments made while the service was down are found at the next start, with calls independent of the number of open payments', async () => {
  const { solana } = stage
  const [before, first, second] = [await stage.create(), await stage.create(), await stage.create()]
  await stage.pay(before.id)
  await solana.advance(4)
  await stage.find()
  expect(await stage.stored(before.id)).toMatchObject({ status: 'completed' })

  await stage.pay(first.id)
  await solana.advance(4)
  for (let others = 0; others < 20; others += 1) await stage.create()
  await stage.pay(second.id)
  // Others follow, so that it is not the merchant's newest transaction.
  await stage.sendPlain({ merchant: 1n, platform: 1n })
  await solana.advance(4)
  stage.restartSplitWatcher()
  await stage.find()
  expect(await stage.stored(first.id)).toMatchObject({ status: 'completed' })
  expect(await stage.stored(second.id)).toMatchObject({ status: 'completed' })

  stage.restartSplitWatcher()
  const asked = stage.calls()
  await stage.find()
  // The head, the balance, and later transactions of the account.
  expect(stage.calls() - asked).toBe(3)
})

test('a payment to an account that was never read is found, without reading older transactions', async () => {
  const { solana } = stage
  for (let older = 0; older < 5; older += 1) await stage.sendPlain({ merchant: 1n, platform: 1n })
  await solana.control('travel', 3_600)
  await solana.advance(4)
  stage.later(3_600_000)
  const payment = await stage.create()
  await stage.pay(payment.id)
  await stage.sendPlain({ merchant: 1n, platform: 1n })
  await solana.advance(4)
  const asked = stage.calls()
  await stage.find()
  expect(await stage.stored(payment.id)).toMatchObject({ status: 'completed' })
  // The head, the balance, the list, two transactions, and the paying one again to verify it.
  expect(stage.calls() - asked).toBe(6)
})

test('a payment that was not final, or could not be verified, when the service stopped is paid after the next start', async () => {
  await stage.close()
  const nodes: LyingNode[] = []
  stage = await openSolanaStage({
    async nodes(truth) {
      nodes.push(await openLyingNode(truth))
      return nodes.map(({ url }) => url)
    },
  })
  const { solana } = stage
  const [unverified, seen] = [await stage.create(), await stage.create()]
  await stage.pay(unverified.id)
  const slot = await solana.connection.getSlot('processed')
  // While the block has no time, it is unknown whether the payment was made in its window.
  nodes[0]?.lie('getTransaction', (truth) => truth && { ...truth, blockTime: null })
  nodes[0]?.lie('getBlockTime', (truth, [of]) => (of === slot ? null : truth))
  await solana.advance(5)
  await stage.pay(seen.id)
  await solana.advance(1)
  await stage.find()
  expect(await stage.stored(unverified.id)).toMatchObject({ status: 'pending', seen: 0n })
  expect(await stage.stored(seen.id)).toMatchObject({ status: 'pending', seen: 25_000_000n })
  nodes[0]?.mend()
  await solana.advance(4)
  stage.restartSplitWatcher()
  await stage.find()
  expect(await stage.stored(unverified.id)).toMatchObject({ status: 'completed' })
  expect(await stage.stored(seen.id)).toMatchObject({ status: 'completed' })
  await nodes[0]?.close()
})

test('a fork undoes a detected payment, and the transaction pays once when it lands again', async () => {
  const { solana } = stage
  const payment = await stage.create()
  await solana.advance(2)
  const transaction = await stage.handOut(payment.id)
  transaction.sign(solana.customer)
  const signature = await solana.connection.sendRawTransaction(transaction.serialize())
  await solana.advance(1)
  await stage.find()
  expect(await stage.stored(payment.id)).toMatchObject({ seen: 25_000_000n })

  await solana.control('fork', 2)
  await stage.find()
  // It is not known yet whether it lands on the other fork.
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

test('a payment that a fork replaces with another is detected, although the balance stays the same', async () => {
  const [first, second] = [await stage.create(), await stage.create()]
  await stage.find()
  await stage.solana.advance(2)
  await stage.pay(first.id)
  await stage.solana.advance(1)
  await stage.find()
  expect(await stage.stored(first.id)).toMatchObject({ seen: 25_000_000n })
  await stage.solana.control('fork', 2)
  await stage.solana.advance(1)
  await stage.pay(second.id)
  await stage.solana.advance(5)
  await stage.find()
  expect(await stage.stored(second.id)).toMatchObject({ status: 'completed' })
  expect(await stage.stored(first.id)).toMatchObject({ status: 'pending', seen: 0n })
})

test('only blocks that were read end a window: payments made in it do not expire, the others do', async () => {
  const [paid, unpaid] = [await stage.create(), await stage.create()]
  await stage.find()
  await stage.pay(paid.id)
  await stage.solana.control('travel', 1_801)
  await stage.solana.advance(1)
  await stage.find()
  // A fork could still replace the slots after the window.
  expect(await stage.stored(paid.id)).toMatchObject({ status: 'pending', seen: 25_000_000n, windowEnded: false })
  expect(await stage.events(unpaid.id)).toEqual(['payment.created'])
  await stage.solana.advance(4)
  await stage.find()
  expect(await stage.events(unpaid.id)).toEqual(['payment.created', 'payment.expired'])
  expect(await stage.events(paid.id)).toEqual(['payment.created', 'payment.detected', 'payment.completed'])
})

test('a transaction made for one payment pays no other, whoever sends it', async () => {
  const [theirs, mine] = [await stage.create(), await stage.create()]
  const signature = await stage.pay(theirs.id)
  await stage.solana.advance(5)
  const senderAddress = stage.solana.customer.publicKey.toBase58()
  const { body } = await stage.process(mine.id, signature, { senderAddress })
  expect(body).toMatchObject({ code: 'ALREADY_USED' })
  await stage.find()
  expect(await stage.stored(theirs.id)).toMatchObject({ status: 'completed' })
})

test('recipients need no token account in advance: the customer creates missing ones only', async () => {
  const payment = await stage.create()
  expect((await stage.handOut(payment.id)).instructions).toHaveLength(4)
  await stage.pay(payment.id)
  await stage.solana.advance(1)
  expect((await stage.handOut((await stage.create()).id)).instructions).toHaveLength(2)
})

test('a wallet with too little, or none of the token, is refused before it signs', async () => {
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

test('a deposit is paid by the customer’s own transaction: its open amount, and its account if missing', async () => {
  const { solana, post } = stage
  const account = solana.customer.publicKey.toBase58()
  const payment = await stage.createDeposit()
  const own = { feePayer: 'customer' }
  const handed = await stage.handOut(payment.id, solana.customer, own)
  expect([handed.feePayer?.toBase58(), handed.instructions.length]).toEqual([account, 2])
  await stage.pay(payment.id, own)
  await solana.advance(1)
  await stage.watch()
  expect(await stage.stored(payment.id)).toMatchObject({ status: 'pending', seen: 25_000_000n })
  const again = await post(`/payments/solana-pay/${payment.id}`, { account, ...own })
  expect(again.body).toMatchObject({ code: 'ALREADY_PAID' })
  await solana.advance(4)
  await stage.watch()
  expect(await stage.stored(payment.id)).toMatchObject({ received: 25_000_000n })

  const partly = await stage.createDeposit()
  await mintTestTokens(solana.connection, solana.tokenOwner, {
    ...{ mint: stage.mint().toBase58(), to: partly.depositAddress, amount: 10_000_000n },
  })
  await solana.advance(1)
  await stage.watch()
  const rest = await post(`/payments/solana-pay/${partly.id}`, { account, ...own })
  expect(rest.body).toMatchObject({ message: '15.00 USDC to Corner Coffee' })
  await stage.pay(partly.id, own)
  await solana.advance(1)
  await stage.watch()
  expect(await stage.stored(partly.id)).toMatchObject({ seen: 25_000_000n })
})

test('the service as fee payer is refused where it pays no fees, and so is any other fee payer', async () => {
  const account = stage.solana.customer.publicKey.toBase58()
  const { id } = await stage.createDeposit()
  const ask = async (more: object) => (await stage.post(`/payments/solana-pay/${id}`, { account, ...more })).body
  expect(await ask({})).toMatchObject({ code: 'NOT_A_SOLANA_PAYMENT' })
  expect(await ask({ feePayer: 'service' })).toMatchObject({ code: 'NOT_A_SOLANA_PAYMENT' })
  expect((await ask({ feePayer: 'nobody' }))['message']).toBe('feePayer must be one of service, customer')
})

test('no transaction is created for a payment that has ended, is being confirmed or is a test, or a deposit of another kind', async () => {
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

test('invalid accounts, signatures and senders are refused with the field’s name', async () => {
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

test('an expired transaction never pays, and the next one does', async () => {
  const { solana } = stage
  const payment = await stage.create()
  const expired = await stage.handOut(payment.id)
  expired.sign(solana.customer)
  await solana.control('expireBlockhashes')
  await expect(solana.connection.sendRawTransaction(expired.serialize())).rejects.toThrow('Blockhash not found')
  const signature = await stage.pay(payment.id)
  await solana.advance(5)
  expect((await stage.process(payment.id, signature)).status).toBe(200)
})

test('no transaction with the service’s fee payer is created while the merchant has disabled it', async () => {
  await stage.close()
  stage = await openSolanaStage({ signatureGas: { coinPrice: '50', perPayer: 3, perAddress: 5, dailyBudget: '1' } })
  const { ask, post, db, merchant } = stage
  const setGas = (text: string) => setMerchant(db, merchant.merchantId, { signatureGas: parseGasLimit(text) })
  const made = [await stage.create(), await stage.createDeposit()]
  const read = async () =>
    await Promise.all(made.map(async ({ id }) => (await ask(`/payments/public/${id}`)).body.payment['sponsored']))
  expect([...made.map((payment) => payment['sponsored']), ...(await read())]).toEqual(Array(4).fill(true))
  await setGas('off')
  // A key's settings may be a second old.
  stage.later(1_000)
  const later = [await stage.create(), await stage.createDeposit()]
  expect([...later.map((payment) => payment['sponsored']), ...(await read())]).toEqual(Array(4).fill(undefined))
  const account = stage.solana.customer.publicKey.toBase58()
  for (const { id } of made) {
    const own = await post(`/payments/solana-pay/${id}`, { account, feePayer: 'customer' })
    expect([own.status, own.body]).toMatchObject([200, { transaction: expect.any(String) }])
  }
  await setGas('100,0.02,1')
  expect(await read()).toEqual([true, true])
})

test('a transaction of a newer version blocks no other payment, and pays when it can be parsed', async () => {
  const [first, second] = [await stage.create(), await stage.create()]
  let isReadable = false
  const newer: string[] = []
  stage.restartSplitWatcher({
    async transaction(signature, ...rest) {
      if (!isReadable && newer.includes(signature)) {
        throw new Error('Transaction version (1) is not supported by the requesting client')
      }
      return await stage.adapter.transaction(signature, ...rest)
    },
  })
  await stage.find()
  newer.push(await stage.pay(first.id))
  await stage.solana.advance(1)
  await stage.pay(second.id)
  await stage.solana.advance(4)
  for (let passes = 0; passes < 3; passes++) await stage.find()
  expect(await stage.stored(second.id)).toMatchObject({ status: 'completed' })
  expect(await stage.stored(first.id)).toMatchObject({ status: 'pending', seen: 0n })

  isReadable = true
  for (let passes = 0; passes < 3; passes++) await stage.find()
  expect(await stage.stored(first.id)).toMatchObject({ status: 'completed' })
})
