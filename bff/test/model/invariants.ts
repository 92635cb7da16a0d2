import { strict as assert } from 'node:assert'
import { sql, type Tx } from '@stablecoin-checkout/bff/testing/db'
import { outcomeOfStatus, type Status } from '@stablecoin-checkout/bff/testing/payment'
import { confirmations } from './network.ts'
import { due, type World } from './world.ts'

type PaymentRow = {
  id: string
  seen: string
  received: string
  late: string
  status: Status
  sequence: number
  closed_as: string | null
  is_direct: number
}
type TransferRow = {
  payment_id: string
  tx_id: string
  log_index: number
  amount: string
  block_hash: string
  state: 'seen' | 'confirmed' | 'reverted'
  is_late: number
}
type EventRow = { payment_id: string; sequence: number; type: string; body: string | null; deliveries: number }

type Facts = { payments: PaymentRow[]; transfers: TransferRow[]; events: EventRow[]; sweeps: string[] }

async function readFacts(tx: Tx): Promise<Facts> {
  return {
    payments: await tx.all<PaymentRow>(sql`
        select id, seen, received, late, status, sequence, closed_as, is_direct from payments order by number`),
    transfers: await tx.all<TransferRow>(sql`
        select payment_id, tx_id, log_index, amount, block_hash, state, is_late from transfers`),
    events: await tx.all<EventRow>(sql`
        select payment_id, sequence, type, body,
               (select count(*) from deliveries d where d.event_number = e.number) as deliveries
          from events e order by number`),
    sweeps: (await tx.all<{ id: string }>(sql`select payment_id as id from payouts where kind = 'sweep'`)).map(
      ({ id }) => id,
    ),
  }
}

const sum = (amounts: readonly (string | bigint)[]) => amounts.reduce<bigint>((total, one) => total + BigInt(one), 0n)

/**
 * What must be true after every step, whatever the node said and wherever the process died: I1 to I4, I7 and I9 of the ten money
 * invariants. Remembers earlier states, to judge the changes between checks.
 */
