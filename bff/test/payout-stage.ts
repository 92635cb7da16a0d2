import { baseUnits, silentLog, systemRuntime, type WakeSignal } from '@stablecoin-checkout/bff/testing/core'
import { sql } from '@stablecoin-checkout/bff/testing/db'
import {
  createLedger,
  type DepositPayment,
  loadPayment,
  type PaymentId,
} from '@stablecoin-checkout/bff/testing/payment'
import {
  createPayoutWorker,
  type DuePayout,
  finalizePayouts,
  insertAttempt,
  type PayoutResult,
  type Preflight,
  type StorePayouts,
} from '@stablecoin-checkout/bff/testing/payout'
import { newPayment, transferOf } from './new-payment.ts'
import { createTestDatabase } from './test-database.ts'

export const payer = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
/** A token in which no payment is due. */
export const unmatchedToken = '0x5fc8d32690cc91d4c39d9d3abcbd16989f875707'

type Logged = { level: string; fields: object; message: string }
type QueueRow = { kind: string; state: string; failures: number; due_at_ms: number }
type OutgoingRow = { kind: string; address: string | null; amount: string | null; state: string }
type Script = Partial<Parameters<typeof createPayoutWorker<{ number: number }>>[1]>

export type PayoutStage = Awaited<ReturnType<typeof openPayoutStage>>

