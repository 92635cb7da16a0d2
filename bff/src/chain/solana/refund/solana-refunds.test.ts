import { Keypair, PublicKey, Transaction } from '@solana/web3.js'
import { mintTestTokens } from '@stablecoin-checkout/rig/devnet/solana/tokens'
import { openSolanaStage, type SolanaStage } from '@stablecoin-checkout/rig/solana-stage'
import { plainTransfers } from '@stablecoin-checkout/rig/solana-transfers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemRuntime } from '../../../core/runtime.ts'
import { sql } from '../../../db/db.ts'
import { reconcileNetwork } from '../../../ops/reconcile/reconcile.ts'
import { tokenAccountOf } from '../associated-token-account.ts'

let stage: SolanaStage
beforeEach(async () => {
  stage = await openSolanaStage({ lenientClients: true })
  const { solana, merchantWallet } = stage
  await solana.connection.requestAirdrop(stage.merchantAccount.publicKey, 1_000_000_000)
  await mintTestTokens(solana.connection, solana.tokenOwner, {
    mint: stage.mint().toBase58(),
    to: merchantWallet,
    amount: 100_000_000n,
  })
})
afterEach(() => stage.close())

type Refund = { id: string; address: string; paymentUri: string | null; status: string }
type Answer = { status: number; body: { refund: Refund; code?: string } }

const newWallet = () => Keypair.generate().publicKey.toBase58()

async function ask(path: string, body?: unknown): Promise<Answer> {
  const { apiKey, apiSecret } = stage.merchant
  const headers = { 'X-API-Key': apiKey, 'X-API-Secret': apiSecret }
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const response = await stage.app.request(`/api/v1${path}`, {
    ...init,
    headers: { 'Content-Type': 'application/json', ...headers },
  })
  return { status: response.status, body: (await response.json()) as Answer['body'] }
}

/** A wallet payment of 25 by its customer, final. */
async function paidPayment() {
  const { id } = await stage.create()
  const signature = await stage.pay(id)
  await stage.solana.advance(40)
  await stage.find()
  expect(await stage.stored(id)).toMatchObject({ status: 'completed' })
  await stage.watch()
  return { id, signature }
}

async function requested(paymentId: string, amount: string, address: string): Promise<Refund> {
  const { status, body } = await ask(`/payments/${paymentId}/refunds`, { amount, address })
  expect({ status, body }).toMatchObject({ status: 200, body: { refund: { status: 'to_pay' } } })
  return body.refund
}

/** One transfer to a wallet's token account. @param reference - As added by a wallet that reads the payment request. */
async function send(to: string, amount: bigint, from = stage.merchantAccount, reference?: string): Promise<string> {
  const instructions = plainTransfers(from.publicKey, stage.mint().toBase58(), [[to, amount]])
  if (reference)
    instructions.at(-1)?.keys.push({ pubkey: new PublicKey(reference), isSigner: false, isWritable: false })
  return await stage.solana.send(instructions, from)
}

const read = async (id: string) => (await ask(`/refunds/${id}`)).body.refund
const referenceOf = ({ paymentUri }: Refund) => new URL(paymentUri ?? '').searchParams.get('reference') ?? ''
const codeOf = async (id: string, transactionHash: string) =>
  (await ask(`/refunds/${id}/verify`, { transactionHash })).body.code

async function settle() {
  await stage.solana.advance(40)
  await stage.findRefunds()
}

