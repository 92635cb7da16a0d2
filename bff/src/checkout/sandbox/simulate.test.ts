import { type AppFixture, openApp, order } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../db/db.ts'
import { endTestPayments } from './sandbox-expiry.ts'
import { actions } from './simulate.ts'

let bff: AppFixture
beforeEach(async () => {
  bff = await openApp()
})
afterEach(() => bff.close())

const hook = 'https://shop.example/hooks'
const newDeposit = async (body: Record<string, unknown> = {}) =>
  String((await bff.create({ ...order, callbackUrl: hook, ...body }, bff.keys.test)).body.payment['id'])
const simulate = (id: string, action: unknown, headers: Record<string, string> = bff.keys.test, query = '') =>
  bff.post(`/api/v1/sandbox/payments/${id}/simulate${query}`, { action }, headers)
const deliveriesOf = async (id: string) => {
  const rows = await bff.deps.db.read((tx) =>
    tx.all<{ type: string; body: string }>(sql`select type, body from events where payment_id = ${id} order by number`),
  )
  return rows.map(({ type, body }) => ({ type, data: JSON.parse(body).data as Record<string, unknown> }))
}
const eventsOf = async (id: string) => (await deliveriesOf(id)).map(({ type }) => type)

describe('simulating', () => {
  test('a complete payment emits every event, marked as a test', async () => {
    const id = await newDeposit({ metadata: { cart: 7 } })
    const { status, body } = await simulate(id, 'complete')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      success: true,
      message: 'Simulated complete: the payment is swept.',
      payment: {
        status: 'swept',
        outcome: 'paid',
        isFinal: true,
        settlement: { state: 'settled' },
        amountReceived: '25.00',
        confirmations: 3,
        isTest: true,
        sandbox: true,
      },
    })
    expect(await eventsOf(id)).toEqual(['payment.created', 'payment.detected', 'payment.completed', 'deposit.swept'])
    for (const { data } of await deliveriesOf(id)) expect(data).toMatchObject({ isTest: true, metadata: { cart: 7 } })
  })

  test('each action takes a new payment where its name says', async () => {
    const seen: Record<string, unknown> = {}
    for (const action of actions) {
      // They need a refund.
      if (action === 'refund_paid' || action === 'refund_reorg') continue
      const { body } = await simulate(await newDeposit(), action)
      const { status, outcome, paymentState } = body.payment
      seen[action] = [status, outcome, paymentState]
    }
    expect(seen).toEqual({
      complete: ['swept', 'paid', 'completed'],
      fail: ['failed', 'failed', 'awaiting'],
      detect: ['pending', 'pending', 'awaiting'],
      underpay: ['pending', 'pending', 'underpaid'],
      overpay: ['swept', 'paid', 'overpaid_refunding'],
      expire: ['expired', 'failed', 'awaiting'],
      late: ['expired', 'failed', 'expired_refunding'],
      reorg: ['pending', 'pending', 'awaiting'],
      sweep_fail: ['sweep_failed', 'paid', 'completed'],
      refund: ['swept', 'paid', 'completed'],
    })
  })

  test('what the merchant’s wallet refunds is paid and taken back, and each is notified as on a chain', async () => {
    type Made = { payment: { id: string }; refund: { id: string }; code?: string }
    const ask = async (path: string, asked?: object) => {
      const init = asked && { method: 'POST', body: JSON.stringify(asked) }
      const headers = { 'Content-Type': 'application/json', ...bff.keys.secret }
      return (await bff.call(`/api/v1${path}`, { ...init, headers })).body as unknown as Made
    }
    const { id } = (await ask('/sandbox/payments/create', { ...order, callbackUrl: hook })).payment
    const act = (action: string) => ask(`/sandbox/payments/${id}/simulate`, { action })
    await act('complete')
    for (const action of ['refund_paid', 'refund_reorg'])
      expect((await act(action)).code).toBe('SIMULATION_NOT_POSSIBLE')
    const address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
    const { refund } = await ask(`/payments/${id}/refunds`, { amount: '10.00', address })
    await ask(`/payments/${id}/refunds`, { amount: '1.00' })
    const read = async () => (await ask(`/refunds/${refund.id}`)).refund
    await act('refund_paid')
    await act('refund_paid')
    expect(await read()).toMatchObject({ status: 'paid', paid: '10.00', excess: '0.00', isTest: true })
    await act('refund_reorg')
    expect(await read()).toMatchObject({ status: 'to_pay', paid: '0.00' })
    await act('refund_paid')
    const events = (await eventsOf(id)).filter((type) => type.startsWith('refund.'))
    const requested = ['refund.requested', 'refund.requested']
    expect(events).toEqual([...requested, 'refund.paid', 'refund.failed', 'refund.paid'])
    expect((await deliveriesOf(id)).at(-1)?.data).toMatchObject({
      refundedByMerchant: '10.00',
      refundDueByMerchant: '1.00',
      merchantRefund: { id: refund.id, status: 'paid', transactionHash: expect.stringMatching(/^0x/) },
    })
  })

  test('a payment that a refund and a reorg left underpaid is completed by what is left to pay', async () => {
    const ask = async (path: string, asked: object) => {
      const headers = { 'Content-Type': 'application/json', ...bff.keys.secret }
      const { body } = await bff.call(`/api/v1${path}`, { method: 'POST', body: JSON.stringify(asked), headers })
      return body as unknown as { payment: { id: string; status: string; paymentState: string } }
    }
    const { id } = (await ask('/sandbox/payments/create', { ...order, paymentMode: 'contract' })).payment
    const act = async (action: string) => (await ask(`/sandbox/payments/${id}/simulate`, { action })).payment
    expect(await act('overpay')).toMatchObject({ paymentState: 'overpaid_refunding' })
    await ask(`/payments/${id}/refunds`, { amount: '2.50', address: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC' })
    await act('refund_paid')
    await act('reorg')
    expect(await act('complete')).toMatchObject({ status: 'pending', paymentState: 'underpaid' })
    expect(await act('complete')).toMatchObject({ status: 'completed', paymentState: 'completed' })
  })

  test('a payment can be underpaid, then completed by the difference', async () => {
    const id = await newDeposit()
    expect((await simulate(id, 'underpay')).body.payment).toMatchObject({ amountReceived: '12.50', confirmations: 3 })
    expect((await simulate(id, 'complete')).body.payment).toMatchObject({ amountReceived: '25.00', status: 'swept' })
    expect(await eventsOf(id)).toContain('payment.underpaid')
  })

  test('a detected payment waits for confirmations, is taken back by a reorg, and is paid again', async () => {
    const id = await newDeposit()
    expect((await simulate(id, 'detect')).body.payment).toMatchObject({ confirmations: 1, amountReceived: null })
    expect((await simulate(id, 'reorg')).body.payment).toMatchObject({ detectedAt: null, transactionHash: null })
    expect((await simulate(id, 'complete')).body.payment).toMatchObject({ amountReceived: '25.00', status: 'swept' })
    expect(await eventsOf(id)).toContain('payment.reorged')
  })

  test('a payout that failed is retried by complete, or its money is taken back by a reorg', async () => {
    const [retried, reorged] = [await newDeposit(), await newDeposit()]
    expect((await simulate(retried, 'sweep_fail')).body.payment).toMatchObject({ settlement: { state: 'failed' } })
    expect((await simulate(retried, 'complete')).body.payment).toMatchObject({ settlement: { state: 'settled' } })
    await simulate(reorged, 'sweep_fail')
    expect((await simulate(reorged, 'reorg')).body.payment).toMatchObject({ outcome: 'pending', amountReceived: null })
  })

  test('what is owed goes back to the address that was asked for, and the merchant is notified', async () => {
    const id = await newDeposit()
    await simulate(id, 'overpay')
    const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
    const asked = await bff.post(
      `/api/v1/deposits/refund-request/${id}`,
      { address, clientSecret: bff.clientSecretOf(id) },
      bff.keys.test,
    )
    expect(asked.body.payment).toMatchObject({ refund: { state: 'sending', address, amount: '2.50' } })
    await simulate(id, 'refund')
    const { body } = await bff.read(`/api/v1/payments/public/${id}`)
    expect(body.payment).toMatchObject({
      excessOwed: '0.00',
      refund: { state: 'refunded', address, amountRefunded: '2.50' },
    })
    expect((await eventsOf(id)).at(-1)).toBe('deposit.refunded')

    const short = await newDeposit()
    await simulate(short, 'underpay')
    await simulate(short, 'expire')
    await simulate(short, 'refund')
    expect((await bff.read(`/api/v1/payments/public/${short}`)).body.payment).toMatchObject({
      refund: { state: 'refunded', amount: '12.50' },
    })
    expect(await bff.deps.db.read((tx) => tx.all(sql`select payment_id from payouts`))).toEqual([])
  })

  test('a repeat changes nothing and emits nothing', async () => {
    for (const action of ['complete', 'fail', 'detect', 'expire', 'sweep_fail', 'refund']) {
      const id = await newDeposit()
      const first = await simulate(id, action)
      const before = await eventsOf(id)
      expect((await simulate(id, action)).body.payment).toEqual(first.body.payment)
      expect(await eventsOf(id)).toEqual(before)
    }
  })

  test.each([
    ['expire', 'complete', /expired.*Use the action late/],
    ['fail', 'detect', /failed.*late/],
    ['detect', 'fail', /Money has been seen/],
    ['detect', 'underpay', /nothing left to underpay/],
    ['complete', 'reorg', /no reorg takes it back/],
    ['complete', 'sweep_fail', /cannot fail any more/],
    ['expire', 'refund', /Nothing can go back/],
    ['late', 'refund', /held/],
  ])('after %s refuses %s and changes nothing', async (first, second, message) => {
    const id = await newDeposit()
    const before = await simulate(id, first)
    const { status, body } = await simulate(id, second)
    expect([status, body['code']]).toEqual([409, 'SIMULATION_NOT_POSSIBLE'])
    expect(body['message']).toMatch(message)
    const after = await bff.read(`/api/v1/payments/${id}/status`, bff.keys.test)
    expect(after.body.payment).toEqual(before.body.payment)
  })

  test('the same action many times at once happens once', async () => {
    const id = await newDeposit()
    const answers = await Promise.all(Array.from({ length: 30 }, () => simulate(id, 'complete')))
    for (const { body } of answers) expect(body.payment).toMatchObject({ status: 'swept', amountReceived: '25.00' })
    expect(await eventsOf(id)).toHaveLength(4)
  })

  test('money that was seen in the window counts, though its confirmation comes after the end', async () => {
    const id = await newDeposit()
    await simulate(id, 'detect')
    expect((await simulate(id, 'expire')).body.payment).toMatchObject({ status: 'pending', outcome: 'pending' })
    expect((await simulate(id, 'complete')).body.payment).toMatchObject({ status: 'swept', outcome: 'paid' })
  })

  test('the smallest amount can be overpaid, and not underpaid', async () => {
    const [over, under] = [await newDeposit({ amount: '0.000001' }), await newDeposit({ amount: '0.000001' })]
    expect((await simulate(over, 'overpay')).body.payment).toMatchObject({ amountReceived: '0.000002' })
    expect((await simulate(under, 'underpay')).status).toBe(409)
  })

  test.each([
    ['teleport', /action must be one of complete, fail, detect, underpay, overpay, expire, late, reorg, sweep_fail/],
    [undefined, /action must be one of/],
    [7, /action must be one of/],
  ])('refuses the action %j and lists those there are', async (action, message) => {
    const { status, body } = await simulate(await newDeposit(), action)
    expect([status, body['error']]).toEqual([400, 'Validation failed'])
    expect(body['message']).toMatch(message)
  })
})