/** The payout queue on a real database, a clock that moves only manually, and a chain controlled by the test. For tests. */
export async function openPayoutStage() {
  const database = await createTestDatabase()
  const db = await database.open()
  const ledger = createLedger(db, ({ id, status }) => ({ id, status }))
  const clock = { nowMs: 1_000_000_000_000 }
  const runtime = { ...systemRuntime, nowMs: () => clock.nowMs }
  const logged: Logged[] = []
  const put = (level: string) => (fields: object, message: string) => void logged.push({ level, fields, message })
  const log = { ...silentLog, info: put('info'), warn: put('warn'), error: put('error') }
  const { merchantId } = newPayment()
  await db.write((tx) =>
    tx.run(sql`
        insert into merchants (id, name, webhook_secret, created_at_ms) values (${merchantId}, 'Corner Coffee', 's', 0)`),
  )
  // Long enough that no pass follows an idle one within a test.
  const deps = { db, ledger, log, runtime, network: { shortName: 'devnet', pollMs: 3_600_000 } }

  async function create(amount: string): Promise<PaymentId> {
    const id = systemRuntime.newUuid() as PaymentId
    const payment = newPayment({ id, sequence: 0, depositAddress: `0x${id}` })
    const transfer = transferOf(amount, { txId: `0x${id}` })
    await db.write(async (tx) => {
      await ledger.createIn(tx, payment)
      await ledger.applyIn(tx, id, { type: 'transfer.confirmed', transfer, atMs: clock.nowMs })
    })
    return id
  }

  let transactions = 0
  /** Stores a transaction as a chain family does, with its payouts in the same commit. */
  async function storeTransaction(store: StorePayouts): Promise<{ txId: string }> {
    transactions += 1
    const id = `transaction-${transactions}`
    const txId = `0x${id}` as const
    const at = { network: 'devnet', sender: '0xa', nonce: transactions, raw: '0x00', atMs: clock.nowMs } as const
    await db.write(async (tx) => {
      await insertAttempt(tx, { ...at, id, txId })
      await store(tx, id)
    })
    return { txId }
  }
  const sends = (amount: bigint): Preflight => ({ amount, send: storeTransaction })

  return {
    db,
    ledger,
    clock,
    logged,
    deps,
    storeTransaction,
    sends,
    /** A paid payment with a queued sweep. */
    paid: () => create('25000000'),
    /** A payment that received ten tokens, which must be refunded. */
    async short(): Promise<PaymentId> {
      const id = await create('10000000')
      await ledger.apply(id, { type: 'window.ended', blockTimeMs: 900_000_000, atMs: clock.nowMs })
      await ledger.apply(id, { type: 'refund.requested', address: payer, atMs: clock.nowMs })
      return id
    },
    /** A payment with seven units of another token at its address, which must be returned. */
    async unmatched(): Promise<PaymentId> {
      const id = systemRuntime.newUuid() as PaymentId
      await db.write((tx) => ledger.createIn(tx, newPayment({ id, sequence: 0, depositAddress: `0x${id}` })))
      const at = { network: 'devnet', atMs: clock.nowMs }
      const measured = { currency: 'USDT', decimals: 6, balance: baseUnits('7'), block: 1, txId: null }
      await ledger.apply(id, { type: 'unmatched.measured', token: unmatchedToken, ...at, ...measured })
      await ledger.apply(id, { type: 'refund.requested', address: payer, ...at })
      return id
    },
    async load(id: PaymentId): Promise<DepositPayment> {
      const payment = await db.read((tx) => loadPayment(tx, id))
      if (payment?.mode !== 'deposit') throw new Error(`There is no deposit ${id}`)
      return payment
    },
    queued: (id: PaymentId) =>
      db.read((tx) =>
        tx.all<QueueRow>(sql`
            select kind, state, failures, due_at_ms from payouts where payment_id = ${id} order by kind`),
      ),
    outgoing: (id: PaymentId) =>
      db.read((tx) =>
        tx.all<OutgoingRow>(sql`
            select kind, address, amount, state from outgoing_payouts where payment_id = ${id} order by transaction_id`),
      ),

    /** Finalizes the payment's newest transaction, with this result for each of its payouts. */
    finalize: (id: PaymentId, result: PayoutResult) =>
      db.write(async (tx) => {
        const row = await tx.get<{ id: string }>(sql`
            select x.id from outgoing_payouts o join outgoing_transactions x on x.id = o.transaction_id
             where o.payment_id = ${id} order by x.nonce desc limit 1`)
        const finalized = await finalizePayouts(deps, tx, row?.id ?? '', () => result)
        const state = result.result === 'paid' ? 'confirmed' : 'failed'
        await tx.run(sql`update outgoing_transactions set state = ${state} where id = ${row?.id ?? ''}`)
        return finalized.length
      }),

    /** A worker, and the calls to its chain. By default, everything due can be sent. */
    openWorker(script: Script = {}, wakeSignal?: WakeSignal) {
      const asked: string[] = []
      const noted =
        <Args extends unknown[], Result>(name: string, act: (...args: Args) => Result) =>
        (...args: Args): Result => {
          asked.push(name)
          return act(...args)
        }
      const chain = {
        openMax: 5,
        sweepsMax: 10,
        canReturn: true,
        outOfGasUntilMs: () => 0,
        head: async () => ({ number: 100 }),
        monitor: async () => ({ done: 0, open: 0, fault: undefined }),
        sendSweeps: async (due: readonly DuePayout[]) => due.length,
        prepareRefund: async () => sends(10_000_000n),
        prepareReturn: async () => sends(7n),
        ...script,
      }
      const { head, monitor, sendSweeps, prepareRefund, prepareReturn } = chain
      const worker = createPayoutWorker(
        { ...deps, ...(wakeSignal && { wakeSignal }) },
        {
          ...chain,
          head: noted('head', head),
          monitor: noted('monitor', monitor),
          sendSweeps: noted('sendSweeps', sendSweeps),
          prepareRefund: noted('prepareRefund', prepareRefund),
          prepareReturn: noted('prepareReturn', prepareReturn),
        },
      )
      return { asked, worker }
    },

    async close(): Promise<void> {
      await db.close()
      await database.drop()
    },
  }
}

/** A queued payout as a pass reads it. */
export function duePayout(kind: DuePayout['kind'], paymentId: PaymentId, failures = 0): DuePayout {
  const token = kind === 'return' ? unmatchedToken : newPayment().tokenAddress
  return {
    kind,
    paymentId,
    network: 'devnet',
    token,
    failures,
    depositAddress: '',
    depositTerms: '{}',
    tokenDecimals: 6,
    dollarRate: '1',
    waitingSinceMs: null,
  }
}