export function createInvariants(world: World) {
  const before = new Map<string, { status: Status; closedAs: string | null; sequence: number }>()
  const standing = new Set<string>()

  /**
   * I2: sums equal those of the transfers. Also this part of I5: exactly the paid payments have a queued sweep, but none at the
   * merchant's own addresses.
   */
  function sumsAreTransfers({ payments, transfers, sweeps }: Facts): void {
    for (const { id, seen, received, late, status, is_direct: isDirect } of payments) {
      const own = transfers.filter((one) => one.payment_id === id && one.state !== 'reverted')
      const inTime = own.filter(({ is_late }) => is_late === 0)
      const final = (some: TransferRow[]) =>
        sum(some.filter((one) => one.state === 'confirmed').map((one) => one.amount))
      assert.equal(BigInt(seen), sum(inTime.map(({ amount }) => amount)), `${id}: seen`)
      assert.equal(BigInt(received), final(inTime), `${id}: received`)
      assert.equal(BigInt(late), final(own.filter(({ is_late }) => is_late === 1)), `${id}: late`)
      assert.equal(outcomeOfStatus(status) === 'paid', BigInt(received) >= due, `${id}: ${status} with ${received}`)
      const isSwept = outcomeOfStatus(status) === 'paid' && isDirect === 0
      assert.equal(sweeps.includes(id), isSwept, `${id}: queued to be forwarded`)
    }
  }

  /**
   * I1 and I3: no transfer counts for another payment, and a confirmed one had its confirmations below a head that a node
   * reported.
   */
  function evidenceIsThere({ transfers }: Facts): void {
    const keys = new Set<string>()
    for (const { payment_id, tx_id, log_index, block_hash, state } of transfers) {
      const key = `${tx_id}:${log_index}`
      assert.ok(!keys.has(key), `${key} counts twice`)
      keys.add(key)
      const depth = world.node.shownDepth(block_hash)
      assert.ok(depth >= (state === 'confirmed' ? confirmations : 1), `${key} of ${payment_id} is ${state} at ${depth}`)
    }
  }

  /** I4: no transfer is reverted while it is in the chain. */
  function onlyReorgsTakeBack({ transfers }: Facts): void {
    for (const { tx_id, log_index, block_hash, state } of transfers) {
      const key = `${tx_id}:${log_index} in ${block_hash}`
      if (state !== 'reverted') standing.add(key)
      else if (standing.delete(key)) {
        assert.ok(!world.chain.blocks.some(({ hash }) => hash === block_hash), `${key} was taken back`)
      }
    }
  }

  /** I4: an outcome is revoked only by a reorg of which the merchant is notified, and never after the payment is closed. */
  function outcomesStay({ payments, events }: Facts): void {
    for (const { id, status, sequence, closed_as: closedAs } of payments) {
      const last = before.get(id)
      before.set(id, { status, closedAs, sequence })
      if (!last) continue
      const since = events.filter((event) => event.payment_id === id && event.sequence > last.sequence)
      const isBack = outcomeOfStatus(last.status) === 'paid' && outcomeOfStatus(status) !== 'paid'
      if (isBack)
        assert.ok(
          since.some(({ type }) => type === 'payment.reorged'),
          `${id}: ${last.status} to ${status}`,
        )
      if (last.closedAs !== null) assert.equal(closedAs, last.closedAs, `${id} was closed`)
    }
  }

  /** I7: every event exists once, without gaps, with one delivery, and the last one shows the current state. */
  function newsAreWhole({ payments, events }: Facts): void {
    for (const { id, sequence } of payments) {
      const own = events.filter((event) => event.payment_id === id)
      const numbers = own.map((event) => event.sequence)
      assert.deepEqual(
        numbers,
        Array.from({ length: sequence }, (_, index) => index + 1),
        `${id}: sequence`,
      )
      assert.ok(
        own.every(({ deliveries }) => deliveries === 1),
        `${id}: deliveries`,
      )
    }
  }

  /** I9: the live chain never affects a test payment. */
  function testsAreApart({ payments, transfers }: Facts): void {
    for (const { id } of world.payments.filter(({ isTest }) => isTest)) {
      const { status, sequence } = payments.find((payment) => payment.id === id) ?? {}
      assert.ok(status === 'pending' || status === 'failed', `${id}: ${status}`)
      assert.ok((sequence ?? 0) <= 2, `${id}: ${sequence} events`)
      assert.ok(!transfers.some(({ payment_id }) => payment_id === id), `${id} has a transfer`)
    }
  }

  return {
    async check(): Promise<void> {
      const facts = await world.read(readFacts)
      sumsAreTransfers(facts)
      evidenceIsThere(facts)
      onlyReorgsTakeBack(facts)
      outcomesStay(facts)
      newsAreWhole(facts)
      testsAreApart(facts)
    },

    /** Once an honest node has shown everything and all windows are over: the records match the chain exactly. */
    async checkAgainstChain(): Promise<void> {
      const { payments, events } = await world.read(readFacts)
      const all = world.chain.blocks.flatMap((block) =>
        block.transfers.map((one) => ({ ...one, timeMs: block.timeMs })),
      )
      for (const { id, address, windowEndsAtMs, isTest } of world.payments) {
        const stored = payments.find((payment) => payment.id === id)
        assert.ok(stored)
        if (isTest) continue
        const own = all.filter(({ to, isOurToken }) => to === address && isOurToken)
        const isInTime = ({ timeMs }: { timeMs: number }) => timeMs <= windowEndsAtMs && stored.closed_as === null
        const inTime = sum(own.filter(isInTime).map(({ amount }) => amount))
        assert.equal(BigInt(stored.received), inTime, `${id}: received`)
        assert.equal(BigInt(stored.seen), inTime, `${id}: seen`)
        assert.equal(BigInt(stored.late), sum(own.map(({ amount }) => amount)) - inTime, `${id}: late`)
        const paid = stored.is_direct === 1 ? 'swept' : 'sweeping'
        assert.equal(stored.status, inTime >= due ? paid : (stored.closed_as ?? 'expired'), `${id}: status`)
        const last = events.filter((event) => event.payment_id === id).at(-1)
        assert.equal(
          JSON.parse(last?.body ?? '{}').data?.status,
          stored.status,
          `${id}: the last event that the merchant got`,
        )
      }
    },
  }
}
