import { openTronStage, type TronStage, tronConfirmations } from '@stablecoin-checkout/rig/tron-stage'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../db/db.ts'
import type { PaymentId } from '../../payment/payment.ts'
import { tronFamily } from './facts/tron-family.ts'

let stage: TronStage
let id: PaymentId
/** As in Tron's explorers and wallets. */
let hash: string

beforeAll(async () => {
  stage = await openTronStage()
  const deposit = await stage.deposit()
  id = deposit.id
  const { transactionHash } = await stage.pay(deposit.address, 25_000_000n)
  hash = transactionHash.slice(2)
  await stage.watch()
  await stage.mine(tronConfirmations)
  await stage.watch()
  await stage.mine(1)
  await stage.watch()
})

afterAll(() => stage.close())

async function read(path: string): Promise<Record<string, unknown>> {
  const { apiKey, apiSecret } = stage.merchant
  const response = await stage.app.request(`/api/v1${path}`, {
    headers: { 'X-API-Key': apiKey, 'X-API-Secret': apiSecret },
  })
  expect(response.status, path).toBe(200)
  return (await response.json()) as Record<string, unknown>
}

/** Each form of the transaction's 32 hex bytes in a response. */
const hashesIn = (body: unknown): Set<string> =>
  new Set(JSON.stringify(body).match(new RegExp(`(?:0x)?${hash}`, 'gi')) ?? [])

test.each([
  ['the merchant’s payment', () => `/payments/${id}`],
  ['the customer’s payment', () => `/payments/public/${id}`],
  ['the list of payments', () => '/payments'],
  ['the payment’s history', () => `/payments/${id}/history`],
])('%s writes the hash without 0x', async (_, path) => {
  expect(hashesIn(await read(path()))).toEqual(new Set([hash]))
})

test('webhooks write the hash without 0x', async () => {
  const events = await stage.db.read((tx) => tx.all(sql`select * from events where payment_id = ${id}`))
  expect(hashesIn(events)).toEqual(new Set([hash]))
})

test('links to the explorer write the hash without 0x', async () => {
  expect(JSON.stringify(await read(`/payments/public/${id}`))).toContain(`https://tronscan.org/#/transaction/${hash}"`)
})

test('a payment is found by its hash, with and without 0x, in whatever case', async () => {
  for (const text of [hash, `0x${hash}`, hash.toUpperCase(), `0x${hash.toUpperCase()}`]) {
    const { payments } = await read(`/payments?search=${text}`)
    expect(payments, text).toMatchObject([{ paymentId: id, transactionHash: hash }])
  }
})

test('a client’s hash is accepted with and without 0x', () => {
  for (const text of [hash, `0x${hash}`, hash.toUpperCase()]) expect(tronFamily.parseTxId(text)).toBe(hash)
  for (const text of [`0x0x${hash}`, hash.slice(1), `${hash}0`]) expect(tronFamily.parseTxId(text)).toBeUndefined()
})
