import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createTestDatabase, isOnPostgres, type TestDatabase } from '@stablecoin-checkout/rig/test-database'
import { afterEach, beforeEach, expect, test } from 'vitest'

/** What is shipped, by `npm run build -w bff`. */
const main = fileURLToPath(new URL('../dist/main.js', import.meta.url))
let database: TestDatabase
let started: { child: ChildProcess; ended: Promise<unknown> }[]
beforeEach(async () => {
  started = []
  database = await createTestDatabase()
})
afterEach(async () => {
  for (const { child, ended } of started) {
    child.kill('SIGKILL')
    await ended
  }
  await database.drop()
})

function start(args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [main, ...args], {
    env: {
      PATH: process.env['PATH'] ?? '',
      BFF_PORT: '0',
      DATABASE_URL: database.location,
      SECRETS_KEY: Buffer.alloc(32, 1).toString('base64'),
      ...env,
    },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (said += String(bytes)))
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  started.push({ child, ended })
  return { child, ended, said: () => said }
}

async function run(...args: string[]): Promise<{ code: number | null; said: string }> {
  const { ended, said } = start(args)
  return { code: await ended, said: said() }
}

test('the tests of this file are on PostgreSQL', () => expect(isOnPostgres).toBe(true))

test('the service starts on PostgreSQL, says where, never the password, and stops on SIGTERM', async () => {
  const { child, ended, said } = start([])
  await expect.poll(said).toContain('"ready"')
  const ready = said()
    .split('\n')
    .map((line) => (line.startsWith('{') ? JSON.parse(line) : {}))
    .find(({ msg }) => msg === 'ready')
  expect(ready.database).toMatch(/^postgres:\/\/postgres@127\.0\.0\.1:\d+\/test_/)
  expect((await fetch(`${ready.url}/api/health`)).status).toBe(200)
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
  expect(said()).not.toContain('password')
})

test('commands work on PostgreSQL', async () => {
  const made = await run('merchants', 'create', '--name', 'Corner Coffee', '--json')
  expect([made.code, JSON.parse(made.said.slice(made.said.indexOf('{')))]).toMatchObject([
    0,
    { apiKey: expect.any(String) },
  ])
  const listed = await run('merchants', 'list')
  expect(listed.said).toContain('Corner Coffee')
  const doctor = await run('doctor', '--no-webhooks')
  expect(doctor.said).toContain('is reachable without a pooler in transaction mode')
  expect(doctor.said).toContain('fsync=off')
  expect(doctor.said).not.toContain('postgres:password')
})

test('commands for a file of SQLite say what to do instead', async () => {
  for (const [command, tool] of [
    ['backup', 'pg_dump'],
    ['restore', 'pg_restore'],
  ] as const) {
    const { code, said } = await run(command, 'checkout.dump')
    expect([code, said]).toEqual([1, expect.stringContaining(tool)])
  }
})

test('a server that cannot be reached is reported in one sentence, without the password', async () => {
  const { ended, said } = start([], { DATABASE_URL: 'postgres://shop:geheim@127.0.0.1:1/checkout' })
  expect(await ended).toBe(1)
  expect(said()).toMatch(
    'PostgreSQL at postgres://shop@127.0.0.1:1/checkout cannot be reached: connect ECONNREFUSED 127.0.0.1:1.\n',
  )
  expect(said()).not.toContain('geheim')
})
