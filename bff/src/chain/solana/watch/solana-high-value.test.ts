import { Keypair } from '@solana/web3.js'
import { mintTestTokens } from '@stablecoin-checkout/rig/devnet/solana/tokens'
import { type LyingNode, openLyingNode } from '@stablecoin-checkout/rig/lying-node'
import { openSolanaStage, type SolanaStage } from '@stablecoin-checkout/rig/solana-stage'
import { afterEach, expect, test } from 'vitest'
import type { PaymentId } from '../../../payment/payment.ts'
import { tokenAccountOf } from '../associated-token-account.ts'

/** For 20.00 and more. */
const highValue = { amount: '20', confirmations: 32 }
const inventedTxId = '4'.repeat(87)

let stage: SolanaStage
let liar: LyingNode

async function open(nodes: (truth: string) => string[], options: object = { highValue }): Promise<void> {
  stage = await openSolanaStage({
    ...options,
    nodes: async (truth) => {
      liar = await openLyingNode(truth)
      return nodes(truth)
    },
  })
}

const lyingFirst = (truth: string) => [liar.url, truth]

afterEach(async () => {
  await stage.close()
  await liar.close()
})

/** Another token account with a gain, in the format of `getTransaction`. */
type Invented = { owner: string; amount: bigint }

/** The node reports the transaction and its gain as final. */
async function invent(paid: Invented[], more: { keys?: string[]; account?: string } = {}): Promise<void> {
  const mint = stage.mint().toBase58()
  const payer = Keypair.generate().publicKey.toBase58()
  const slot = await stage.solana.connection.getSlot('finalized')
  const blockTime = Math.floor(Date.now() / 1000)
  const accounts = paid.map(({ owner }) => tokenAccountOf(mint, owner))
  const postTokenBalances = paid.map(({ owner, amount }, index) => ({
    ...{ accountIndex: index + 1, mint, owner, uiTokenAmount: { amount: String(amount) } },
  }))
  liar.lie('getTransaction', (truth, [txId]) =>
    txId !== inventedTxId
      ? truth
      : {
          ...{ slot, blockTime, meta: { err: null, preTokenBalances: [], postTokenBalances } },
          transaction: {
            signatures: [inventedTxId],
            message: {
              accountKeys: [payer, ...accounts, ...(more.keys ?? [])],
              header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 0 },
            },
          },
        },
  )
  liar.lie('getSignaturesForAddress', (truth, [account]) =>
    accounts.includes(String(account))
      ? [{ signature: inventedTxId, slot, err: null, confirmationStatus: 'finalized', blockTime }]
      : truth,
  )
  liar.lie('getSignatureStatuses', (truth) => ({
    ...(truth as object),
    value: [{ slot, err: null, confirmationStatus: 'finalized', confirmations: null }],
  }))
}

/** The node reports the money in the deposit's account. */
function showBalance(account: string, amount: bigint): void {
  liar.lie('getMultipleAccounts', (truth, [accounts]) => {
    const answer = truth as { value: ({ data: [string, string] } | null)[] }
    const value = answer.value.map((one, index) => {
      if ((accounts as string[])[index] !== account || one === null) return one
      const bytes = Buffer.from(one.data[0], 'base64')
      bytes.writeBigUInt64LE(amount, 64)
      return { ...one, data: [bytes.toString('base64'), 'base64'] }
    })
    return { ...answer, value }
  })
}

/** A deposit whose account holds its amount, by the node's report. */
async function inventDeposit(amount: string): Promise<PaymentId> {
  const { id, depositAddress } = await stage.createDeposit({ amount })
  await stage.work(1)
  const units = BigInt(amount.replace('.', '')) * 10_000n
  await invent([{ owner: depositAddress, amount: units }])
  showBalance(tokenAccountOf(stage.mint().toBase58(), depositAddress), units)
  return id
}

/** A wallet payment for which the node has a transaction with its reference. */
async function inventWalletPayment(amount: string): Promise<PaymentId> {
  const { id } = await stage.create({ amount })
  const payment = await stage.stored(id)
  if (payment?.mode !== 'contract') throw new Error('Not a wallet payment')
  const units = BigInt(amount.replace('.', '')) * 10_000n
  const fee = (units * 150n) / 10_000n
  await invent(
    [
      { owner: stage.merchantWallet, amount: units - fee },
      { owner: stage.platformWallet, amount: fee },
    ],
    { keys: [payment.termsHash] },
  )
  return id
}

test('a high-value deposit invented by one node stays unpaid', async () => {
  await open(lyingFirst)
  const id = await inventDeposit('25.00')
  for (let pass = 0; pass < 3; pass += 1) await stage.watch()
  expect(await stage.stored(id)).toMatchObject({ status: 'pending', seen: 25_000_000n, received: 0n })
})

test('a high-value wallet payment invented by one node stays unpaid, by process and by the split watcher', async () => {
  await open(lyingFirst)
  const id = await inventWalletPayment('25.00')
  const { status, body } = await stage.process(id, inventedTxId)
  expect([status, body['message']]).toEqual([400, 'payment not yet confirmed: too few nodes have the transaction yet'])
  for (let pass = 0; pass < 3; pass += 1) await stage.find()
  expect(await stage.stored(id)).toMatchObject({ status: 'pending', seen: 25_000_000n, received: 0n })
  // The money is requested again once the node no longer reports it.
  liar.mend()
  await stage.solana.advance(5)
  await stage.find()
  expect(await stage.stored(id)).toMatchObject({ status: 'pending', seen: 0n, received: 0n })
})