test('a transfer of the settlement wallet pays a refund: confirming when confirmed, paid when final', async () => {
  const { id } = await paidPayment()
  const address = newWallet()
  // Older than the request: it does not count.
  await send(address, 10_000_000n)
  await stage.solana.advance(40)
  // With no deposit to watch, the head is read every 15 seconds.
  stage.later(16_000)
  await stage.watch()
  const refund = await requested(id, '10.00', address)
  await send(address, 10_000_000n, stage.solana.customer)
  await settle()
  expect(await read(refund.id)).toMatchObject({ status: 'to_pay', paid: '0.00' })
  const signature = await send(address, 4_000_000n)
  await stage.solana.advance(3)
  await stage.findRefunds()
  expect(await read(refund.id)).toMatchObject({ status: 'to_pay', paid: '0.00', remaining: '6.00' })
  await send(address, 6_000_000n)
  await stage.solana.advance(3)
  await stage.findRefunds()
  expect(await read(refund.id)).toMatchObject({ status: 'confirming', paid: '4.00', remaining: '0.00' })
  await settle()
  expect(await read(refund.id)).toMatchObject({ status: 'paid', paid: '10.00', excess: '0.00' })
  expect(await stage.stored(id)).toMatchObject({ refundedByMerchant: 10_000_000n, refundDueByMerchant: 0n })
  expect((await stage.events(id)).filter((type) => type.startsWith('refund.'))).toEqual([
    'refund.requested',
    'refund.paid',
  ])
  // After a restart nothing is in memory: what is recorded does not change.
  const second = await requested(id, '4.00', address)
  await stage.restartRefundWatcher().pass(new AbortController().signal)
  expect(await read(second.id)).toMatchObject({ status: 'to_pay', paid: '0.00' })
  expect(await codeOf(second.id, signature)).toBe('ALREADY_USED')
  await send(address, 4_000_000n)
  await settle()
  expect(await read(second.id)).toMatchObject({ status: 'paid', paid: '4.00' })
  expect(await read(refund.id)).toMatchObject({ status: 'paid', paid: '10.00' })
})

test('a transfer pays the refund that was requested anew, and not the cancelled one before it', async () => {
  const { id } = await paidPayment()
  const address = newWallet()
  const cancelled = await requested(id, '10.00', address)
  await ask(`/refunds/${cancelled.id}/cancel`, {})
  const next = await requested(id, '10.00', address)
  await send(address, 10_000_000n)
  await settle()
  expect(await read(next.id)).toMatchObject({ status: 'paid', paid: '10.00' })
  expect(await read(cancelled.id)).toMatchObject({ status: 'cancelled', paid: '0.00' })
})

test('any wallet pays by the reference of the payment request, each refund separately', async () => {
  const { id } = await paidPayment()
  const address = newWallet()
  const [one, other] = [await requested(id, '5.00', address), await requested(id, '5.00', address)]
  expect(referenceOf(one)).not.toBe(referenceOf(other))
  const signature = await send(address, 5_000_000n, stage.solana.customer, referenceOf(other))
  await settle()
  expect(await read(one.id)).toMatchObject({ status: 'to_pay', paid: '0.00' })
  expect(await read(other.id)).toMatchObject({ status: 'paid', paid: '5.00' })
  // With the reference of the other refund, even before the watcher has found it.
  const later = await send(address, 5_000_000n, stage.solana.customer, referenceOf(other))
  await stage.solana.advance(40)
  for (const txId of [signature, later]) expect(await codeOf(one.id, txId)).toBe('ALREADY_USED')
})

test('a transaction that the merchant names counts from any wallet, once; others are refused by name', async () => {
  const { id, signature: paying } = await paidPayment()
  const address = newWallet()
  const refund = await requested(id, '5.00', address)
  const named = await send(address, 5_000_000n, stage.solana.customer)
  const toAnother = await send(newWallet(), 5_000_000n)
  await stage.solana.advance(40)
  expect(await codeOf(refund.id, toAnother)).toBe('OTHER_TERMS')
  expect(await codeOf(refund.id, paying)).toBe('OTHER_TERMS')
  expect(await codeOf(refund.id, '1'.repeat(64))).toBe('TRANSACTION_NOT_FOUND')
  await stage.findRefunds()
  expect(await read(refund.id)).toMatchObject({ status: 'to_pay' })
  const { body } = await ask(`/refunds/${refund.id}/verify`, { transactionHash: named })
  expect(body.refund).toMatchObject({ status: 'paid', paid: '5.00' })
  const other = await requested(id, '5.00', address)
  expect(await codeOf(other.id, named)).toBe('ALREADY_USED')
})

