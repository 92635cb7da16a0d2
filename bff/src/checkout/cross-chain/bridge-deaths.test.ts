import { type Death, openDyingDb } from '@stablecoin-checkout/rig/dying-replica'
import { openBridgedApp, settingsFor } from '@stablecoin-checkout/rig/relay-stage'
import { openApp } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Db, sql } from '../../db/db.ts'
import { fenced } from '../../db/fenced.ts'
import { takeLease } from '../../db/lease-store.ts'
import { allNetworks } from '../../db/leases.ts'
import { createBridgeProgress } from './bridge-progress.ts'

let bff: Awaited<ReturnType<typeof openBridgedApp>>
beforeEach(async () => {
  bff = await openBridgedApp()
})
afterEach(() => bff.close())

/** More commits than a create or the progress of a bridge has. */
const commitsMax = 20
const pollMs = 1_000
const path = '/api/v1/payments/cross-chain/create'
const wanted = { amount: 25, originChainId: 8453, originCurrency: 'USDC' }
const newKey = () => ({ 'Idempotency-Key': crypto.randomUUID() })

const rowsOf = <Row>(query: ReturnType<typeof sql>) => bff.deps.db.read((tx) => tx.all<Row>(query))

/** Runs `play` with a replica that dies at each commit, until one has survived. @returns at how many it has died. */
async function dieAtEach(play: (death: Death) => Promise<boolean>): Promise<number> {
  let deaths = 0
  for (let commit = 1; commit <= commitsMax; commit++) {
    for (const at of ['inside', 'after'] as const) {
      if (await play({ commit, at })) deaths += 1
      else if (at === 'inside') return deaths
    }
  }
  throw new Error('There are more commits.')
}

test('replicas die one after the other at each commit of a create: repeated with its key, it is one payment, and its bridge is polled', async () => {
  let made = 0
  /** Deaths that left the payment behind. */
  const stored: Death['at'][] = []
  const deaths = await dieAtEach(async (death) => {
    const { db, isDead } = openDyingDb(bff.deps.db, death)
    const replica = await openApp({ bridges: bff.deps.bridges }, { ...bff, db })
    const key = newKey()
    const first = await replica.fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...bff.keys.public, ...key },
      body: JSON.stringify(wanted),
    })
    const repeated = await bff.create(wanted, key, path)
    made += 1
    if (isDead() && repeated.headers.get('Idempotent-Replayed') === 'true') stored.push(death.at)
    expect([death, repeated.status]).toEqual([death, 200])
    if (!isDead()) expect(first.status).toBe(200)
    // A replica may die after its answer, in what it does beside it.
    if (first.ok) expect(repeated.body.payment['id']).toBe(((await first.json()) as typeof repeated.body).payment['id'])
    const rows = await rowsOf(sql`
        select p.id from payments p
          join bridges b on b.payment_id = p.id join bridge_polls l on l.payment_id = p.id`)
    expect([death, rows.length]).toEqual([death, made])
    return isDead()
  })
  expect(deaths).toBeGreaterThanOrEqual(2)
  expect(stored).toContain('after')
})

/** A replica that takes over the work for all networks. */
async function takeOver(holder: string, own: Db) {
  const epoch = await bff.deps.db.write((tx) => takeLease(tx, allNetworks, holder, 0))
  if (epoch === undefined) throw new Error('The lease is free.')
  const { ledger, runtime, log } = bff.deps
  const db = fenced(own, { name: allNetworks, holder, epoch }, () => undefined)
  return createBridgeProgress({
    ...{ db, ledger, relay: bff.client, runtime, log },
    settings: settingsFor(bff.relay.baseUrl, { pollMs }),
  })
}

const [inTx, outTx] = ['a1', 'b2'].map((byte) => `0x${byte.repeat(32)}`)
const reports = [
  { status: 'waiting' },
  { status: 'depositing', inTxHashes: [inTx] },
  { status: 'pending', inTxHashes: [inTx] },
  { status: 'success', inTxHashes: [inTx], txHashes: [outTx] },
]

test('replicas die one after the other at each commit of a bridge’s progress: the next one continues, and each step is one event', async () => {
  const deaths = await dieAtEach(async (death) => {
    const id = (await bff.create(wanted, newKey(), path)).body.payment['id'] as string
    const { db, isDead } = openDyingDb(bff.deps.db, death)
    const mortal = await takeOver('mortal', db)
    let working = mortal
    for (const report of reports) {
      bff.responses.set('/intents/status/v3', () => ({ body: report }))
      bff.advance(pollMs)
      const signal = new AbortController().signal
      await working.pass(signal).catch((error: unknown) => {
        if (!isDead()) throw error
      })
      if (working === mortal && isDead()) {
        working = await takeOver('next', bff.deps.db)
        await working.pass(signal)
      }
    }
    const { body } = await bff.read(`/api/v1/payments/cross-chain/status/${id}`)
    expect([death, body.payment]).toMatchObject([
      death,
      { bridgeStatus: 'success', originTxHash: inTx, destinationTxHash: outTx },
    ])
    const events = await rowsOf<{ body: string; sequence: number }>(
      sql`select body, sequence from events where payment_id = ${id} and type = 'bridge.moved' order by number`,
    )
    const moved = events.map(({ body, sequence }) => [sequence, JSON.parse(body).data.bridgeStatus])
    expect([death, moved]).toEqual([
      death,
      [
        [2, 'depositing'],
        [3, 'pending'],
        [4, 'success'],
      ],
    ])
    expect(await rowsOf(sql`select 1 as one from bridge_polls`)).toEqual([])
    return isDead()
  })
  expect(deaths).toBeGreaterThanOrEqual(2 * reports.length)
})
