import { noRateLimits } from '@stablecoin-checkout/rig/app-defaults'
import { verifyDeclared, versionedOperations } from '@stablecoin-checkout/rig/declared-operations'
import { type AppFixture, openApp } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createRateLimits, defaultLimits } from '../limits/rate-limit.ts'

type Media = { schema?: object; example?: unknown }
type Operation = {
  operationId?: string
  tags?: string[]
  summary?: string
  responses: Record<string, { $ref?: string; content?: Record<string, Media> }>
  security?: unknown[]
  requestBody?: unknown
}

let fixture: AppFixture
let operations: { method: string; path: string; operation: Operation }[]

beforeEach(async () => {
  fixture = await openApp()
  const { paths } = (await fixture.call('/api/openapi.json')).body as unknown as {
    paths: Record<string, Record<string, Operation>>
  }
  operations = versionedOperations(paths).map(({ method, ...one }) => ({ ...one, method: method.toUpperCase() }))
})
/** The operations are those that were read before. */
async function restart(changes: Parameters<typeof openApp>[0]) {
  await fixture.close()
  fixture = await openApp(changes)
}
afterEach(() => fixture.close())

/** Without the fixture's own guard, which would end the test at the first. */
async function answers(init: RequestInit, which: (one: (typeof operations)[number]) => boolean = () => true) {
  const found: { name: string; status: number; isDeclared: boolean }[] = []
  for (const one of operations.filter(which)) {
    const path = one.path.replace(/\{\w+\}/g, '7f0f1f4e-6a43-4a2e-9d2b-0a9f6d9d0a11')
    const { status, body } = await fixture.app.request(`/api/v1${path}`, { ...init, method: one.method })
    await body?.cancel()
    const isDeclared = one.operation.responses[String(status)] !== undefined
    found.push({ name: `${one.method} ${one.path}`, status, isDeclared })
  }
  return found
}

const undeclared = (found: Awaited<ReturnType<typeof answers>>) => found.filter(({ isDeclared }) => !isDeclared)
const statuses = (found: Awaited<ReturnType<typeof answers>>) => [...new Set(found.map(({ status }) => status))]

describe('every operation declares', () => {
  test('that a body may be too long', async () => {
    const found = await answers({ headers: { ...fixture.keys.secret, 'Content-Length': '70000' } })
    expect(found.length).toBeGreaterThan(40)
    expect(statuses(found)).toEqual([413])
    expect(undeclared(found)).toEqual([])
  })

  test('that a key may be missing, where one is needed', async () => {
    const found = await answers({}, ({ operation }) => operation.security?.length !== 0)
    expect(statuses(found)).toEqual([401])
    expect(undeclared(found)).toEqual([])
  })

  test('that there may be too many calls', async () => {
    const limits = { ...defaultLimits, calls: 0, creates: 0, secretCalls: 0, openCalls: 0 }
    await restart({ limits: createRateLimits({ limits, trustedProxies: [] }) })
    const found = await answers({ headers: fixture.keys.secret })
    expect(statuses(found)).toEqual([429])
    expect(undeclared(found)).toEqual([])
  })

  test('that a body may be no JSON, or break a rule, and that an id may be none', async () => {
    const body = { method: 'POST', body: '{', headers: { ...fixture.keys.secret, 'Content-Type': 'application/json' } }
    const takesBody = ({ operation }: { operation: Operation }) => operation.requestBody !== undefined
    const wrongType = { ...body, headers: { ...fixture.keys.secret, 'Content-Type': 'text/csv' } }
    const noFields = { ...body, body: '[]' }
    for (const init of [body, wrongType, noFields]) {
      const found = await answers(init, takesBody)
      expect(found.length).toBeGreaterThan(10)
      expect(undeclared(found)).toEqual([])
    }
    expect(undeclared(await answers({ headers: fixture.keys.public }, ({ method }) => method === 'GET'))).toEqual([])
  })

  test('that it may fail', async () => {
    const fail = async () => {
      throw new TypeError('a fault of ours')
    }
    await restart({ limits: { ...noRateLimits, anybody: fail } })
    const found = await answers({ headers: fixture.keys.secret })
    expect(statuses(found)).toEqual([500])
    expect(undeclared(found)).toEqual([])
  })
})