test('one node is enough below that amount, and if it is the only one', async () => {
  await open(lyingFirst)
  const small = await inventWalletPayment('19.99')
  await stage.process(small, inventedTxId)
  expect(await stage.stored(small)).toMatchObject({ status: 'completed' })
  await stage.close()
  await liar.close()
  await open(() => [liar.url])
  const alone = await inventWalletPayment('25.00')
  await stage.process(alone, inventedTxId)
  expect(await stage.stored(alone)).toMatchObject({ status: 'completed' })
})

test('a high-value deposit and wallet payment are paid when two honest nodes have them', async () => {
  await open(lyingFirst)
  const { solana } = stage
  const { id, depositAddress } = await stage.createDeposit()
  const to = { mint: stage.mint().toBase58(), to: depositAddress, amount: 25_000_000n }
  await mintTestTokens(solana.connection, solana.tokenOwner, to)
  await stage.work()
  expect(await stage.stored(id)).toMatchObject({ status: 'swept', received: 25_000_000n })
  const payment = await stage.create()
  const signature = await stage.pay(payment.id)
  await solana.advance(5)
  const { body } = await stage.process(payment.id, signature)
  expect(body).toMatchObject({ success: true, payment: { outcome: 'paid', requiredConfirmations: 32 } })
})

test('while the second node is down, or does not have it, a high-value payment waits; then it is paid', async () => {
  await open((truth) => [truth, liar.url])
  const payment = await stage.create()
  const signature = await stage.pay(payment.id)
  await stage.solana.advance(5)
  liar.lie('getTransaction', () => null)
  expect((await stage.process(payment.id, signature)).body).toMatchObject({ code: 'NOT_CONFIRMED' })
  await stage.find()
  expect(await stage.stored(payment.id)).toMatchObject({ status: 'pending', seen: 25_000_000n, received: 0n })
  liar.mend()
  await stage.find()
  expect(await stage.stored(payment.id)).toMatchObject({ status: 'completed' })
})

test('a second node with another amount or time attests nothing', async () => {
  await open((truth) => [truth, liar.url])
  const payment = await stage.create()
  const signature = await stage.pay(payment.id)
  await stage.solana.advance(5)
  liar.lie('getTransaction', (truth) => ({ ...(truth as object), blockTime: 1 }))
  expect((await stage.process(payment.id, signature)).status).toBe(400)
  liar.lie('getTransaction', (truth) => {
    const answer = structuredClone(truth) as { meta: { postTokenBalances: { uiTokenAmount: { amount: string } }[] } }
    for (const { uiTokenAmount } of answer.meta.postTokenBalances) uiTokenAmount.amount = '1'
    return answer
  })
  expect((await stage.process(payment.id, signature)).status).toBe(400)
  liar.mend()
  expect((await stage.process(payment.id, signature)).status).toBe(200)
})

test('a node of another cluster is not used for wallet payments', async () => {
  await open(lyingFirst, {})
  liar.lie('getGenesisHash', () => 'another')
  const payment = await stage.create()
  const signature = await stage.pay(payment.id)
  await stage.solana.advance(5)
  expect((await stage.process(payment.id, signature)).status).toBe(200)
  await stage.find()
  expect(new Set(liar.heard)).toEqual(new Set(['getGenesisHash']))
})

test('a high-value refund invented by one node is not paid, by its watcher and by the merchant who names it', async () => {
  await open(lyingFirst)
  const { id } = await stage.create({ amount: '25.00' })
  await stage.pay(id)
  await stage.solana.advance(40)
  await stage.find()
  const { apiKey, apiSecret } = stage.merchant
  const ask = async (path: string, body?: unknown) => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const headers = { 'Content-Type': 'application/json', 'X-API-Key': apiKey, 'X-API-Secret': apiSecret }
    const response = await stage.app.request(`/api/v1${path}`, { ...init, headers })
    return ((await response.json()) as { refund: { id: string; paymentUri: string } }).refund
  }
  const address = Keypair.generate().publicKey.toBase58()
  const refund = await ask(`/payments/${id}/refunds`, { amount: '20.00', address })
  const reference = new URL(refund.paymentUri).searchParams.get('reference') ?? ''
  await invent([{ owner: address, amount: 20_000_000n }], { keys: [reference] })
  await ask(`/refunds/${refund.id}/verify`, { transactionHash: inventedTxId })
  for (let pass = 0; pass < 3; pass += 1) await stage.findRefunds()
  expect(await ask(`/refunds/${refund.id}`)).toMatchObject({ status: 'confirming', paid: '0.00' })
  liar.mend()
  await stage.solana.advance(5)
  await stage.findRefunds()
  expect(await ask(`/refunds/${refund.id}`)).toMatchObject({ status: 'to_pay', paid: '0.00', remaining: '20.00' })
})
