import { chmodSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AppFixture, openApp } from '@stablecoin-checkout/rig/test-app'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EvmNetwork } from '../../core/families.ts'
import type { Finding } from '../../core/finding.ts'
import { systemRuntime } from '../../core/runtime.ts'
import type { Db } from '../../db/db.ts'
import { openSqlite } from '../../db/sqlite/open-sqlite.ts'
import { SQLite } from '../../db/sqlite/sqlite-driver.ts'
import { createEndpoints } from '../../webhook/endpoints/endpoint.ts'
import { examineDatabase, examineFiles } from './examine-database.ts'
import { examineService } from './examine-service.ts'
import { examineConfiguration, examineKeys } from './examine-settings.ts'
import { examineWebhooks } from './examine-webhooks.ts'

let folder: string
let bff: AppFixture
const closing: (() => Promise<unknown>)[] = []
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'checkout-doctor-'))
  bff = await openApp()
})
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
  await bff.close()
  rmSync(folder, { recursive: true })
})

const faults = (findings: Finding[]) => findings.filter(({ state }) => state !== 'good')

async function listen(handle: (request: IncomingMessage, response: ServerResponse) => unknown): Promise<string> {
  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => new Promise((resolve) => server.close(resolve)))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** The application behind a proxy that may modify requests and responses. */
const proxied = (change: (headers: Headers, request: IncomingMessage) => number | undefined = () => undefined) =>
  listen(async (request, response) => {
    const method = request.method ?? 'GET'
    const answer = await bff.app.request(request.url ?? '/', {
      method,
      headers: request.headers as Record<string, string>,
    })
    const headers = new Headers(answer.headers)
    const status = change(headers, request) ?? answer.status
    response.writeHead(status, Object.fromEntries(headers)).end(await answer.text())
  })

const service = (ownUrl: string, publicUrl: string | null = null, instances: ReadonlySet<string> | null = null) =>
  examineService({ publicUrl, ownUrl, trustedProxies: ['127.0.0.1'], nowMs: () => Date.now(), instances })

test('our own service is known from a stranger’s on the same port', async () => {
  const own = await proxied()
  const mine = new Set(['0123456789abcdef'])
  expect(await service(own, null, mine)).toContainEqual(expect.objectContaining({ says: 'is this service' }))
  const [other] = faults(await service(own, null, new Set()))
  expect(other).toMatchObject({
    ...{ check: 'service', state: 'bad', says: 'is a stablecoin-checkout service with another database' },
    fix: expect.stringContaining('set another "port"'),
  })
  expect(faults(await service(own, own, new Set(['fedcba9876543210'])))).toMatchObject([
    { check: 'public url', state: 'bad', fix: expect.stringContaining('forward to its port') },
  ])
  const web = await listen((_, response) => response.end('<html>'))
  expect(faults(await service(web, null, mine))).toMatchObject([
    { check: 'service', state: 'bad', says: 'responds 200, unlike this service' },
  ])
})

test('the keys of the accounts that pay are missed, each by its name, and the file that was read is named', () => {
  const networks = new Map([['devnet', bff.deps.networks.get('devnet')]]) as typeof bff.deps.networks
  expect(examineKeys({ networks, operator: null, solanaFeePayerKey: null })).toMatchObject([
    { state: 'bad', subject: 'OPERATOR_PRIVATE_KEY', fix: expect.stringContaining('secrets set') },
  ])
  const operator = { kind: 'key' as const, privateKey: `0x${'1'.repeat(64)}` }
  expect(examineKeys({ networks, operator, solanaFeePayerKey: null })).toEqual([])
  const devnet = networks.get('devnet') as EvmNetwork
  const direct = new Map([['devnet', { ...devnet, deposits: 'xpub' as const }]])
  expect(examineKeys({ networks: direct, operator: null, solanaFeePayerKey: null })).toEqual([])
  expect(examineConfiguration('/var/lib/checkout/checkout.json', '/')).toMatchObject({ state: 'good' })
  expect(examineConfiguration(undefined, '/home/ann')).toMatchObject({
    ...{ state: 'warning', subject: '/home/ann' },
    fix: expect.stringContaining('--config'),
  })
})

