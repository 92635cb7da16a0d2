import { newPayment } from '@stablecoin-checkout/rig/new-payment'
import { duePayout, openPayoutStage, type PayoutStage, payer } from '@stablecoin-checkout/rig/payout-stage'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { baseUnits } from '../core/money.ts'
import { createWakeSignal } from '../core/wake-signal.ts'
import { sql } from '../db/db.ts'
import type { PaymentId } from '../payment/payment.ts'
import type { Preflight } from './payout-chain.ts'
import { forEachPayout } from './payout-failure.ts'
import { togetherMs } from './payout-plan.ts'
import { ConflictError, type DuePayout } from './payout-queue-store.ts'

const never = new AbortController().signal

let stage: PayoutStage
beforeEach(async () => {
  stage = await openPayoutStage()
})
afterEach(() => stage.close())

describe('a pass', () => {
  test('asks the chain nothing while there is nothing to do', async () => {
    const { asked, worker } = stage.openWorker({ hasOwnWork: async () => false })
    expect(await worker.pass(never)).toBe(0)
    expect(await stage.openWorker().worker.pass(never)).toBe(0)
    expect(asked).toEqual([])
  })

  test('does nothing once it is stopped', async () => {
    await stage.paid()
    const { asked, worker } = stage.openWorker()
    expect(await worker.pass(AbortSignal.abort())).toBe(0)
    expect(asked).toEqual([])
  })

  test('also runs for what the chain has to do of its own', async () => {
    const { asked, worker } = stage.openWorker({
      hasOwnWork: async () => true,
      beforePayouts: [async () => 2],
      afterPayouts: [async () => 1, async () => 2],
    })
    expect(await worker.pass(never)).toBe(5)
    expect(asked).toEqual(['monitor', 'head', 'sendSweeps'])
  })

  test('reads the head only where monitoring has not', async () => {
    await stage.paid()
    const heads: number[] = []
    const { asked, worker } = stage.openWorker({
      monitor: async () => ({ done: 4, open: 0, fault: undefined, head: { number: 77 } }),
      sendSweeps: async (due, head) => {
        heads.push(head.number)
        return due.length
      },
    })
    expect(await worker.pass(never)).toBe(5)
    expect(asked).not.toContain('head')
    expect(heads).toEqual([77])
  })

  test('sends nothing new while as many transactions as may be are under way', async () => {
    await stage.paid()
    const { asked, worker } = stage.openWorker({ monitor: async () => ({ done: 0, open: 5, fault: undefined }) })
    expect(await worker.pass(never)).toBe(0)
    expect(asked).toEqual(['monitor'])
  })

  test('runs every step in spite of a fault, and throws the first one', async () => {
    await stage.paid()
    const first = new Error('first')
    const { asked, worker } = stage.openWorker({
      beforePayouts: [() => Promise.reject(first)],
      afterPayouts: [() => Promise.reject(new Error('second'))],
    })
    await expect(worker.pass(never)).rejects.toBe(first)
    expect(asked).toContain('sendSweeps')
  })

  test('sends refunds and returns although the sweeps have a fault', async () => {
    const [short, unmatched] = [await stage.short(), await stage.unmatched()]
    await stage.paid()
    const fault = new Error('sweeps')
    const { worker } = stage.openWorker({ sendSweeps: () => Promise.reject(fault) })
    await expect(worker.pass(never)).rejects.toBe(fault)
    expect([await stage.outgoing(short), await stage.outgoing(unmatched)]).toMatchObject([
      [{ kind: 'refund', state: 'sent' }],
      [{ kind: 'return', state: 'sent' }],
    ])
  })

  test('returns nothing on a network that cannot', async () => {
    const id = await stage.unmatched()
    expect(await stage.queued(id)).toMatchObject([{ kind: 'return', state: 'queued' }])
    const { asked, worker } = stage.openWorker({ canReturn: false })
    expect(await worker.pass(never)).toBe(0)
    expect(asked).not.toContain('prepareReturn')
    expect(await stage.openWorker().worker.pass(never)).toBe(1)
    expect(await stage.queued(id)).toMatchObject([{ kind: 'return', state: 'sent' }])
  })
})

