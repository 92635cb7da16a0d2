import { openBridgedApp, relayAddress, requestId, settingsFor } from '@stablecoin-checkout/rig/relay-stage'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../db/db.ts'
import type { PaymentId } from '../../payment/payment.ts'
import { duePolls } from './bridge-poll-store.ts'
import { createBridgeProgress } from './bridge-progress.ts'
import { isReindexDue, planAfterFault, planPoll } from './poll-interval.ts'

let bff: Awaited<ReturnType<typeof openBridgedApp>>
beforeEach(async () => {
  bff = await openBridgedApp()
})
afterEach(() => bff.close())

const [inTx, outTx] = ['a1', 'b2'].map((byte) => `0x${byte.repeat(32)}`)
const statusPath = '/intents/status/v3'
const requestsPath = '/requests/v3'
const reindexPath = '/transactions/deposit-address/reindex'

/** A payment, the worker, and the relay's report about it. */
async function follow() {
  const { db, ledger, runtime, log } = bff.deps
  const settings = settingsFor(bff.relay.baseUrl, { pollMs: 1_000, reindexAfterSeconds: 60 })
  const progress = createBridgeProgress({ db, ledger, relay: bff.client, settings, runtime, log })
  const id = await newPayment()
  const says = (answer: object) => bff.responses.set(statusPath, () => ({ body: { status: 'waiting', ...answer } }))
  says({})
  bff.responses.set(requestsPath, () => ({ body: { requests: [] } }))
  bff.responses.set(reindexPath, () => ({ body: { message: 'ok' } }))
  const pass = () => progress.pass(new AbortController().signal)
  return { id, progress, says, pass, shows: () => shown(id) }
}

async function newPayment(): Promise<PaymentId> {
  const wanted = { amount: 25, originChainId: 8453, originCurrency: 'USDC' }
  const { body } = await bff.post('/api/v1/payments/cross-chain/create', wanted, {
    'Idempotency-Key': crypto.randomUUID(),
  })
  return body.payment['id'] as PaymentId
}

const shown = async (id: PaymentId) => (await bff.read(`/api/v1/payments/cross-chain/status/${id}`)).body.payment
const polls = () => bff.deps.db.read((tx) => tx.all<{ failures: number }>(sql`select failures from bridge_polls`))
const asked = (path: string) => bff.relay.of(path).length

