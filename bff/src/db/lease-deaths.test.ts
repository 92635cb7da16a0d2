import { createTestDatabase, isOnPostgres, type TestDatabase } from '@stablecoin-checkout/rig/test-database'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { silentLog } from '../core/log.ts'
import { type Db, type Sql, sql, type Tx } from './db.ts'
import { type Heartbeats, listLeases } from './lease-store.ts'
import { createLeases, type Lease } from './leases.ts'
import { openHeartbeats } from './postgres/heartbeats.ts'

/** Leases that end within no test: those of the dead are ended by hand. */
const times = { beatMs: 20, leaseMs: 60_000, marginMs: 300 }
const name = 'base'
const soon = { interval: 5 }

/** A replica dies when a statement with these words is run for the nth time: before its commit, or right after it. */
type Death = { words: string; nth: number; at: 'inside' | 'after' }

let database: TestDatabase
let watching: Db
let ends: (() => Promise<unknown>)[]
beforeEach(async () => {
  ends = []
  database = await createTestDatabase()
  watching = await database.open()
})
afterEach(async () => {
  for (const end of ends) await end()
  await watching.close()
  await database.drop()
})

class DeathError extends Error {}

/** The database and the heartbeats of a replica that dies: nothing that it asks is done afterwards. */
function openMortal(db: Db, heartbeats: Heartbeats, death: Death | undefined) {
  let isDead = false
  let left = death?.nth ?? Number.POSITIVE_INFINITY
  let answers = 0
  const verifyAlive = () => {
    if (isDead) throw new DeathError()
  }
  const die = () => {
    isDead = true
    throw new DeathError()
  }
  const isMeant = ({ strings }: Sql) => death !== undefined && strings.join('?').includes(death.words)
  /** The commit of the statements that `act` reports. */
  async function commit<T>(act: (ran: (statement: Sql) => void, inside: () => void) => Promise<T>): Promise<T> {
    verifyAlive()
    let isHere = false
    const ran = (statement: Sql) => {
      if (isHere || !isMeant(statement)) return
      left -= 1
      isHere = left === 0
    }
    const value = await act(ran, () => void (isHere && death?.at === 'inside' && die()))
    if (isHere) die()
    verifyAlive()
    answers += 1
    return value
  }
  const beat = <T>(statement: Sql, act: () => Promise<T>) =>
    commit((ran, inside) => {
      ran(statement)
      inside()
      return act()
    })
  const mortalDb: Db = {
    ...db,
    write: (unit) =>
      commit((ran, inside) =>
        db.write(async (tx) => {
          const noting: Tx = {
            ...tx,
            run: (statement) => {
              ran(statement)
              return tx.run(statement)
            },
            get: (statement) => {
              ran(statement)
              return tx.get(statement)
            },
          }
          const value = await unit(noting)
          inside()
          return value
        }),
      ),
  }
  const mortalBeats: Heartbeats = {
    run: (statement) => beat(statement, () => heartbeats.run(statement)),
    get: <Row>(statement: Sql) => beat(statement, () => heartbeats.get<Row>(statement)),
  }
  return { db: mortalDb, heartbeats: mortalBeats, isDead: () => isDead, answers: () => answers }
}

/** A replica that works while it has the lease. */
async function startReplica(id: string, death?: Death) {
  const db = await database.open()
  const own = isOnPostgres ? openHeartbeats(database.location) : undefined
  const beats: Heartbeats = own ?? {
    run: (statement) => db.write((tx) => tx.run(statement)),
    get: <Row>(statement: Sql) => db.write((tx) => tx.get<Row>(statement)),
  }
  const mortal = openMortal(db, beats, death)
  const stopping = new AbortController()
  const replica = { id, version: '1.2.3', host: 'machine', url: null }
  const leases = createLeases({ ...mortal, replica, nowMs: Date.now, log: silentLog, times })
  await leases.open()
  const work = ({ signal }: Lease) =>
    new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  const ended = Promise.all([leases.run(stopping.signal), leases.whileHeld(name, work, stopping.signal)])
  const stop = async () => {
    stopping.abort()
    await ended
  }
  ends.push(
    stop,
    async () => own?.close(),
    () => db.close(),
  )
  return { isDead: mortal.isDead, answers: mortal.answers, stop }
}

const leaseRow = async () => (await watching.read(listLeases))[0]
const isHeldBy = (id: string) => async () => (await leaseRow())?.holder === id

/** `isLeft`: whether the lease is then the dead replica’s, until it ends. */
const moments = [
  { moment: 'renewed', words: 'update leases set ends_at_ms', nth: 3, isLeft: { inside: true, after: true } },
  { moment: 'taken', words: 'epoch = epoch + 1', nth: 1, isLeft: { inside: false, after: true } },
  { moment: 'given back', words: 'update leases set holder = null', nth: 1, isLeft: { inside: true, after: false } },
]

for (const { moment, words, nth, isLeft } of moments) {
  for (const at of ['inside', 'after'] as const) {
    const when = at === 'inside' ? 'before its lease is' : 'right after its lease was'
    const then = isLeft[at] ? 'when the lease has ended, and not before' : 'at once'
    test(`a replica dies ${when} ${moment}: another one takes the lease ${then}, with a later epoch`, async () => {
      const mortal = await startReplica('mortal', { words, nth, at })
      if (moment === 'given back') {
        await expect.poll(isHeldBy('mortal'), soon).toBe(true)
        await mortal.stop()
      }
      await expect.poll(mortal.isDead, soon).toBe(true)
      const left = await leaseRow()
      const next = await startReplica('next')
      expect(left?.holder === 'mortal').toBe(isLeft[at])
      if (isLeft[at]) {
        await expect.poll(next.answers, soon).toBeGreaterThan(10)
        expect(await leaseRow()).toMatchObject({ holder: 'mortal', epoch: left?.epoch })
        await watching.write((tx) => tx.run(sql`update leases set ends_at_ms = 0 where name = ${name}`))
      }
      await expect.poll(isHeldBy('next'), soon).toBe(true)
      expect((await leaseRow())?.epoch).toBe((left?.epoch ?? 0) + 1)
    })
  }
}
