import { createTestDatabase, type TestDatabase } from '@stablecoin-checkout/rig/test-database'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Db, sql, type Tx } from './db.ts'
import { LeaseLostError } from './fenced.ts'
import { DatabaseUnavailableError } from './unavailable.ts'
import { writeEach } from './write-each.ts'

let database: TestDatabase
let db: Db
beforeEach(async () => {
  database = await createTestDatabase()
  db = await database.open()
})
afterEach(async () => {
  await db.close()
  await database.drop()
})

const stored = async () =>
  (await db.read((tx) => tx.all<{ name: string }>(sql`select name from leases order by name`))).map(({ name }) => name)

const insert = (tx: Tx, name: string) =>
  tx.run(sql`insert into leases (name, epoch, ends_at_ms) values (${name}, 0, 0)`)

test('a row that fails is the only one that is not written, and is returned with its error', async () => {
  const fault = new Error('broken')
  const failed = await writeEach(db, ['a', 'b', 'c'], async (tx, name) => {
    await insert(tx, name)
    if (name === 'b') throw fault
  })
  expect([...failed]).toEqual([['b', fault]])
  expect(await stored()).toEqual(['a', 'c'])
})

test.each([
  ['a lost lease', new LeaseLostError('x')],
  ['a database that cannot be reached', new DatabaseUnavailableError()],
])('what every row would meet ends all: %s', async (_, fault) => {
  let calls = 0
  const write = async () => {
    calls += 1
    throw fault
  }
  await expect(writeEach(db, ['a', 'b'], write)).rejects.toBe(fault)
  expect(calls).toBe(1)
})

test('without a fault there is one commit', async () => {
  let commits = 0
  const counted: Pick<Db, 'write'> = {
    write(unit) {
      commits += 1
      return db.write(unit)
    },
  }
  expect(await writeEach(counted, ['a', 'b'], insert)).toEqual(new Map())
  expect([commits, await stored()]).toEqual([1, ['a', 'b']])
})