describe('the progress of a bridge', () => {
  test('is shown live, with the transactions of both chains, and ends with the delivery', async () => {
    const { says, pass, shows } = await follow()
    await pass()
    expect(await shows()).toMatchObject({ bridgeStatus: 'waiting', originTxHash: null })
    for (const status of ['depositing', 'pending', 'submitted', 'delayed'] as const) {
      bff.advance(1_000)
      says({ status, inTxHashes: [inTx] })
      await pass()
      expect(await shows()).toMatchObject({ bridgeStatus: status, originTxHash: inTx, destinationTxHash: null })
    }
    bff.advance(1_000)
    says({ status: 'success', inTxHashes: [inTx], txHashes: [outTx] })
    await pass()
    expect(await shows()).toMatchObject({
      ...{ bridgeStatus: 'success', originTxHash: inTx, destinationTxHash: outTx },
      // The relay reports it, but the chain does not have it.
      ...{ outcome: 'pending', amountReceived: null },
    })
    expect(await polls()).toEqual([])
  })

  test('is polled at its own interval', async () => {
    const { pass } = await follow()
    expect([await pass(), await pass()]).toEqual([1, 0])
    bff.advance(1_000)
    expect(await pass()).toBe(1)
    expect(asked(statusPath)).toBe(2)
  })

  test('shows a refund with its transaction and reason, and the address is payable again', async () => {
    const { says, pass, shows } = await follow()
    says({ status: 'refund', inTxHashes: [inTx], txHashes: [outTx], failReason: 'AMOUNT_TOO_LOW' })
    await pass()
    expect(await shows()).toMatchObject({
      ...{ bridgeStatus: 'refund', bridgeRefundTxHash: outTx, destinationTxHash: null, bridgeReason: 'AMOUNT_TOO_LOW' },
      ...{ outcome: 'pending', bridgeMessage: expect.stringContaining('sent it back') },
    })
    bff.advance(4_000)
    says({ status: 'waiting' })
    await pass()
    expect(await shows()).toMatchObject({ bridgeStatus: 'refund' })
    bff.advance(4_000)
    says({ status: 'pending', inTxHashes: [inTx] })
    await pass()
    expect(await shows()).toMatchObject({ bridgeStatus: 'pending' })
  })

  test('stays at the last known status when an unknown one is reported, and continues', async () => {
    const { says, pass, shows } = await follow()
    says({ status: 'pending', inTxHashes: [inTx] })
    await pass()
    bff.advance(1_000)
    says({ status: 'teleporting', inTxHashes: [inTx] })
    await pass()
    expect(await shows()).toMatchObject({ bridgeStatus: 'pending' })
    expect(await polls()).toEqual([{ failures: 0 }])
  })

  test('of an order unknown to the relay is waiting', async () => {
    const { pass, shows } = await follow()
    bff.responses.set(statusPath, () => ({ status: 404, body: { message: 'not found' } }))
    await pass()
    expect(await shows()).toMatchObject({ bridgeStatus: 'waiting' })
  })

  test('stays what it was while the relay no longer knows the order', async () => {
    const { says, pass, shows } = await follow()
    says({ status: 'pending', inTxHashes: [inTx] })
    await pass()
    bff.responses.set(statusPath, () => ({ status: 404, body: { message: 'not found' } }))
    bff.advance(1_000)
    expect(await pass()).toBe(1)
    expect(await shows()).toMatchObject({ bridgeStatus: 'pending', originTxHash: inTx })
  })

  test('of one bridge that is refused does not delay the others', async () => {
    const { pass } = await follow()
    await newPayment()
    let first = true
    bff.responses.set(statusPath, () => {
      const refusal = { status: 400, body: { message: 'bad', errorCode: 'INVALID_ID' } }
      const answer = first ? refusal : { body: { status: 'waiting' } }
      first = false
      return answer
    })
    expect(await pass()).toBe(1)
    expect((await polls()).map(({ failures }) => failures).sort()).toEqual([0, 1])
    bff.advance(10_000)
    expect(await pass()).toBe(2)
    expect(await polls(), 'an answer ends the pauses of its faults').toEqual([{ failures: 0 }, { failures: 0 }])
  })

  test('of a bridge that is refused again and again is asked for ever less often', async () => {
    const { pass } = await follow()
    bff.responses.set(statusPath, () => ({ status: 400, body: { message: 'bad', errorCode: 'INVALID_ID' } }))
    await pass()
    for (const pauseMs of [2_000, 4_000, 8_000]) {
      const before = asked(statusPath)
      bff.advance(pauseMs - 1)
      await pass()
      expect(asked(statusPath)).toBe(before)
      bff.advance(1)
      await pass()
      expect(asked(statusPath)).toBe(before + 1)
    }
  })

  test('is polled first of the bridge that is due longest', async () => {
    const ids = [await newPayment(), await newPayment(), await newPayment()]
    const due = async (dueAtMs: readonly number[]) => {
      const { db } = bff.deps
      await db.write(async (tx) => {
        for (const [nth, id] of ids.entries())
          await tx.run(sql`update bridge_polls set due_at_ms = ${dueAtMs[nth] ?? 0} where payment_id = ${id}`)
      })
      return (await db.read((tx) => duePolls(tx, 9, 2))).map(({ paymentId }) => ids.indexOf(paymentId))
    }
    expect(await due([3, 1, 2])).toEqual([1, 2])
    expect(await due([2, 3, 1])).toEqual([2, 0])
    expect(await due([10, 9, 10])).toEqual([1])
  })

  test('is not polled for every payment while the relay is busy', async () => {
    const { pass } = await follow()
    await newPayment()
    bff.responses.set(statusPath, () => ({ status: 429, headers: { 'retry-after': '9' }, body: { message: 'busy' } }))
    await expect(pass()).rejects.toMatchObject({ retryAfterMs: 9_000 })
    expect(asked(statusPath)).toBe(1)
  })
})

