import { listLeases } from '@stablecoin-checkout/bff/testing/db'
import { afterAll, inject, test } from 'vitest'
import { bundle } from './harness/bff.ts'
import { before, both, type Death, playDeaths } from './harness/deaths.ts'
import { openRelay } from './harness/relay.ts'
import { openReplicas, type Replica } from './harness/replicas.ts'
import { until } from './harness/until.ts'

const relay = await openRelay(inject('devnet'))
afterAll(relay.close)
const story = await openReplicas('replica-deaths', {
  program: bundle,
  solana: true,
  settings: { relay: { baseUrl: relay.url, pollMs: 50, minimumAmount: '0.10' } },
})
const { start, holderOf } = story
const load = await story.beginLoad({ isMixed: true })

/** Replicas with a failpoint that are alive together: one dies, and the other takes over. */
const poolSize = 2

/** Shorter than in a service that merchants run, where the story waits for the end of leases. */
const leaseMs = 3_000

/** Of a commit by whoever has the lease: the first thing that it reads is the lease's row. */
const by = (lease: string) => `select epoch from leases where name = ? and holder = ? and epoch = ? -- ${lease} `
const bySolana = by('solana-devnet')
const byAll = by('*')

const stored = 'insert into outgoing_transactions'
const final = "'confirmed' else 'failed'"

/** `solana-crash.test.ts` kills one process at the commits before these. */
const deathsOnSolana = [
  ...both('a signed sweep is stored', [bySolana, stored, ' sweep solana-devnet ']),
  ...both('a final sweep ends payments', [bySolana, final, ' sweep solana-devnet ']),
  ...both('a signed refund is stored', [bySolana, stored, ' refund solana-devnet ']),
  ...both('a final refund ends payments', [bySolana, final, ' refund solana-devnet ']),
]

const deathsAtBridges = [
  ...both('a payment from another chain is created', ['insert into bridges', 'insert into idempotency_keys']),
  ...before('a bridge is asked', [byAll, 'update bridge_polls'], 3),
  ...both('progress of a bridge is stored', [byAll, 'update bridges', 'update bridge_polls']),
  ...both('the last progress of a bridge is stored', [byAll, 'update bridges', 'delete from bridge_polls']),
]

/** A replica that is stopped gives back what it has. */
async function stopAsHolder(replica: Replica): Promise<void> {
  await until('the replica to have a lease', async () => replica.isDead() || (await holderOf('*')) === replica)
  await replica.stop()
}

/** Of the workers of four: those of three networks, and those of all. */
const leases = 4

const deathsAtLeases: Death[] = [
  // Not before the replica has every lease, and has renewed some of them.
  ...both('a lease is renewed', ['update leases set ends_at_ms'], 2 * leases + 2),
  ...both('leases are taken', ['epoch = epoch + 1', ' -> {"epoch"']),
  ...both('a lease is given back', ['update leases set holder = null']).map((death) => ({
    ...death,
    provoke: stopAsHolder,
  })),
]

for (const [work, deaths] of Object.entries({ Solana: deathsOnSolana, 'bridges’ progress': deathsAtBridges })) {
  test(`replicas are killed one after the other at commits of the work for ${work}: the next one goes on`, async () => {
    await playDeaths(story, deaths, { poolSize, leaseMs, afterEach: story.endLeasesOf })
    await Promise.all([start(), story.expectCleanBooks()])
  }, 300_000)
}

test('replicas are killed one after the other while they renew leases, take them and give them back: each lease ends, and another replica has it', async () => {
  await playDeaths(story, deathsAtLeases, { poolSize, leaseMs, afterEach: async () => undefined })
  const last = await start()
  for (const { name } of await story.db.read(listLeases))
    await until(`the last replica to have ${name}`, async () => (await holderOf(name)) === last)
})

test('after all these deaths nothing was swept, refunded or notified twice, and nothing is missing', async () => {
  await load.expectToClose()
})
