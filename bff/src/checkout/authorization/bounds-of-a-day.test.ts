import {
  client,
  merchantId,
  network,
  openAuthorizationRows,
  otherMerchant,
  payer,
  token,
} from '@stablecoin-checkout/rig/authorization-rows'
import { newPayment } from '@stablecoin-checkout/rig/new-payment'
import { createTestDatabase, type TestDatabase } from '@stablecoin-checkout/rig/test-database'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Db } from '../../db/db.ts'
import { defaultSettings, parseGasLimit } from '../../merchant/merchant-settings.ts'
import type { CheckedAuthorization } from '../../payment/authorization.ts'
import { createLedger } from '../../payment/ledger.ts'
import type { PaymentId } from '../../payment/payment.ts'
import { verifyBounds, verifyGasLimit, verifyStillOpen } from './authorization-bounds.ts'

const dayMs = 24 * 60 * 60 * 1000
const nowMs = 10 * dayMs
const limits = { perPayer: 3, perAddress: 2, dailyBudgetMicros: 1_000 }

let database: TestDatabase
let db: Db
let add: Awaited<ReturnType<typeof openAuthorizationRows>>
beforeEach(async () => {
  database = await createTestDatabase()
  db = await database.open()
  add = await openAuthorizationRows(db, nowMs - 1)
})
afterEach(async () => {
  await db.close()
  await database.drop()
})

/** Another authorization of the payer, in addition to the stored ones. */
const checked: CheckedAuthorization = {
  ...{ paymentId: 'new' as PaymentId, merchantId, network, token, payer, nonce: '0xnew', kind: 'authorization' },
  ...{ value: 25_000_000n, recipient: '0x', target: '0x', data: '0x', digest: '0x', signature: '0x' },
  ...{ isKeySignature: true, sendBeforeMs: nowMs + 1 },
}
type Asked = { costMaxMicros?: number; balance?: bigint; by?: string | null; isByServer?: boolean; from?: string }
const ask = ({
  costMaxMicros = 10,
  balance = 10n ** 12n,
  by = 'new client',
  isByServer = by === null,
  from = 'new payer',
}: Asked = {}) =>
  db.write((tx) =>
    verifyBounds(tx, {
      ...{ checked: { ...checked, payer: from }, simulated: { costMicros: 1, costMaxMicros, balance } },
      ...{ limits, client: by, isByServer, nowMs },
    }),
  )
const refusal = (code: string, status: number) => expect.objectContaining({ code, status })

describe('within a day', () => {
  test('a payer is accepted up to its limit, whoever submits', async () => {
    for (const place of [1, 2, 3]) {
      await ask({ from: payer })
      await add({ client: `client ${place}` })
    }
    await expect(ask({ from: payer })).rejects.toEqual(refusal('PAYER_LIMIT', 429))
    await ask()
  })

  test('after three reverted transactions a payer is refused, even below its limit', async () => {
    const often = { ...limits, perPayer: 100 }
    const again = () =>
      db.write((tx) =>
        verifyBounds(tx, {
          ...{ checked, simulated: { costMicros: 1, costMaxMicros: 1, balance: 10n ** 12n } },
          ...{ limits: often, client: 'new client', isByServer: false, nowMs },
        }),
      )
    for (const transactionId of ['a', 'b', 'c']) {
      await again()
      await add({ state: 'failed', transactionId, client: transactionId })
    }
    await expect(again()).rejects.toEqual(refusal('PAYER_LIMIT', 429))
  })

  test('authorizations older than a day do not count', async () => {
    for (const transactionId of ['a', 'b', 'c'])
      await add({ state: 'failed', transactionId, client, atMs: nowMs - dayMs, costMicros: 1_000 })
    await ask({ from: payer, by: client })
    await add({ atMs: nowMs - dayMs + 1, merchantId: otherMerchant, costMicros: 1_000 })
    await expect(ask({ costMaxMicros: 1 })).rejects.toEqual(refusal('DAILY_LIMIT', 429))
  })

  test('an address is accepted up to its limit, whoever signed', async () => {
    for (const place of [1, 2]) {
      await ask({ by: client })
      await add({ payer: `payer ${place}` })
    }
    await expect(ask({ by: client })).rejects.toEqual(refusal('CLIENT_LIMIT', 429))
    await ask({ by: 'another address' })
  })

  test('a merchant’s server is limited by its own reverted transactions only', async () => {
    for (const place of [1, 2, 3, 4]) await add({ client: null, payer: `payer ${place}` })
    await ask({ by: null })
    for (const transactionId of ['a', 'b'])
      await add({ client: null, merchantId: otherMerchant, state: 'failed', transactionId, payer: transactionId })
    await ask({ by: null })
    for (const transactionId of ['c', 'd']) {
      await ask({ by: null })
      await add({ client: null, state: 'failed', transactionId, payer: transactionId })
    }
    await expect(ask({ by: null })).rejects.toEqual(refusal('CLIENT_LIMIT', 429))
  })
})

