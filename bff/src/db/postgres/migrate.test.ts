import { createTestDatabase } from '@stablecoin-checkout/rig/test-database'
import pg from 'pg'
import { expect, test } from 'vitest'
import { migrationFiles } from '../migrate.ts'
import { optionsOf } from './connection.ts'
import { migratePostgres } from './migrate.ts'

const changed = ['payments', 'deliveries', 'unmatched_transfers']
const newer = {
  name: '9999_newer.sql',
  text: changed.map((table) => `alter table ${table} add column newer text;`).join('\n'),
}

/** Its tables differ afterwards: no other test gets it. */
const database = await createTestDatabase()

async function connect(): Promise<pg.Client> {
  const client = new pg.Client(optionsOf(database.location))
  await client.connect()
  return client
}

test('a migration gives way to whoever reads two of its tables, and is made as soon as they are free', async () => {
  const [migrating, reading, admin] = [await connect(), await connect(), await connect()]
  const waits = async () => {
    const { rows } = await admin.query(`
        select 1 from pg_locks join pg_database on pg_database.oid = database
         where not granted and datname = current_database() and relation = 'deliveries'::regclass`)
    return rows.length > 0
  }

  await reading.query('begin; select count(*) from deliveries')
  let isDone = false
  const migrated = migratePostgres(migrating, [...migrationFiles(), newer]).then(() => {
    isDone = true
  })
  await expect.poll(waits).toBe(true)
  // The migration has changed the table of payments already, and waits for that of deliveries.
  await reading.query('select count(*) from payments')
  expect(isDone).toBe(false)
  await reading.query('commit')
  await migrated

  for (const table of changed) await admin.query(`select newer from ${table}`)
  for (const client of [migrating, reading, admin]) await client.end()
})