describe('a refund', () => {
  test('is stored with its transaction, and the payment counts its amount as on its way', async () => {
    const id = await stage.short()
    expect(await stage.openWorker().worker.pass(never)).toBe(1)
    expect(await stage.queued(id)).toMatchObject([{ kind: 'refund', state: 'sent' }])
    expect(await stage.outgoing(id)).toEqual([{ kind: 'refund', address: payer, amount: '10000000', state: 'sent' }])
    expect(await stage.load(id)).toMatchObject({ refunding: 10_000_000n, refunded: 0n })
    expect(stage.logged).toEqual([
      {
        level: 'info',
        fields: {
          ...{ network: 'devnet', paymentId: id, address: payer, amount: '10000000' },
          txId: expect.stringContaining('0x'),
        },
        message: 'Sending a refund',
      },
    ])
  })

  test('that the payment no longer owes is forgotten, and nobody is asked about it', async () => {
    const id = await stage.short()
    // As a restored database may have it: the refund is counted, and queued.
    await stage.db.write(async (tx) => {
      await stage.ledger.applyIn(tx, id, {
        type: 'refund.confirmed',
        amount: baseUnits('10000000'),
        txId: '0x1',
        atMs: stage.clock.nowMs,
      })
      await tx.run(sql`
          insert into payouts (kind, payment_id, network, token, state, failures, due_at_ms)
          values ('refund', ${id}, 'devnet', ${newPayment().tokenAddress}, 'queued', 0, 0)
          on conflict do nothing`)
    })
    const { asked, worker } = stage.openWorker()
    expect(await worker.pass(never)).toBe(0)
    expect(asked).not.toContain('prepareRefund')
    expect(await stage.queued(id)).toEqual([])
  })

  test('waits a day after the third transaction for one payment', async () => {
    const id = await stage.short()
    const startMs = stage.clock.nowMs
    for (let attempt = 0; attempt < 3; attempt++) {
      await stage.openWorker().worker.pass(never)
      await stage.finalize(id, { result: 'unpaid' })
      stage.clock.nowMs += 1_000
    }
    const newestAtMs = startMs + 2_000
    const { asked, worker } = stage.openWorker()
    expect(await worker.pass(never)).toBe(0)
    expect(asked).not.toContain('prepareRefund')
    expect(await stage.queued(id)).toMatchObject([{ state: 'queued', failures: 0, due_at_ms: newestAtMs + togetherMs }])
    stage.clock.nowMs = newestAtMs + togetherMs
    expect(await stage.openWorker().worker.pass(never)).toBe(1)
    expect(await stage.queued(id)).toMatchObject([{ state: 'sent' }])
  })

  test.each([
    ['is empty on the chain', { isEmpty: true } as const, 1, { failures: 0 }],
    ['is too early', { retryAtMs: 2_000_000_000_000 }, 0, { failures: 0, due_at_ms: 2_000_000_000_000 }],
    ['would be refused', { refused: { reason: 'blocked' } }, 1, { failures: 1 }],
    ['is not signed', { amount: 1n, send: async () => undefined }, 0, { failures: 0 }],
    [
      'is refused when it is sent',
      { amount: 1n, send: async () => ({ refused: { reason: 'no' } }) },
      1,
      { failures: 1 },
    ],
  ] satisfies [string, Preflight, number, object][])('that %s stays queued', async (_, ready, done, row) => {
    const id = await stage.short()
    expect(await stage.openWorker({ prepareRefund: async () => ready }).worker.pass(never)).toBe(done)
    expect(await stage.queued(id)).toMatchObject([{ kind: 'refund', state: 'queued', ...row }])
    expect(await stage.outgoing(id)).toEqual([])
    expect(stage.logged.filter(({ level }) => level === 'info')).toEqual([])
  })

  test.each([
    [
      'the payment owes less by then',
      async (id: PaymentId) => {
        await stage.ledger.apply(id, {
          type: 'refund.confirmed',
          amount: baseUnits('4'),
          txId: '0x2',
          atMs: stage.clock.nowMs,
        })
      },
    ],
    [
      'another address was named',
      async (id: PaymentId) => {
        await stage.ledger.apply(id, {
          type: 'refund.requested',
          address: `0x${'9'.repeat(40)}`,
          atMs: stage.clock.nowMs,
        })
      },
    ],
    [
      'it went back in the meantime',
      async (id: PaymentId) => {
        const amount = baseUnits('10000000')
        await stage.ledger.apply(id, { type: 'refund.confirmed', amount, txId: '0x2', atMs: stage.clock.nowMs })
      },
    ],
  ])('is not stored when %s', async (_, change) => {
    const id = await stage.short()
    const prepareRefund = async (): Promise<Preflight> => ({
      amount: 10_000_000n,
      async send(store) {
        await change(id)
        return await stage.storeTransaction(store)
      },
    })
    await expect(stage.openWorker({ prepareRefund }).worker.pass(never)).rejects.toThrow(ConflictError)
    expect(await stage.outgoing(id)).toEqual([])
  })
})

