import { PublicKey } from '@solana/web3.js'
import { mintTestTokens } from '@stablecoin-checkout/rig/devnet/solana/tokens'
import { openSolanaStage, type SolanaStage } from '@stablecoin-checkout/rig/solana-stage'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sharesOf } from '../../chain/shares.ts'
import { tokenAccountOf } from '../../chain/solana/associated-token-account.ts'
import { sql } from '../../db/db.ts'

/** The window, and a second so that it is over. */
const windowSeconds = 901

let stage: SolanaStage
beforeEach(async () => {
  stage = await openSolanaStage()
})
afterEach(() => stage.close())

/** So many of the smallest unit; the wallet's account is made where it is missing. */
const mint = (to: string, amount: bigint) =>
  mintTestTokens(stage.solana.connection, stage.solana.tokenOwner, { mint: stage.mint().toBase58(), to, amount })

/** A wallet that has held the token, so that money can go back to it. */
async function newWallet(): Promise<string> {
  const wallet = (await stage.solana.newAccount()).publicKey.toBase58()
  await mint(wallet, 1n)
  await stage.solana.advance(2)
  return wallet
}

async function balanceOf(wallet: string): Promise<string> {
  const account = new PublicKey(tokenAccountOf(stage.mint().toBase58(), wallet))
  return (await stage.solana.connection.getTokenAccountBalance(account)).value.amount
}

/** By payment: the page that made it keeps it. */
const clientSecrets = new Map<string, string>()

/** A deposit of 25.00 that expires, and is then paid so much. */
async function payLate(amount: bigint) {
  const { id, depositAddress, clientSecret } = await stage.createDeposit()
  clientSecrets.set(id, clientSecret)
  await stage.solana.control('travel', windowSeconds)
  stage.later(windowSeconds * 1_000)
  await stage.work(1)
  expect(await stage.stored(id)).toMatchObject({ status: 'expired' })
  await mint(depositAddress, amount)
  await stage.work()
  return { id, depositAddress }
}

const byMerchant = () => ({ 'x-api-key': stage.merchant.apiKey, 'x-api-secret': stage.merchant.apiSecret })

async function ask(path: string, body: object | null, headers: Record<string, string>) {
  const response = await stage.app.request(`/api/v1${path}`, {
    ...{ method: 'POST', headers: { 'Content-Type': 'application/json', ...headers } },
    body: body && JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const askBack = (id: string, address: string, headers: Record<string, string>) =>
  ask(`/deposits/refund-request/${id}`, { address, clientSecret: clientSecrets.get(id) }, headers)

/** As the customer's page asks, which made the payment. */
const byCustomer = () => ({ 'x-public-key': stage.merchant.publicKey })

test('full money that came late is held: it goes to nobody who asks, and the merchant takes it', async () => {
  const { id } = await payLate(25_000_000n)
  const wallet = await newWallet()
  await askBack(id, wallet, byCustomer())
  await stage.work()
  expect(await balanceOf(wallet)).toBe('1')
  expect(await stage.stored(id)).toMatchObject({ status: 'expired', refund: 'none', refunding: 0n, refunded: 0n })
  const record = await stage.app.request(`/api/v1/payments/${id}`, { headers: byMerchant() })
  expect(((await record.json()) as { payment: object }).payment).toMatchObject({ refund: { state: 'held' } })

  const taken = await ask(`/payments/${id}/accept-late`, null, byMerchant())
  expect([taken.status, taken.body]).toMatchObject([200, { payment: { outcome: 'paid' } }])
  await stage.work()
  expect(await stage.balances()).toEqual({ merchant: 24_625_000n, platform: 375_000n })
  expect(await balanceOf(wallet)).toBe('1')
})

test('the merchant returns it whole by saying where to, also to the address that the customer had named', async () => {
  const { id, depositAddress } = await payLate(10_000_000n)
  const wallet = await newWallet()
  await mint(depositAddress, 15_000_000n)
  await stage.watch()
  await stage.solana.advance(6)
  await stage.watch()
  await askBack(id, wallet, byCustomer())
  await stage.work()
  expect(await balanceOf(wallet)).toBe('1')
  expect((await askBack(id, wallet, byMerchant())).status).toBe(200)
  await stage.work()
  expect(await balanceOf(wallet)).toBe('25000001')
  expect(await stage.stored(id)).toMatchObject({ status: 'expired', refunded: 25_000_000n, lateReturned: true })
  expect((await ask(`/payments/${id}/accept-late`, null, byMerchant())).body).toMatchObject({
    code: 'LATE_AMOUNT_SHORT',
  })
})

test('a part that came late goes back to whoever asks first, and so does what exceeds the amount', async () => {
  const part = await payLate(10_000_000n)
  const more = await payLate(25_500_000n)
  const wallet = await newWallet()
  for (const { id } of [part, more]) expect((await askBack(id, wallet, byCustomer())).status).toBe(200)
  await stage.work()
  expect(await balanceOf(wallet)).toBe('10500001')
})

test('the rest that comes after the sweep of a payment within the tolerance goes back, and the books say so', async () => {
  await stage.db.write((tx) => tx.run(sql`update merchants set tolerance_bps = 1000, tolerance_max_micros = 5000000`))
  const { id, depositAddress, clientSecret } = await stage.createDeposit()
  clientSecrets.set(id, clientSecret)
  await stage.work(1)
  await mint(depositAddress, 23_000_000n)
  await stage.work()
  expect(await stage.stored(id)).toMatchObject({ status: 'swept', sweptAmount: 23_000_000n })
  await mint(depositAddress, 2_000_000n)
  await stage.work()
  const read = await stage.ask(`/payments/public/${id}`)
  expect(read.body).toMatchObject({ payment: { paymentState: 'overpaid_refunding', excessOwed: '2.00' } })
  const wallet = await newWallet()
  expect((await askBack(id, wallet, byCustomer())).status).toBe(200)
  await stage.work()
  expect(await balanceOf(wallet)).toBe('2000001')
  expect(await stage.balances()).toEqual({ merchant: 22_655_000n, platform: 345_000n })
  const payment = await stage.stored(id)
  expect(payment && sharesOf(payment)).toEqual({ merchant: 22_655_000n, fee: 345_000n })
})