describe('a client named by a merchant’s server', () => {
  const named = { by: 'named client', isByServer: true }

  test('is limited by its reverted transactions, without affecting other clients of that server', async () => {
    for (const place of [1, 2, 3, 4]) await add({ client: named.by, payer: `payer ${place}` })
    await ask(named)
    for (const transactionId of ['a', 'b']) {
      await ask(named)
      await add({ client: named.by, state: 'failed', transactionId, payer: transactionId })
    }
    await expect(ask(named)).rejects.toEqual(refusal('CLIENT_LIMIT', 429))
    await ask({ by: 'another named client', isByServer: true })
    await ask({ by: null })
  })

  test('takes at most half of what the merchant’s other clients leave, except for a first payment', async () => {
    // Of 1,000 the merchant has 800.
    await add({ client: named.by, costMicros: 390 })
    await ask({ ...named, costMaxMicros: 10 })
    await expect(ask({ ...named, costMaxMicros: 11 })).rejects.toEqual(refusal('CLIENT_LIMIT', 429))
    await add({ client: 'another', costMicros: 200 })
    await expect(ask({ ...named, costMaxMicros: 1 })).rejects.toEqual(refusal('CLIENT_LIMIT', 429))
    await ask({ by: 'another', isByServer: true, costMaxMicros: 5 })
    await expect(ask({ by: 'another', isByServer: true, costMaxMicros: 6 })).rejects.toEqual(
      refusal('CLIENT_LIMIT', 429),
    )
    await ask({ by: 'a third', isByServer: true, costMaxMicros: 200 })
  })
})

describe('the daily budget', () => {
  test('is spent to the last millionth by all together, and not beyond', async () => {
    await add({ merchantId: otherMerchant, costMicros: 900 })
    await ask({ costMaxMicros: 100 })
    await expect(ask({ costMaxMicros: 101 })).rejects.toEqual(refusal('DAILY_LIMIT', 429))
    await add({ merchantId: otherMerchant, costMicros: 100 })
    await expect(ask({ costMaxMicros: 1 })).rejects.toEqual(refusal('DAILY_LIMIT', 429))
  })

  test('is not taken by one merchant alone, except for a first payment', async () => {
    await ask({ costMaxMicros: 1_000 })
    await add({ costMicros: 500 })
    await ask({ costMaxMicros: 300 })
    await expect(ask({ costMaxMicros: 301 })).rejects.toEqual(refusal('DAILY_LIMIT', 429))
  })

  test('is shared once most of it is spent: a merchant takes half of what the others leave, to the last millionth', async () => {
    await add({ merchantId: otherMerchant, costMicros: 700 })
    await add({ costMicros: 50 })
    await ask({ costMaxMicros: 100 })
    await expect(ask({ costMaxMicros: 101 })).rejects.toEqual(refusal('DAILY_LIMIT', 429))
  })

  test('is not taken by one client alone, at any merchants, except for a first payment', async () => {
    await add({ merchantId: otherMerchant, costMicros: 200 })
    await ask({ by: client, costMaxMicros: 300 })
    await expect(ask({ by: client, costMaxMicros: 301 })).rejects.toEqual(refusal('CLIENT_LIMIT', 429))
    await ask({ costMaxMicros: 301 })
  })

  test('is separate per network', async () => {
    await add({ merchantId: otherMerchant, costMicros: 1_000, network: 'elsewhere' })
    await ask({ costMaxMicros: 1_000 })
  })
})

