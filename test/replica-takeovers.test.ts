import { listLeases } from '@stablecoin-checkout/bff/testing/db'
import { expect, test } from 'vitest'
import { both, type Death, playDeaths } from './harness/deaths.ts'
import { openReplicas, type Replica } from './harness/replicas.ts'
import { until } from './harness/until.ts'

/**
 * Of the night. In each run replicas die in the tests' own process, one worker at a time (`replica-deaths.test.ts`, `watcher-deaths.test.ts`,
 * `lease-deaths.test.ts` and others of `bff/src`), the whole service in `crash.test.ts`, and processes in `signals.test.ts`.
 */
const story = await openReplicas('replica-takeovers')
const { start, holderOf, beginLoad, expectCleanBooks } = story

/** Ends all but one, which then works for the network. */
async function only(kept: Replica): Promise<void> {
  for (const replica of story.alive()) if (replica !== kept) await replica.stop()
  await until('the replica to work', async () => (await holderOf()) === kept)
}

const epochOf = async (name: string) =>
  (await story.db.read(listLeases)).find((lease) => lease.name === name)?.epoch ?? 0

/** What each commit writes that a payment goes through. */
const deathsAtWork: Record<string, Death[]> = {
  'the work for a network': [
    ...both('the transfers of a block are seen', ['insert into transfers', 'insert into headers']),
    ...both('they are confirmed and sweeps queued', ['insert into payouts', 'insert into headers']),
    ...both('a signed sweep is stored', [
      'insert into outgoing_transactions',
      'insert into outgoing_payouts',
      ' sweep ',
    ]),
    ...both('a signed refund is stored', [
      ...['insert into outgoing_transactions', 'insert into outgoing_payouts', ' refund '],
    ]),
    ...both('it is noted that a node has the transaction', ['update outgoing_transactions set sent_at_ms']),
    ...both('a final transaction ends payments', ["'confirmed' else 'failed'", 'delete from payouts']),
    ...both('a payment is created', ['insert into payments', 'insert into idempotency_keys'], 5),
    ...both('a transaction is handed in', ['insert into submissions']),
  ],
  webhooks: both('the third delivery is noted', ['insert into attempts'], 3),
}

/** Replicas with a failpoint that are alive together: one dies, and another takes over. */
const poolSize = 3

/** Shorter than in a service that merchants run, because here many have to end. */
const leaseMs = 3_000

for (const [work, deaths] of Object.entries(deathsAtWork)) {
  test(`replicas are killed one after the other at each commit of ${work}, on machines with clocks two minutes apart: the others go on, and nothing is done twice`, async () => {
    const load = await beginLoad()
    await playDeaths(story, deaths, { poolSize, leaseMs, afterEach: () => story.expectCleanBooks() })
    await start()
    await load.expectToClose()
  }, 600_000)
}

for (const at of ['inside', 'after'] as const) {
  const where = at === 'inside' ? 'before it is stored' : 'when it is stored and not broadcast'
  test(`a holder that is stopped in the middle of a sweep, ${where}, for longer than its lease, changes nothing when it goes on`, async () => {
    const writes = ['insert into outgoing_transactions', 'insert into outgoing_payouts']
    const stalled = await start({ failpoint: { writes, nth: 1, at, signal: 'SIGSTOP' } })
    await only(stalled)
    await start()
    const before = await epochOf('devnet')
    const load = await beginLoad()
    await story.stopped(stalled)
    await until('the other replica to take over', async () => (await epochOf('devnet')) > before)
    const paid = load.paid.length
    await until('the other replica to work', () => load.paid.length > paid)
    await expectCleanBooks()
    const epoch = await epochOf('devnet')
    story.resume(stalled)
    await load.expectToClose()
    expect(stalled.isDead()).toBe(false)
    expect(await epochOf('devnet')).toBeGreaterThanOrEqual(epoch)
  })
}