test('a healthy database is good, and a damaged or invalid one is bad', async () => {
  const path = join(folder, 'checkout.sqlite')
  expect(await examineDatabase(path)).toMatchObject([
    { state: 'warning', says: expect.stringContaining('does not exist yet') },
  ])
  await openSqlite(path).close()
  expect(faults(await examineDatabase(path))).toEqual([])
  const file = openSync(path, 'r+')
  for (let page = 3; page < 12; page += 1) writeSync(file, Buffer.alloc(4_096, 0x5a), 0, 4_096, page * 4_096)
  const [damaged] = faults(await examineDatabase(path))
  expect(damaged).toMatchObject({ state: 'bad', fix: expect.stringContaining('restore the newest backup') })
  writeFileSync(join(folder, 'none.sqlite'), 'no database at all, but long enough to be read'.repeat(100))
  expect(faults(await examineDatabase(join(folder, 'none.sqlite')))).toMatchObject([
    { state: 'bad', says: expect.stringContaining('cannot be opened: file is not a database') },
  ])
  const old = new SQLite(join(folder, 'old.sqlite'))
  old.exec('create table strays (payment_id text)')
  old.close()
  expect(faults(await examineDatabase(join(folder, 'old.sqlite')))).toMatchObject([
    { state: 'bad', fix: expect.stringContaining('Name a new database') },
  ])
})

test('a full disk, a network file system and lost durability are reported', async () => {
  const path = join(folder, 'checkout.sqlite')
  await openSqlite(path).close()
  const space =
    (free: number, type = 0xef53) =>
    () => ({ type, bavail: free, bsize: 1 })
  expect(faults(await examineDatabase(path, space(1e9)))).toMatchObject([{ check: 'space', state: 'warning' }])
  expect(faults(await examineDatabase(path, space(1e8)))).toMatchObject([{ check: 'space', state: 'bad' }])
  expect(faults(await examineDatabase(path, space(1e12, 0x6969)))).toMatchObject([
    { check: 'database', state: 'bad', says: 'is on a network file system' },
  ])
  const relaxed = (): Db => {
    const connection = new SQLite(path)
    connection.pragma('synchronous = normal')
    const get = async <Row>({ strings }: { strings: TemplateStringsArray }) =>
      connection.prepare(strings.join('?')).get() as Row | undefined
    const tx = {
      get,
      run: async () => 0,
      write: () => {},
      all: async () => [],
      afterCommit: () => {},
      notify: () => {},
    }
    return {
      write: (unit) => unit(tx),
      read: (unit) => unit(tx),
      listen: () => () => {},
      close: async () => void connection.close(),
    }
  }
  expect(faults(await examineDatabase(path, space(1e12), relaxed))).toMatchObject([
    { check: 'durability', state: 'bad', says: expect.stringContaining('synchronous=1') },
  ])
})

test('a secrets file readable by others is a warning with its fix', () => {
  const path = join(folder, 'checkout.sqlite.key')
  writeFileSync(path, 'key')
  chmodSync(path, 0o600)
  expect(faults(examineFiles([path, null, join(folder, 'nowhere')]))).toEqual([])
  chmodSync(path, 0o644)
  expect(examineFiles([path])).toMatchObject([{ state: 'warning', fix: `chmod 600 ${path}` }])
})

test('a service that browsers can call is good; without a public URL it is a warning', async () => {
  const url = await proxied()
  expect(faults(await service(url))).toMatchObject([
    { check: 'tls', state: 'warning', fix: expect.stringContaining('publicUrl') },
  ])
  expect(faults(await service(url, url))).toMatchObject([
    { check: 'tls', state: 'bad', says: expect.stringContaining('not https') },
  ])
})