test('a customer’s payment is no refund to a wallet that it reaches, before it is found and after', async () => {
  const { id } = await paidPayment()
  const refund = await requested(id, '0.375', stage.platformWallet)
  const other = await stage.create()
  const signature = await stage.pay(other.id)
  await settle()
  expect(await codeOf(refund.id, signature)).toBe('ALREADY_USED')
  await stage.find()
  expect(await stage.stored(other.id)).toMatchObject({ status: 'completed' })
  expect(await codeOf(refund.id, signature)).toBe('ALREADY_USED')
  expect(await read(refund.id)).toMatchObject({ status: 'to_pay', paid: '0.00' })
})

test('a transfer made for a refund pays no payment, before the refund is found and after', async () => {
  const { id } = await paidPayment()
  const refund = await requested(id, '0.375', stage.platformWallet)
  const customer = stage.solana.customer.publicKey
  const payment = await stage.create({ senderAddress: customer.toBase58() })
  const instructions = plainTransfers(customer, stage.mint().toBase58(), [
    [stage.platformWallet, 375_000n],
    [stage.merchantWallet, 24_625_000n],
  ])
  const key = { pubkey: new PublicKey(referenceOf(refund)), isSigner: false, isWritable: false }
  instructions.at(-1)?.keys.push(key)
  const signature = await stage.solana.send(instructions, stage.solana.customer)
  await stage.solana.advance(40)
  const codes = async () => (await stage.process(payment.id, signature)).body['code']
  expect(await codes()).toBe('ALREADY_USED')
  await stage.findRefunds()
  expect(await read(refund.id)).toMatchObject({ status: 'paid', paid: '0.375' })
  expect(await codes()).toBe('ALREADY_USED')
  await stage.find()
  expect(await stage.stored(payment.id)).toMatchObject({ status: 'pending', seen: 0n })
})

test('the merchant’s wallet signs the transaction that the service makes for a refund, to the unit, and is prompted once', async () => {
  const { id } = await paidPayment()
  const refund = await requested(id, '5.00', newWallet())
  expect(refund).toMatchObject({ wallet: { by: 'transaction', account: null, chain: null } })
  const prompt = async (account = stage.merchantWallet) =>
    (await ask('/refunds/prompts', { refundIds: [refund.id], account })).body as unknown as {
      code?: string
      prompt: { id: string; transaction: string }
    }
  // Nothing is stored about a wallet that was not prompted.
  expect((await prompt(newWallet())).code).toBe('INSUFFICIENT_FUNDS')
  const asked = await prompt()
  expect((await prompt()).code).toBe('REFUND_PROMPTED')
  const transaction = Transaction.from(Buffer.from(asked.prompt.transaction, 'base64'))
  transaction.partialSign(stage.merchantAccount)
  const options = { preflightCommitment: 'processed' } as const
  const signature = await stage.solana.connection.sendRawTransaction(transaction.serialize(), options)
  expect((await ask(`/refunds/prompts/${asked.prompt.id}`, { transactionHash: signature })).status).toBe(200)
  await settle()
  expect(await read(refund.id)).toMatchObject({
    status: 'paid',
    paid: '5.00',
    prompt: null,
    transactionHash: signature,
  })
})

test('a payout of the service is no refund', async () => {
  const { solana } = stage
  const deposit = await stage.createDeposit()
  await mintTestTokens(solana.connection, solana.tokenOwner, {
    mint: stage.mint().toBase58(),
    to: deposit.depositAddress,
    amount: 25_000_000n,
  })
  await stage.work()
  const stored = await stage.stored(deposit.id)
  const sweep = (stored?.mode === 'deposit' && stored.sweepTxId) || ''
  const refund = await requested((await paidPayment()).id, '0.375', stage.platformWallet)
  expect(await codeOf(refund.id, sweep)).toBe('ALREADY_USED')
  expect(await read(refund.id)).toMatchObject({ status: 'to_pay', paid: '0.00' })
})