describe('the test clock', () => {
  test('is moved before the action, and the moves add up', async () => {
    const id = await newDeposit()
    expect((await simulate(id, 'underpay', bff.keys.test, '?advance=600')).body.payment).toMatchObject({
      status: 'pending',
    })
    const late = await simulate(id, 'late', bff.keys.test, '?advance=301')
    expect(late.body.payment).toMatchObject({ status: 'expired', paymentState: 'expired_refunding' })
  })

  test('lets the window end under an action that needs it open', async () => {
    const id = await newDeposit()
    expect((await simulate(id, 'complete', bff.keys.test, '?advance=901')).status).toBe(409)
    // What is refused moves nothing, the clock included.
    expect((await simulate(id, 'complete')).body.payment).toMatchObject({ status: 'swept' })
  })

  test('does not make a transfer late that came in time', async () => {
    const id = await newDeposit()
    await simulate(id, 'detect')
    expect((await simulate(id, 'complete', bff.keys.test, '?advance=5000')).body.payment).toMatchObject({
      status: 'swept',
      amountReceived: '25.00',
    })
  })

  test.each(['-1', '1.5', 'soon', '2678401'])('refuses to be moved by %s', async (seconds) => {
    const { status, body } = await simulate(await newDeposit(), 'detect', bff.keys.test, `?advance=${seconds}`)
    expect([status, body['message']]).toEqual([400, expect.stringContaining('advance must be a whole number')])
  })

  test('goes at most a year ahead', async () => {
    const id = await newDeposit()
    for (let month = 0; month < 11; month++) await simulate(id, 'expire', bff.keys.test, '?advance=2678400')
    const { status, body } = await simulate(id, 'expire', bff.keys.test, '?advance=2678400')
    expect([status, body['message']]).toEqual([400, expect.stringContaining('366 days')])
  })
})

