import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase, type TestDatabase } from '@stablecoin-checkout/rig/test-database'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemRuntime } from '../../core/runtime.ts'
import { type Db, sql } from '../../db/db.ts'
import { loadConfig } from '../config/config.ts'
import { type Running, serve } from './serve.ts'

let folder: string
let database: TestDatabase
let db: Db
let replicas: Running[]
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'checkout-serve-'))
  database = await createTestDatabase()
  db = await database.open()
  const path = join(folder, 'checkout.json')
  writeFileSync(path, JSON.stringify({ port: 0, logLevel: 'silent', networks: [] }))
  const secrets = { SECRETS_KEY: 'ab'.repeat(32), DATABASE_URL: database.location }
  const config = loadConfig({ BFF_CONFIG: path, ...secrets })
  replicas = []
  for (let count = 0; count < 2; count++) replicas.push(await serve(config, systemRuntime))
})
afterEach(async () => {
  for (const replica of replicas) await replica.stop()
  await db.close()
  await database.drop()
  rmSync(folder, { recursive: true })
})

test('the service counts the calls of all replicas together, and stores no addresses', async () => {
  let calls = 0
  const counted = async () => {
    for (const { url } of replicas) expect((await fetch(`${url}/api/v1/currency/rates`)).status).toBe(200)
    calls += 1
    return await db.read((tx) => tx.all<{ key: string; points: number }>(sql`select key, points from rate_limits`))
  }
  // A replica that waits too long for the database counts by itself, so a few calls may be missing, but not half of
  // them.
  await expect.poll(async () => (await counted()).some(({ points }) => points > calls)).toBe(true)
  const [{ key } = { key: '' }, ...others] = await counted()
  expect(others).toEqual([])
  expect(key).toMatch(/^open:[\w-]{24}$/)
})
