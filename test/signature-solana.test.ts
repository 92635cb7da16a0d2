import { createTransferCheckedInstruction } from '@solana/spl-token'
import {
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  Transaction,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { expect, test } from 'vitest'
import type { PaymentBody } from './harness/bff.ts'
import { expectBooksToClose } from './harness/books.ts'
import { openStory } from './harness/story.ts'
import { until } from './harness/until.ts'

const signatureGas = { coinPrice: '50' }
const story = await openStory('signature-solana', {
  solana: true,
  solanaSettings: { signatureGas },
  evmSettings: { signatureGas },
})
const { bff } = story
if (!story.onSolana) throw new Error('The story is not on Solana')
const { chain, merchant, platform } = story.onSolana

const memoProgram = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')

/** What a wallet signs beside the service's fee payer. */
async function signedTransfer({ id, depositAddress }: PaymentBody, customer: Keypair, units: bigint): Promise<string> {
  const [from, to] = [chain.accountOf(customer.publicKey.toBase58()), chain.accountOf(depositAddress)]
  const instructions = [
    ComputeBudgetProgram.setComputeUnitLimit({ units: 20_000 }),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1 }),
    createTransferCheckedInstruction(from, chain.mintOf(), to, customer.publicKey, units, 6),
    new TransactionInstruction({ programId: memoProgram, keys: [], data: Buffer.from(id) }),
  ]
  const { blockhash } = await chain.connection.getLatestBlockhash('processed')
  const payerKey = new PublicKey(chain.operator.address)
  const message = new TransactionMessage({ payerKey, recentBlockhash: blockhash, instructions }).compileToV0Message()
  const transaction = new VersionedTransaction(message)
  transaction.sign([customer])
  return Buffer.from(transaction.serialize()).toString('base64')
}