describe('a test payment that nobody touches', () => {
  test('expires by the clock, once, and the merchant is notified', async () => {
    const id = await newDeposit()
    bff.advance(900_000)
    expect(await endTestPayments(bff.deps)).toBe(0)
    bff.advance(1)
    expect(await endTestPayments(bff.deps)).toBe(1)
    expect(await endTestPayments(bff.deps)).toBe(0)
    expect((await bff.read(`/api/v1/payments/${id}/status`, bff.keys.test)).body.payment).toMatchObject({
      status: 'expired',
    })
    expect(await eventsOf(id)).toEqual(['payment.created', 'payment.expired'])
  })

  test('expires although another one cannot be changed', async () => {
    const [broken, id] = [await newDeposit(), await newDeposit()]
    const setMetadata = (metadata: string | null) =>
      bff.deps.db.write((tx) => tx.run(sql`update payments set metadata = ${metadata} where id = ${broken}`))
    bff.advance(900_001)
    await setMetadata('{')
    await expect(endTestPayments(bff.deps)).rejects.toThrow('JSON')
    expect(await eventsOf(id)).toEqual(['payment.created', 'payment.expired'])
    await setMetadata(null)
    expect(await endTestPayments(bff.deps)).toBe(1)
    expect(await eventsOf(broken)).toEqual(['payment.created', 'payment.expired'])
  })

  test('expires by its own clock, when that was moved', async () => {
    const id = await newDeposit()
    await simulate(id, 'underpay', bff.keys.test, '?advance=600')
    bff.advance(300_001)
    expect(await endTestPayments(bff.deps)).toBe(1)
    expect((await bff.read(`/api/v1/payments/${id}/status`, bff.keys.test)).body.payment).toMatchObject({
      status: 'expired',
    })
  })

  test('stays open for an hour after the end while its money waits for confirmations, and no longer', async () => {
    const id = await newDeposit()
    await simulate(id, 'detect')
    bff.advance(900_001)
    expect(await endTestPayments(bff.deps)).toBe(1)
    bff.advance(3_599_999)
    expect(await endTestPayments(bff.deps)).toBe(0)
    expect((await bff.read(`/api/v1/payments/${id}/status`, bff.keys.test)).body.payment).toMatchObject({
      status: 'pending',
    })
    bff.advance(1)
    expect(await endTestPayments(bff.deps)).toBe(1)
    expect(await endTestPayments(bff.deps)).toBe(0)
    expect(await eventsOf(id)).toEqual(['payment.created', 'payment.detected', 'payment.reorged', 'payment.expired'])
  })

  test('leaves live payments to the clock of their chain', async () => {
    const id = (await bff.create()).body.payment['id']
    bff.advance(10_000_000)
    expect(await endTestPayments(bff.deps)).toBe(0)
    expect((await bff.read(`/api/v1/payments/${id}/status`)).body.payment).toMatchObject({ status: 'pending' })
  })
})