test('a fork undoes a refund that is not final; if it lands again, it is paid once', async () => {
  const { id } = await paidPayment()
  const address = newWallet()
  await send(address, 1n, stage.solana.customer)
  await stage.solana.advance(40)
  const refund = await requested(id, '5.00', address)
  const signed = await stage.solana.sign(
    plainTransfers(stage.merchantAccount.publicKey, stage.mint().toBase58(), [[address, 5_000_000n]]),
    stage.merchantAccount,
  )
  const bytes = signed.serialize()
  await stage.solana.connection.sendRawTransaction(bytes, { preflightCommitment: 'processed' })
  await stage.solana.advance(2)
  await stage.findRefunds()
  expect(await read(refund.id)).toMatchObject({ status: 'confirming', paid: '0.00' })
  await stage.solana.control('fork', 3)
  await settle()
  expect(await read(refund.id)).toMatchObject({ status: 'to_pay', remaining: '5.00', transactions: [] })
  await stage.solana.connection.sendRawTransaction(bytes, { preflightCommitment: 'processed' })
  await settle()
  expect(await read(refund.id)).toMatchObject({ status: 'paid', paid: '5.00', excess: '0.00' })
})

test('a fork on which its transaction fails undoes a refund', async () => {
  const { id } = await paidPayment()
  const address = newWallet()
  await send(address, 1n, stage.solana.customer)
  await stage.solana.advance(40)
  const refund = await requested(id, '5.00', address)
  const signed = await stage.solana.sign(
    plainTransfers(stage.merchantAccount.publicKey, stage.mint().toBase58(), [[address, 5_000_000n]]),
    stage.merchantAccount,
  )
  const bytes = signed.serialize()
  await stage.solana.connection.sendRawTransaction(bytes, { preflightCommitment: 'processed' })
  await stage.solana.advance(2)
  await stage.findRefunds()
  expect(await read(refund.id)).toMatchObject({ status: 'confirming', paid: '0.00' })
  await stage.solana.control('fork', 3)
  // On this fork the wallet has sent the tokens elsewhere first: it had 124.625.
  await send(newWallet(), 120_000_000n)
  const signature = await stage.solana.connection.sendRawTransaction(bytes, { skipPreflight: true })
  await settle()
  expect(await read(refund.id)).toMatchObject({ status: 'to_pay', remaining: '5.00', paid: '0.00', transactions: [] })
  expect(await codeOf(refund.id, signature)).toBe('TRANSACTION_REVERTED')
})

test('without a known slot at the request, an older transfer of the merchant’s wallet does not pay', async () => {
  const { id } = await paidPayment()
  const address = newWallet()
  const earlier = await requested(id, '7.00', address)
  await send(address, 5_000_000n)
  await stage.solana.advance(40)
  const refund = await requested(id, '5.00', address)
  await stage.db.write((tx) =>
    tx.run(sql`
        update merchant_refunds set after_block = 0, created_at_ms = created_at_ms + ${60 * 60 * 1000}
         where id = ${refund.id}`),
  )
  await settle()
  expect(await read(refund.id)).toMatchObject({ status: 'to_pay', paid: '0.00' })
  expect(await read(earlier.id)).toMatchObject({ status: 'to_pay', paid: '5.00', remaining: '2.00' })
})

test('an account with many transactions is read in parts, from where the last pass ended, also past one that no node returns', async () => {
  const { id } = await paidPayment()
  const refund = await requested(id, '5.00', newWallet())
  const dust: string[] = []
  for (let sent = 0; sent < 6; sent++) dust.push(await send(refund.address, 1n + BigInt(sent), stage.solana.customer))
  await send(refund.address, 5_000_000n)
  await stage.solana.advance(40)
  let reads: string[] = []
  const watcher = stage.restartRefundWatcher({
    readsPerPass: 3,
    adapter: {
      ...stage.adapter,
      async transaction(txId, at, signal) {
        reads.push(txId)
        if (txId === dust[1]) throw new Error('Transaction version (9) is not supported')
        return await stage.adapter.transaction(txId, at, signal)
      },
    },
  })
  const readsOf = async () => {
    reads = []
    await watcher.pass(new AbortController().signal)
    return reads
  }
  expect(await readsOf()).toEqual(dust.slice(0, 3))
  expect(await readsOf()).toEqual([dust[1], dust[3], dust[4]])
  await readsOf()
  expect(await read(refund.id)).toMatchObject({ status: 'paid', paid: '5.00' })
})

