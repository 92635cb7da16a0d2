import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Db, openDatabase, sql, type Tx } from '@stablecoin-checkout/bff/testing/db'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { Life, mortalDb } from './harness/life.ts'
import { listen } from './harness/listen.ts'
import { until } from './harness/until.ts'

/** What the stories believe of a service that is killed in their own process. */
const folder = mkdtempSync(join(tmpdir(), 'stories-life-'))
const db = await openDatabase(join(folder, 'checkout.sqlite'))
afterAll(async () => {
  await db.close()
  rmSync(folder, { recursive: true })
})

let life: Life
let mortal: Db
beforeEach(async () => {
  life = new Life()
  mortal = mortalDb(db, life)
  await db.write((tx) => tx.run(sql`delete from merchants`))
})

const insert = (id: string) => (tx: Tx) =>
  tx.run(sql`insert into merchants (id, name, webhook_secret, created_at_ms) values (${id}, 'm', 's', 1)`)
const stored = () => db.read((tx) => tx.all<{ id: string }>(sql`select id from merchants order by id`))

/** @returns `pending` when nothing has come by the time that whatever is possible has happened. */
async function endOf(promise: Promise<unknown>): Promise<unknown> {
  const nothing = db.write(async () => 'pending').then(stored)
  return await Promise.race([promise.then(() => 'done', String), nothing.then(() => 'pending')])
}

test('what a unit has written when its service dies is not stored, what others of the group write is, and the dead one learns nothing', async () => {
  const unit = mortal.write(async (tx) => {
    await insert('of the dead')(tx)
    life.die()
  })
  const [end] = await Promise.all([endOf(unit), db.write(insert('of another'))])
  expect(end).toBe('pending')
  expect(await stored()).toEqual([{ id: 'of another' }])
})

test('a unit whose service dies between two statements runs no other one', async () => {
  let hasGoneOn = false
  const unit = mortal.write(async (tx) => {
    await insert('first')(tx)
    life.die()
    await insert('second')(tx)
    hasGoneOn = true
  })
  expect(await endOf(unit)).toBe('pending')
  expect(hasGoneOn).toBe(false)
  expect(await stored()).toEqual([])
})

test('a dead service writes and reads nothing more', async () => {
  life.die()
  expect(await endOf(mortal.write(insert('too late')))).toBe('pending')
  expect(await endOf(mortal.read((tx) => tx.all(sql`select 1`)))).toBe('pending')
  expect(await stored()).toEqual([])
})

test('a service that is stopped in the middle of a unit goes on with it later', async () => {
  const unit = mortal.write(async (tx) => {
    await insert('later')(tx)
    life.stop()
  })
  await until('it to be stopped', () => life.isStopped)
  expect(await stored()).toEqual([])
  life.resume()
  await unit
  expect(await stored()).toEqual([{ id: 'later' }])
})

test('a dead service asks nobody, answers nobody, and its port is free', async () => {
  const asked: string[] = []
  const other = await listen(
    createServer((request, response) => {
      asked.push(request.url ?? '')
      response.end('yes')
    }),
  )
  const own = await life.run(() =>
    listen(
      createServer(async (_, response) => {
        response.end(await (await fetch(`${other.origin}/by-the-service`)).text())
      }),
    ),
  )
  expect(await (await fetch(own.origin)).text()).toBe('yes')
  expect(asked).toEqual(['/by-the-service'])

  life.die()
  await expect(fetch(own.origin)).rejects.toThrow()
  expect(await endOf(life.run(() => fetch(`${other.origin}/by-the-dead`)))).toBe('pending')
  expect(await (await fetch(`${other.origin}/by-the-story`)).text()).toBe('yes')
  expect(asked).toEqual(['/by-the-service', '/by-the-story'])
  await other.close()
})
