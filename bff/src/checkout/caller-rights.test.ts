import { newPayment } from '@stablecoin-checkout/rig/new-payment'
import { type AppFixture, openApp, order, transferTo } from '@stablecoin-checkout/rig/test-app'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../access/context/caller.ts'
import { baseUnits } from '../core/money.ts'
import type { KeyKind, MerchantId, PaymentId } from '../payment/payment.ts'
import { isOfCaller, isOfRequester, mayFail } from './access.ts'

const { merchantId } = newPayment()
const callerOf = (kind: 'public' | 'api', isTest = false, of: MerchantId = merchantId) =>
  ({ kind, isTest, merchantId: of }) as Caller
const testPayment = (madeWith: KeyKind) => newPayment({ isTest: true, madeWith })

describe('a payment belongs to a caller', () => {
  test('of its merchant, in its mode', () => {
    const live = newPayment()
    for (const kind of ['public', 'api'] as const) {
      expect(isOfCaller(callerOf(kind), live)).toBe(true)
      expect(isOfCaller(callerOf(kind, true), live)).toBe(false)
      expect(isOfCaller(callerOf(kind, false, 'other' as MerchantId), live)).toBe(false)
      expect(isOfCaller(callerOf(kind), undefined)).toBe(false)
    }
  })

  test('that created it in the sandbox with a live key: a server’s payments are the server’s, a page’s are both’s', () => {
    const ofCaller = (caller: Caller) =>
      (['public', 'api', 'test'] as const).map((madeWith) => isOfCaller(caller, testPayment(madeWith)))
    expect(ofCaller(callerOf('public'))).toEqual([true, false, false])
    expect(ofCaller(callerOf('api'))).toEqual([true, true, false])
    expect(ofCaller(callerOf('public', true))).toEqual([true, true, true])
  })

  test('or to the holder of its client secret without a key', () => {
    const payment = newPayment()
    expect(isOfRequester({ caller: null, hasClientSecret: true }, payment)).toBe(true)
    expect(isOfRequester({ caller: null, hasClientSecret: false }, payment)).toBe(false)
    expect(isOfRequester({ caller: null, hasClientSecret: true }, undefined)).toBe(false)
    // A key in the request counts, whatever else it contains.
    const foreign = callerOf('api', false, 'other' as MerchantId)
    expect(isOfRequester({ caller: foreign, hasClientSecret: true }, payment)).toBe(false)
  })
})

test('a payment is ended by its server, or, while unpaid, by the page that created it or holds its secret', () => {
  const [byPage, byServer] = [newPayment({ madeWith: 'public' }), newPayment({ madeWith: 'api' })]
  const touched = newPayment({ madeWith: 'public', seen: baseUnits('1') })
  const all = [byPage, byServer, touched]
  const may = (caller: Caller | null, hasClientSecret: boolean) =>
    all.map((payment) => mayFail({ caller, hasClientSecret }, payment))
  expect(may(callerOf('api'), false)).toEqual([true, true, true])
  expect(may(callerOf('public'), false)).toEqual([true, false, false])
  expect(may(callerOf('public'), true)).toEqual([true, true, false])
  expect(may(null, true)).toEqual([true, true, false])
  expect(may(null, false)).toEqual([false, false, false])
})

describe('a refund address', () => {
  let bff: AppFixture
  beforeAll(async () => {
    bff = await openApp()
  })
  afterAll(() => bff.close())

  const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

  /** Too much arrived late: money is owed. */
  async function owing(): Promise<PaymentId> {
    const { payment } = (await bff.create(order, { 'Idempotency-Key': crypto.randomUUID() })).body
    const id = payment['id'] as PaymentId
    const atMs = bff.nowMs()
    await bff.deps.ledger.apply(id, { type: 'transfer.confirmed', transfer: transferTo(id, 10_000_000n), atMs })
    await bff.deps.ledger.apply(id, { type: 'window.ended', blockTimeMs: atMs + 3_600_000, atMs })
    return id
  }
  const name = (id: string, body: object, headers: Record<string, string>) =>
    bff.call(`/api/v1/deposits/refund-request/${id}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const required = { status: 403, body: { code: 'CLIENT_SECRET_REQUIRED' } }

  test('cannot be set with only the public key, or with another payment’s secret', async () => {
    const [id, other] = [await owing(), await owing()]
    expect(await name(id, { address: wallet }, bff.keys.public)).toMatchObject(required)
    const clientSecret = bff.clientSecretOf(other)
    expect(await name(id, { address: wallet, clientSecret }, bff.keys.public)).toMatchObject(required)
    expect(await name(id, { address: wallet, clientSecret }, {})).toMatchObject(required)
    expect(await name(id, { address: wallet, clientSecret: bff.clientSecretOf(id) }, {})).toMatchObject({ status: 200 })
  })

  test('cannot be a token of any network, our contract, or the zero address', async () => {
    const id = await owing()
    const { factory, splitter, tokens } = [...bff.deps.networks.values()].find(
      (one) => one.family === 'evm',
    ) as never as {
      factory: string
      splitter: string
      tokens: { address: string }[]
    }
    const refusals: [string, string][] = [
      [tokens[0]?.address ?? '', 'address must not be the address of a token'],
      [factory, 'address must not be a contract of this service'],
      [splitter, 'address must not be a contract of this service'],
      [`0x${'0'.repeat(40)}`, 'address must not be the zero address'],
    ]
    for (const [address, message] of refusals) {
      const answer = await name(id, { address }, bff.keys.secret)
      expect([answer.status, answer.body['message']]).toEqual([400, message])
    }
    expect(await name(id, { address: wallet }, bff.keys.secret)).toMatchObject({ status: 200 })
  })
})