test.each([
  [
    'answers the preflight itself',
    (_: Headers, { method }: IncomingMessage) => (method === 'OPTIONS' ? 403 : undefined),
    'preflight with 403',
  ],
  [
    'takes the origin’s header out',
    (headers: Headers) => void headers.delete('access-control-allow-origin'),
    'does not allow pages of other sites to call it',
  ],
  [
    'allows one site only',
    (headers: Headers) => void headers.set('access-control-allow-origin', 'https://other.example'),
    'does not allow pages of other sites',
  ],
  [
    'adds the header a second time',
    (headers: Headers) => void headers.append('access-control-allow-origin', '*'),
    'does not allow pages of other sites',
  ],
  [
    'keeps the key’s header back',
    (headers: Headers) => void headers.set('access-control-allow-headers', 'content-type'),
    'refuses the headers idempotency-key, x-public-key',
  ],
  [
    'lets secrets through',
    (headers: Headers) =>
      void headers.set('access-control-allow-headers', 'content-type, idempotency-key, x-public-key, x-api-secret'),
    'allows pages to send API key and secret',
  ],
  [
    'takes it out of answers only',
    (headers: Headers, { method }: IncomingMessage) =>
      method === 'OPTIONS' ? undefined : void headers.delete('access-control-allow-origin'),
    'missing or duplicate Access-Control-Allow-Origin',
  ],
])('a proxy that %s is bad', async (_, change, says) => {
  const found = faults(await service(await proxied(change))).filter(({ check }) => check === 'cors')
  expect(found).toMatchObject([{ state: 'bad', says: expect.stringContaining(says) }])
})

test('a URL that leads nowhere, or to another program, is reported', async () => {
  const nowhere = 'http://127.0.0.1:9'
  expect(await service(nowhere)).toMatchObject([
    { check: 'service', state: 'warning', says: expect.stringContaining('is not running (ECONNREFUSED)') },
  ])
  expect(await service(nowhere, nowhere)).toMatchObject([
    { check: 'public url', state: 'bad', says: expect.stringContaining('cannot be reached') },
  ])
  const other = await listen((_, response) => response.writeHead(302, { location: 'https://shop.example' }).end())
  expect(await service(other, other)).toMatchObject([
    { check: 'public url', state: 'bad', says: expect.stringContaining('responds 302') },
  ])
})

test('an endpoint is posted a signed event and a forged one', async () => {
  const caller = { merchantId: bff.merchant.merchantId } as never
  const endpoints = createEndpoints(bff.deps)
  const secrets: string[] = []
  const receiver = (verifies: boolean, code = 204) =>
    listen(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += String(chunk)
      const isSigned = secrets.some((secret) => {
        try {
          return new Webhook(secret).verify(body, request.headers as Record<string, string>) !== undefined
        } catch {
          return false
        }
      })
      response.writeHead(verifies && !isSigned ? 401 : code).end()
    })
  for (const url of [await receiver(true), await receiver(false), await receiver(true, 500), 'http://127.0.0.1:9/']) {
    secrets.push((await endpoints.create(caller, false, { url, description: '', types: null })).secret)
  }
  const { db, vault } = bff.deps
  const runtime = systemRuntime
  const found = await examineWebhooks({ db, vault, runtime, targets: 'any' })
  const findings = found.map(({ state, says }) => [state, says] as const)
  expect(findings.sort(([, a], [, b]) => a.localeCompare(b))).toEqual([
    ['good', expect.stringMatching(/^accepted a signed event within \d+ ms, and refused a forged one$/)],
    ['bad', expect.stringContaining('accepts an unsigned event')],
    ['bad', 'does not accept a signed event: ECONNREFUSED'],
    ['bad', 'does not accept a signed event: it responded 500'],
  ])
  const guarded = await examineWebhooks({ db, vault, runtime, targets: { ports: [443] } })
  expect(guarded.every(({ says }) => says.includes('url must begin with https://'))).toBe(true)
})