describe('money that the relay does not detect', () => {
  test('is searched for again, a few times at increasing intervals', async () => {
    const { pass } = await follow()
    await pass()
    expect(asked(reindexPath)).toBe(0)
    for (let minute = 0; minute < 25; minute++) {
      bff.advance(60_000)
      await pass()
    }
    expect(asked(reindexPath)).toBe(3)
    expect(bff.relay.of(reindexPath)[0]?.body).toEqual({ chainId: 8453, depositAddress: relayAddress })
  })

  test('is found by its address when it arrived as another order', async () => {
    const { pass, shows } = await follow()
    const other = { id: '0x0f', status: 'refund', inTxs: [{ txHash: inTx }], outTxs: [{ txHash: outTx }] }
    const own = { id: requestId, status: 'waiting' }
    bff.responses.set(requestsPath, () => ({
      body: { requests: [own, { ...other, failReason: 'ORPHANED_DEPOSIT_REFUND' }] },
    }))
    bff.advance(60_000)
    await pass()
    expect(await shows()).toMatchObject({ bridgeStatus: 'refund', originTxHash: inTx, bridgeRefundTxHash: outTx })
  })

  test('is searched for at the next time when it was requested too soon', async () => {
    const { pass } = await follow()
    bff.responses.set(reindexPath, () => ({ status: 429, body: { message: 'too soon' } }))
    bff.advance(60_000)
    await pass()
    bff.responses.set(reindexPath, () => ({ body: { message: 'ok' } }))
    bff.advance(1_000)
    await pass()
    bff.advance(1_000)
    await pass()
    expect(asked(reindexPath)).toBe(2)
  })
})

describe('the interval', () => {
  const minute = 60_000
  const at = (status: Parameters<typeof planPoll>[0]['status'], nowMs: number) => {
    const next = planPoll({ status, createdAtMs: 0, expiresAtMs: 30 * minute, nowMs, pollMs: 5_000 })
    return next === null ? null : next - nowMs
  }
  test('is short while somebody waits and long when little is likely to happen', () => {
    expect([at('waiting', minute), at('waiting', 20 * minute), at('waiting', 60 * minute)]).toEqual([
      ...[5_000, 20_000, 60_000],
    ])
    expect([at('waiting', 24 * 60 * minute), at('pending', 20 * minute), at('pending', 24 * 60 * minute)]).toEqual([
      ...[60 * minute, 5_000, 60_000],
    ])
    expect([at('success', 0), at('refund', 31 * minute), at('waiting', 8 * 24 * 60 * minute)]).toEqual([
      ...[null, null, null],
    ])
  })
  const [poll, most] = [5_000, 7 * 24 * 60 * minute]
  test.each([
    ['waiting', 10 * minute - 1, poll],
    ['waiting', 10 * minute, 4 * poll],
    ['failure', 10 * minute, 4 * poll],
    ['waiting', 40 * minute - 1, 4 * poll],
    ['waiting', 40 * minute, minute],
    ['failure', 90 * minute - 1, minute],
    ['waiting', 90 * minute, 60 * minute],
    ['failure', 90 * minute, 60 * minute],
    ['pending', 90 * minute - 1, poll],
    ['pending', 90 * minute, minute],
    ['pending', 30 * minute + most, minute],
    ['pending', 30 * minute + most + 1, null],
    ['refund', 30 * minute, 4 * poll],
    ['refund', 30 * minute + 1, null],
  ] as const)('of a bridge that is %s, at %d ms, is %s', (status, nowMs, expected) => {
    expect(at(status, nowMs)).toBe(expected)
  })
  test('is at least what is set, however little is likely to happen', () => {
    const slow = { createdAtMs: 0, expiresAtMs: 30 * minute, nowMs: 90 * minute, pollMs: 2 * 60 * minute }
    for (const status of ['waiting', 'pending'] as const)
      expect(planPoll({ ...slow, status }) ?? 0).toBe(90 * minute + 2 * 60 * minute)
  })
  test('doubles with each failure, up to ten minutes', () => {
    const pauses = [1, 2, 6, 7, 40].map((failures) => planAfterFault(failures, 1, 5_000) - 1)
    expect(pauses).toEqual([10_000, 20_000, 320_000, 600_000, 600_000])
  })
  test('of reindex requests ends', () => {
    const due = (nowMs: number, reindexes: number) =>
      isReindexDue({ status: 'waiting', createdAtMs: 0, nowMs }, reindexes, 60_000)
    expect([due(59_999, 0), due(60_000, 0), due(60_000, 1), due(1e12, 4), due(1e12, 5)]).toEqual([
      ...[false, true, false, true, false],
    ])
  })
})

test('the worker ends at the signal, even if the relay hangs', async () => {
  const { progress } = await follow()
  bff.responses.set(statusPath, () => ({ hang: true }))
  const stopping = new AbortController()
  const run = progress.run(stopping.signal)
  await expect.poll(() => asked(statusPath)).toBeGreaterThan(0)
  const before = asked(statusPath)
  stopping.abort()
  await run
  expect(asked(statusPath)).toBe(before)
})