test('an account whose history no node returns delays no other refund', async () => {
  const { id } = await paidPayment()
  const refunds = [await requested(id, '5.00', newWallet()), await requested(id, '6.00', newWallet())] as const
  for (const { address, status } of refunds) {
    expect(status).toBe('to_pay')
    await send(address, address === refunds[0].address ? 5_000_000n : 6_000_000n)
  }
  await stage.solana.advance(40)
  const shown = tokenAccountOf(stage.mint().toBase58(), refunds[1].address)
  const watcher = stage.restartRefundWatcher({
    adapter: {
      ...stage.adapter,
      async signatures(account, after, slot, signal, sinceMs) {
        if (account !== shown) throw new Error('Transaction history is not available from this node')
        return await stage.adapter.signatures(account, after, slot, signal, sinceMs)
      },
    },
  })
  await watcher.pass(new AbortController().signal)
  expect(await read(refunds[0].id)).toMatchObject({ status: 'to_pay' })
  expect(await read(refunds[1].id)).toMatchObject({ status: 'paid' })
})

test('a stored refund that cannot be read delays none to other addresses, and is paid once it can be', async () => {
  const address = newWallet()
  const ofNewPayment = async (amount: string, to: string) => await requested((await paidPayment()).id, amount, to)
  const broken = await ofNewPayment('4.00', address)
  const beside = await ofNewPayment('5.00', address)
  const other = await ofNewPayment('6.00', newWallet())
  await send(address, 4_000_000n)
  await send(other.address, 6_000_000n)
  const setSeen = (seen: string) =>
    stage.db.write((tx) => tx.run(sql`update merchant_refunds set seen = ${seen} where id = ${broken.id}`))
  await setSeen('x')
  await settle()
  expect(await read(other.id)).toMatchObject({ status: 'paid' })
  expect(await read(beside.id), 'the transfer may be the unreadable one’s').toMatchObject({ status: 'to_pay' })
  await setSeen('0')
  await settle()
  expect(await read(broken.id)).toMatchObject({ status: 'paid' })
  expect(await read(beside.id)).toMatchObject({ status: 'to_pay' })
})

test('the books of a refund are compared with the chain, and a difference is reported', async () => {
  const { id } = await paidPayment()
  const [one, other] = [await requested(id, '5.00', newWallet()), await requested(id, '6.00', newWallet())]
  await send(one.address, 5_000_000n, stage.solana.customer, referenceOf(one))
  const plain = await send(other.address, 6_000_000n)
  await settle()
  for (const { id: refundId } of [one, other]) expect(await read(refundId)).toMatchObject({ status: 'paid' })
  const asked = { period: { kind: 'all' as const }, onProgress: () => undefined, runtime: systemRuntime }
  const networks = new Map([[stage.network.shortName, stage.network]])
  const differences = async () =>
    (await reconcileNetwork({ ...asked, db: stage.db, networks }, stage.network, new AbortController().signal))
      .differences
  expect(await differences()).toEqual([])
  const lost = '3'.repeat(87)
  await stage.db.write((tx) => tx.run(sql`update transfers set tx_id = ${lost} where payment_id = ${other.id}`))
  expect(await differences()).toMatchObject([{ code: 'merchant_refund_not_on_chain', paymentId: id, txId: lost }])
  await stage.db.write((tx) =>
    tx.run(sql`update transfers set tx_id = ${plain}, amount = '7000000' where payment_id = ${other.id}`),
  )
  expect((await differences()).map(({ code }) => code)).toEqual(['transfer_differs', 'sum_differs', 'sum_differs'])
})