async function authorize({ id }: { id: string }, body: object) {
  const response = await fetch(`${bff.url()}/api/v1/payments/${id}/authorize`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

/**
 * The next block, once the chain has what the customer signed. It lands within 150 blocks or never: before it was sent none passes, however
 * long a busy service takes.
 */
async function blockAfterSent(customer: Keypair): Promise<void> {
  if ((await chain.units(customer.publicKey.toBase58())) === 0n) await chain.advance(1)
}

/** What the service hands out to a customer of a wallet payment that signs beside its fee payer. */
const askSponsored = (id: string, customer: Keypair) =>
  bff.ask(`/api/v1/payments/solana-pay/${id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ account: customer.publicKey.toBase58(), feePayer: 'service' }),
  })

async function signedSplit({ id }: { id: string }, customer: Keypair): Promise<string> {
  const { status, body } = await askSponsored(id, customer)
  if (status !== 200) throw new Error(`status ${status}: ${JSON.stringify(body)}`)
  const transaction = Transaction.from(Buffer.from(String(body['transaction']), 'base64'))
  transaction.partialSign(customer)
  return transaction.serialize({ requireAllSignatures: false }).toString('base64')
}

/** A customer with tokens and without a lamport, and a wallet payment that the shop's server made. Both recipients have accounts. */
async function openSplit() {
  const customer = Keypair.generate()
  await chain.pay(customer.publicKey.toBase58(), '25.00')
  for (const wallet of [merchant, platform]) await chain.pay(wallet, '1.00')
  return { customer, payment: await bff.createPayment({ amount: '25.00', network: 'solana-devnet' }) }
}

/** A customer with tokens and without a lamport, and a deposit whose token account is there. */
async function openPayment() {
  const customer = Keypair.generate()
  await chain.pay(customer.publicKey.toBase58(), '25.00')
  const payment = await bff.createDeposit({ amount: '25.00', network: 'solana-devnet' })
  await until('the token account of the deposit', async () => {
    await chain.advance(1)
    return await chain.hasAccount(payment.depositAddress)
  })
  return { customer, payment }
}

test('a customer without a lamport signs beside the fee payer, and the deposit is paid and swept', async () => {
  const { customer, payment } = await openPayment()
  const transaction = await signedTransfer(payment, customer, 25_000_000n)
  const answers = [authorize(payment, { transaction }), authorize(payment, { transaction })]
  await until('the service to send it', async () => {
    await blockAfterSent(customer)
    return (await chain.balance(payment.depositAddress)) === '25.00'
  })
  const [first, second] = await Promise.all(answers)
  expect(first).toMatchObject({ status: 200, body: { state: 'accepted', transactionHash: expect.any(String) } })
  expect(second?.body['transactionHash']).toBe(first?.body['transactionHash'])
  expect(await chain.lamports(customer.publicKey.toBase58())).toBe(0)
  await until('the sweep to be final', async () => {
    await chain.advance(4)
    return (await bff.read(payment.id))['status'] === 'swept'
  })
})

test('a customer without a lamport signs a wallet payment beside the fee payer, and merchant and platform have their shares', async () => {
  const { customer, payment } = await openSplit()
  expect(payment['sponsored']).toBe(true)
  const heldBy = () => Promise.all([merchant, platform].map((wallet) => chain.units(wallet)))
  const [merchantBefore = 0n, platformBefore = 0n] = await heldBy()
  const transaction = await signedSplit(payment, customer)
  const answers = [authorize(payment, { transaction }), authorize(payment, { transaction })]
  await until('both shares to have come', async () => {
    await blockAfterSent(customer)
    return String(await heldBy()) === String([merchantBefore + 24_625_000n, platformBefore + 375_000n])
  })
  const [first, second] = await Promise.all(answers)
  expect(first).toMatchObject({ status: 200, body: { state: 'accepted', transactionHash: expect.any(String) } })
  expect(second?.body['transactionHash']).toBe(first?.body['transactionHash'])
  expect(await chain.lamports(customer.publicKey.toBase58())).toBe(0)
  await until('the payment to be paid', async () => {
    await chain.advance(4)
    return (await bff.read(payment.id))['status'] === 'completed'
  })
  expect(await bff.read(payment.id)).toMatchObject({ outcome: 'paid', settlement: { state: 'settled' } })
  expect((await askSponsored(payment.id, customer)).body).toMatchObject({ code: 'PAYMENT_ENDED' })
})

test('killed when what the fee payer signed of a wallet payment is stored: the customer is debited once', async () => {
  const { customer, payment } = await openSplit()
  const before = await chain.units(merchant)
  const transaction = await signedSplit(payment, customer)
  await bff.kill()
  const sent = { writes: ["update authorizations set state = 'sent'"], nth: 1, at: 'after' } as const
  await bff.start({ failpoint: sent })
  const answer = authorize(payment, { transaction }).catch(() => undefined)
  await until('the service to die', async () => {
    await blockAfterSent(customer)
    return bff.isDead()
  })
  await bff.kill()
  await answer
  await bff.start({})
  await until('the payment to be paid', async () => {
    await blockAfterSent(customer)
    return (await bff.read(payment.id))['status'] === 'completed'
  })
  expect(await chain.balance(customer.publicKey.toBase58())).toBe('0.00')
  expect((await chain.units(merchant)) - before).toBe(24_625_000n)
  // The payment and its authorization are followed each by itself.
  await until('its one authorization to be confirmed', async () => {
    await chain.advance(4)
    const found = await bff.query('select state from authorizations where payment_id = ?', payment.id)
    expect(found).toHaveLength(1)
    return (found[0] as { state: string }).state === 'confirmed'
  })
})

test('what is no transfer of exactly the amount is refused before the fee payer signs it', async () => {
  const { customer, payment } = await openPayment()
  const lamports = await chain.lamports(chain.operator.address)
  const short = await signedTransfer(payment, customer, 24_999_999n)
  expect(await authorize(payment, { transaction: short })).toMatchObject({ status: 400, body: { code: 'WRONG_VALUE' } })
  const other = await bff.createDeposit({ amount: '25.00', network: 'solana-devnet', orderId: 'other' })
  const ofAnother = await signedTransfer(other, customer, 25_000_000n)
  expect((await authorize(payment, { transaction: ofAnother })).body['code']).toBe('WRONG_RECIPIENT')
  expect((await authorize(payment, { transaction: 'AAAA' })).body['code']).toBe('INVALID_SIGNATURE')
  const authorization = {
    from: `0x${'1'.repeat(40)}`,
    to: `0x${'2'.repeat(40)}`,
    value: '25000000',
    validAfter: '0',
    validBefore: '9',
    nonce: `0x${'3'.repeat(64)}`,
  }
  const ofEvm = await authorize(payment, { authorization, signature: `0x${'11'.repeat(65)}` })
  expect(ofEvm).toMatchObject({ status: 400, body: { code: 'INVALID_SIGNATURE' } })
  const onEvm = await bff.createDeposit({ amount: '25.00' })
  expect((await authorize(onEvm, { transaction: short })).body['code']).toBe('SIGNATURE_NOT_OFFERED')
  expect(await authorize(onEvm, {})).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
  expect(await chain.lamports(chain.operator.address)).toBeLessThanOrEqual(lamports)
  expect(await chain.balance(payment.depositAddress)).toBe('0.00')
})

/** What each commit writes that a sponsored transfer goes through, and where in it the service dies. */
const commits = [
  { name: 'the transaction of the customer is stored', writes: ['insert into authorizations'], at: 'after' },
  {
    name: 'what the fee payer has signed is stored',
    writes: ["update authorizations set state = 'sent'"],
    at: 'inside',
  },
  {
    name: 'what the fee payer has signed is stored',
    writes: ["update authorizations set state = 'sent'"],
    at: 'after',
  },
  { name: 'it is noted that a node has it', writes: ['update outgoing_transactions set sent_at_ms'], at: 'inside' },
  { name: 'the final transfer is booked', writes: ['update authorizations', "'confirmed'"], at: 'inside' },
] as const

for (const { name, writes, at } of commits) {
  const where = at === 'inside' ? 'before it is committed' : 'the moment it is committed'
  test(`killed when ${name}, ${where}: the customer is debited once, and the deposit is swept`, async () => {
    const { customer, payment } = await openPayment()
    let transaction = await signedTransfer(payment, customer, 25_000_000n)
    await bff.kill()
    await bff.start({ failpoint: { writes, nth: 1, at } })
    const answers = [authorize(payment, { transaction }).catch(() => undefined)]
    await until('the service to die', async () => {
      await blockAfterSent(customer)
      return bff.isDead()
    })
    await bff.kill()
    await bff.start({})
    const statesOf = async () => {
      const sql = 'select state from authorizations where payment_id = ? order by created_at_ms'
      return (await bff.query<{ state: string }>(sql, payment.id)).map(({ state }) => state)
    }
    // The client asks again with what it has signed, and signs anew only where that can land no more.
    answers.push(authorize(payment, { transaction }).catch(() => undefined))
    await until('the sweep to be final', async () => {
      await chain.advance(2)
      if ((await statesOf()).at(-1) === 'failed') {
        transaction = await signedTransfer(payment, customer, 25_000_000n)
        await authorize(payment, { transaction }).catch(() => undefined)
      }
      return (await bff.read(payment.id))['status'] === 'swept'
    })
    await Promise.all(answers)
    expect(await chain.balance(customer.publicKey.toBase58())).toBe('0.00')
    expect(await bff.read(payment.id)).toMatchObject({ outcome: 'paid', amountReceived: '25.00', excessOwed: '0.00' })
    expect((await statesOf()).filter((state) => state !== 'failed')).toEqual(['confirmed'])
  })
}

test('the books close', async () => {
  await expectBooksToClose(story)
})