test('a payer must hold what it signs now plus everything that it has signed away', async () => {
  await ask({ balance: 25_000_000n })
  await expect(ask({ balance: 24_999_999n })).rejects.toEqual(refusal('INSUFFICIENT_FUNDS', 400))
  await add({ amount: 5_000_000n })
  await ask({ from: payer, balance: 30_000_000n })
  await expect(ask({ from: payer, balance: 29_999_999n })).rejects.toEqual(refusal('INSUFFICIENT_FUNDS', 400))
  await ask({ balance: 25_000_000n })
})

describe('in the commit that accepts an authorization', () => {
  const create = (changes: Parameters<typeof newPayment>[0] = {}) =>
    db.write((tx) =>
      createLedger(db, () => ({})).createIn(tx, newPayment({ sequence: 0, id: checked.paymentId, ...changes })),
    )
  const verify = (value = checked.value) => db.write((tx) => verifyStillOpen(tx, { ...checked, value }))

  test('the payment is still open for exactly that value', async () => {
    await expect(verify()).rejects.toEqual(refusal('PAYMENT_NOT_OPEN', 400))
    await create()
    await verify()
    for (const value of [24_999_999n, 25_000_001n])
      await expect(verify(value)).rejects.toEqual(refusal('PAYMENT_NOT_OPEN', 400))
  })

  test('no other authorization of the payment may still pay it', async () => {
    const { paymentId } = await add({ state: 'sent', transactionId: 'x' })
    await expect(db.write((tx) => verifyStillOpen(tx, { ...checked, paymentId }))).rejects.toEqual(
      refusal('AUTHORIZATION_UNDER_WAY', 409),
    )
  })
})

test('each refusal is a sentence that names the exceeded limit', async () => {
  const messageOf = (refused: Promise<unknown>) => refused.then(String, ({ message }: Error) => message)
  const tooOften = 'This address has reached today’s limit of payments by signature.'
  expect(await messageOf(ask({ balance: 0n }))).toBe(
    'The paying account’s token balance is too low for everything that it has signed.',
  )
  expect(await messageOf(ask({ costMaxMicros: 1_001 }))).toBe('The shop has reached today’s limit of network fees.')
  for (const place of [1, 2, 3]) await add({ client: `client ${place}`, costMicros: 170 })
  expect(await messageOf(ask({ from: payer }))).toBe('This account has reached today’s limit of payments by signature.')
  expect(await messageOf(ask({ costMaxMicros: 300 }))).toBe('The shop has reached today’s limit of network fees.')
  await add({ client: 'client 1', payer: 'other payer' })
  expect(await messageOf(ask({ by: 'client 1' }))).toBe(tooOften)
  const { paymentId } = await add({ state: 'external', externalTxId: '0xe', payer: 'third payer', client: 'fourth' })
  const open = (id: PaymentId) => db.write((tx) => verifyStillOpen(tx, { ...checked, paymentId: id }))
  expect(await messageOf(open(paymentId))).toBe('Another authorization of this payment is in progress.')
  await expect(open(paymentId)).rejects.toMatchObject({ fields: { transactionHash: '0xe' } })
  expect(await messageOf(open('none' as PaymentId))).toBe('No amount is left to pay.')
})

test('gas may cost as much as the merchant allows, to the millionth, and nothing when disabled', () => {
  const payment = newPayment()
  const costing = (costMicros: number, text = '100,0.02,1') => {
    const simulated = { costMicros, costMaxMicros: costMicros, balance: 0n }
    verifyGasLimit(payment, 25_000_000n, simulated, { ...defaultSettings, signatureGas: parseGasLimit(text) })
  }
  costing(250_000)
  expect(() => costing(250_001)).toThrow(refusal('GAS_TOO_EXPENSIVE', 400))
  expect(() => costing(260_000)).toThrow(
    'The network fee of 0.26 USD is more than the 0.25 USD that the shop pays for this payment.',
  )
  costing(20_000, '1,0.02,1')
  expect(() => costing(20_001, '1,0.02,1')).toThrow(refusal('GAS_TOO_EXPENSIVE', 400))
  expect(() => costing(0, 'off')).toThrow(refusal('SIGNATURE_NOT_OFFERED', 400))
})