describe('the document', () => {
  type Document = {
    tags: { name: string }[]
    paths: Record<string, Record<string, Operation>>
    components: { responses: Record<string, { content: Record<string, { example: object }> }> }
  }
  let text: string
  let document: Document
  beforeEach(async () => {
    text = await (await fixture.app.request('/api/openapi.json')).text()
    document = JSON.parse(text) as Document
  })
  const every = () => Object.values(document.paths).flatMap((methods) => Object.values(methods))

  test('names each operation by a verb and a noun, once, under a tag that it explains', () => {
    const tags = new Set(document.tags.map(({ name }) => name))
    const unnamed = every().filter(
      ({ operationId, tags: own, summary }) =>
        !/^[a-z]+[A-Z][A-Za-z0-9]+$/.test(operationId ?? '') ||
        own?.length !== 1 ||
        !tags.has(own[0] ?? '') ||
        !summary,
    )
    expect(unnamed).toEqual([])
    const ids = every().map(({ operationId }) => operationId)
    expect(ids.length).toBeGreaterThan(100)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toEqual(expect.arrayContaining(['createDeposit', 'readPublicPayment', 'readHealth', 'listVersions']))
  })

  test('shows an example of what each operation answers, without a value that nobody chose', () => {
    const missing: string[] = []
    for (const { operationId, responses } of every()) {
      const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'))
      for (const [status, { content = {} }] of successes) {
        for (const { example } of Object.values(content)) {
          const shown = JSON.stringify(example)
          if (shown === undefined || shown.includes('"text"')) missing.push(`${operationId} ${status}: ${shown}`)
        }
      }
    }
    expect(missing).toEqual([])
  })

  test('has the refusals of the middleware once, with what the service really answers', async () => {
    const exampleOf = (name: string) => document.components.responses[name]?.content['application/json']?.example
    const { status, body } = await fixture.read('/api/v1/payments', {})
    expect([status, body]).toEqual([401, exampleOf('Unauthorized')])
    const long = { headers: { ...fixture.keys.secret, 'Content-Length': '70000' } }
    expect((await fixture.call('/api/v1/payments', long)).body).toEqual(exampleOf('TooLarge'))
    const csv = { method: 'POST', body: 'a,b', headers: { ...fixture.keys.secret, 'Content-Type': 'text/csv' } }
    expect((await fixture.call('/api/v1/deposits/create', csv)).body).toEqual(exampleOf('NotJson'))
    expect((await fixture.read('/api/v1/links')).body).toEqual(exampleOf('NotAllowed'))
  })

  test('is a good deal smaller than its schemas written out at each operation', () => {
    expect(text.length / operations.length).toBeLessThan(3_800)
    expect(text).not.toMatch(/"(_zod|def|2xx)":/)
  })

  test('lets a field be null by a choice: what must also be a component could never be', () => {
    expect(text).not.toMatch(/"allOf":\[\{"\$ref":"[^"]+"\},\{"type":\["object","null"\]\}\]/)
  })

  test('describes health, readiness and versions at the address that has no version', async () => {
    for (const path of ['/health', '/ready', '/versions']) {
      expect(document.paths[path]).toMatchObject({ get: { servers: [{ url: '/api' }], security: [] } })
      expect((await fixture.read(`/api${path}`, {})).status).toBe(200)
      expect((await fixture.read(`/api/v1${path}`, {})).status).toBe(404)
    }
  })
})

test('a test of any route fails where the answer’s status is not declared', async () => {
  const verify = (path: string, status: number) => verifyDeclared(() => fixture.app, 'POST', path, status)
  await expect(verify('/api/v1/payments/verify-qr', 418)).rejects.toThrow('verify-qr answered 418')
  await verify('/api/payments/verify-qr?a=b', 413)
  await verify('/api/v1/no/such/thing', 418)
})
