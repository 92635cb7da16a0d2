import { listLeases, sql } from '@stablecoin-checkout/bff/testing/db'
import { expect, test } from 'vitest'
import { bundle } from './harness/bff.ts'
import { openReplicas, type Replica } from './harness/replicas.ts'
import { until } from './harness/until.ts'

/** Here signals of the system strike processes; in `replicas.test.ts`, `crash.test.ts` and others services of this process. */
const story = await openReplicas('signals', { program: bundle })
const { db, start, holderOf, beginLoad, expectCleanBooks } = story

const signedSweep = ['insert into outgoing_transactions', 'insert into outgoing_payouts', ' sweep ']

const epochOf = async (name: string) => (await db.read(listLeases)).find((lease) => lease.name === name)?.epoch ?? 0

/** Stops all others, so that this one works for the network. */
async function only(kept: Replica): Promise<void> {
  for (const replica of story.alive()) if (replica !== kept) await replica.stop()
  await until('the replica to work', async () => (await holderOf()) === kept)
}

for (const at of ['inside', 'after'] as const) {
  const where = at === 'inside' ? 'before the commit that stores a signed sweep' : 'right after it'
  test(`a process is ended by kill -9 ${where}: another one goes on, and nothing is done twice`, async () => {
    const mortal = await start({ failpoint: { writes: signedSweep, nth: 1, at } })
    await only(mortal)
    await start()
    const epoch = await epochOf('devnet')
    const load = await beginLoad()
    await until('the process to die', mortal.isDead)
    expect(mortal.wasKilled()).toBe(true)
    await load.expectToClose()
    expect(await epochOf('devnet')).toBeGreaterThan(epoch)
  })
}

test('a process that SIGSTOP stops in the middle of a sweep for longer than its lease changes nothing when it goes on', async () => {
  const stalled = await start({ failpoint: { writes: signedSweep, nth: 1, at: 'after', signal: 'SIGSTOP' } })
  await only(stalled)
  await start()
  const epoch = await epochOf('devnet')
  const load = await beginLoad()
  await story.stopped(stalled)
  await until('another process to take over', async () => (await epochOf('devnet')) > epoch)
  const paid = load.paid.length
  await until('it to work', () => load.paid.length > paid)
  await expectCleanBooks()
  story.resume(stalled)
  await load.expectToClose()
  expect(stalled.isDead()).toBe(false)
  const rows = await db.read((tx) =>
    tx.all<{ nonce: number }>(
      sql`select nonce from outgoing_transactions where network = 'devnet' and state = 'confirmed'`,
    ),
  )
  expect(new Set(rows.map(({ nonce }) => nonce)).size).toBe(rows.length)
})
