import { type Db, sql } from '@stablecoin-checkout/bff/testing/db'
import { expect } from 'vitest'
import { eventsOf, type Paid, payoutsOf } from './paid.ts'
import type { Story } from './story.ts'

/** Deliveries begun by a dead replica are repeated later. */
const patienceMs = 60_000

/** An event of the pull feed. `bridgeStatus`: only for `bridge.moved`. */
export type FeedEvent = {
  number: number
  paymentId: string
  sequence: number
  type: string
  bridgeStatus?: string | null
}

/** Compares a load's result with what was sent, and with the merchant's notifications. */
export async function openJudge({ chain, devnet, receiver }: Story, db: Db) {
  const operatorNonce = () =>
    chain.node().reader.getTransactionCount({ address: devnet.operator.address, blockTag: 'pending' })
  const firstNonce = await operatorNonce()

  return {
    /** Each payout was made by one transaction, stored before it was sent. */
    async expectPayoutsOnce(paid: readonly Paid[]): Promise<void> {
      const rows = await db.read((tx) =>
        tx.all<{ paymentId: string; kind: string }>(sql`
            select o.payment_id as "paymentId", case when x.id is null then 'unknown ' else '' end || o.kind as kind
              from outgoing_payouts o left join outgoing_transactions x on x.id = o.transaction_id
             where x.id is null or x.state = 'confirmed'
             order by o.payment_id, o.kind`),
      )
      const made = groupByPayment(rows)
      for (const { id, kind } of paid)
        expect([id, (made.get(id) ?? []).map((one) => one.kind)]).toEqual([id, payoutsOf[kind]])
    },

    /** The transactions counted by the chain are those sent according to the database. */
    async expectNoncesOnce(): Promise<void> {
      const rows = await db.read((tx) =>
        tx.all<{ nonce: number; count: number }>(sql`
            select nonce, count(*) as count from outgoing_transactions
             where network = 'devnet' and nonce >= ${firstNonce} and state <> 'failed'
             group by nonce order by nonce`),
      )
      expect(rows).toEqual(
        Array.from({ length: (await operatorNonce()) - firstNonce }, (_, index) => ({
          nonce: firstNonce + index,
          count: 1,
        })),
      )
    },

    /** Each payment's events are numbered without gaps, and the merchant's server received all of them in order. */
    async expectTold(paid: readonly Paid[], feed: readonly FeedEvent[]): Promise<void> {
      const byPayment = groupByPayment(feed)
      for (const { id, kind } of paid) {
        const events = byPayment.get(id) ?? []
        const moves = events.flatMap(({ type, bridgeStatus }) => (type === 'bridge.moved' ? [bridgeStatus] : []))
        const others = events.flatMap(({ type }) => (type === 'bridge.moved' ? [] : [type]))
        expect([id, others]).toEqual([id, eventsOf[kind]])
        expect([id, moves]).toEqual([id, [...new Set(moves)]])
        expect([id, moves.at(-1)]).toEqual([id, kind === 'bridged' ? 'success' : undefined])
      }
      for (const [id, events] of byPayment) {
        const sequences = events.map(({ sequence }) => sequence)
        const first = sequences[0] ?? 1
        expect([id, sequences]).toEqual([id, events.map((_, index) => first + index)])
        const all = Array.from({ length: sequences.at(-1) ?? 0 }, (_, index) => index + 1)
        const received = () => receiver.events(id).map(({ sequence }) => sequence)
        await expect.poll(() => [id, received()], { timeout: patienceMs }).toEqual([id, all])
      }
      expect(receiver.refusals).toEqual([])
    },
  }
}

function groupByPayment<Row extends { paymentId: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) groups.set(row.paymentId, [...(groups.get(row.paymentId) ?? []), row])
  return groups
}