test('after too little gas money nothing more is prepared until then, and then it is', async () => {
  await stage.short()
  const { asked, worker } = stage.openWorker({ outOfGasUntilMs: () => 1_000_000_000_001 })
  await worker.pass(never)
  expect(asked).not.toContain('prepareRefund')
  stage.clock.nowMs = 1_000_000_000_001
  await worker.pass(never)
  expect(asked).toContain('prepareRefund')
})

test('a fault postpones its payout alone, and the others go on', async () => {
  const [one, two] = [await stage.short(), await stage.short()]
  const fault = new Error('a node')
  const payouts = [one, two].map((paymentId) => duePayout('refund', paymentId))
  const acted: PaymentId[] = []
  const act = async (payout: DuePayout) => {
    if (payout.paymentId === one) throw fault
    acted.push(payout.paymentId)
    return 1
  }
  await expect(forEachPayout(stage.deps, payouts, act)).rejects.toBe(fault)
  expect(acted).toEqual([two])
  expect(await stage.queued(one)).toMatchObject([{ failures: 0, due_at_ms: stage.clock.nowMs + 30_000 }])
  expect(await stage.queued(two)).toMatchObject([{ due_at_ms: stage.clock.nowMs }])
})

describe('the worker', () => {
  /** Runs until `act` has settled. */
  async function whileRunning(worker: { run(signal: AbortSignal): Promise<void> }, act: () => Promise<unknown>) {
    const stop = new AbortController()
    const ended = worker.run(stop.signal)
    await act()
    stop.abort()
    await ended
  }
  const until = (isTrue: () => boolean) => expect.poll(isTrue).toBe(true)

  test('passes again at once after work, pauses without it, and is woken', async () => {
    const wakeSignal = createWakeSignal()
    let left = 3
    const balances: number[] = []
    const { asked, worker } = stage.openWorker(
      {
        hasOwnWork: async () => true,
        beforePayouts: [async () => (left > 0 ? left-- : 0)],
        readGasBalance: async () => void balances.push(left),
      },
      wakeSignal,
    )
    const passes = () => asked.filter((name) => name === 'monitor').length
    await whileRunning(worker, async () => {
      // Three with work, and one that finds no more: the next is an hour away.
      await until(() => balances.length === 4)
      expect(passes()).toBe(4)
      wakeSignal.wake()
      await until(() => balances.length === 5)
    })
    expect(balances).toEqual([2, 1, 0, 0, 0])
  })

  test('reads no balance once it is stopped', async () => {
    const stop = new AbortController()
    let isRead = false
    const { worker } = stage.openWorker({
      hasOwnWork: async () => true,
      beforePayouts: [
        async () => {
          stop.abort()
          return 1
        },
      ],
      readGasBalance: async () => {
        isRead = true
      },
    })
    await worker.run(stop.signal)
    expect(isRead).toBe(false)
  })

  test('needs neither somebody that wakes it nor a balance, and says what failed', async () => {
    await stage.paid()
    const { worker } = stage.openWorker({ monitor: () => Promise.reject(new Error('a node')) })
    await whileRunning(worker, () => until(() => stage.logged.length > 0))
    expect(stage.logged[0]).toMatchObject({
      level: 'error',
      fields: { network: 'devnet', faults: 1 },
      message: 'Payout pass failed; retrying',
    })
  })
})
