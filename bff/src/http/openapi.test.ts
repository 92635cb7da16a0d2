import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { noRateLimits } from '../../test/app-defaults.ts'
import { verifyDeclared } from '../../test/declared-operations.ts'
import { type AppFixture, openApp } from '../../test/test-app.ts'
import { createRateLimits, defaultLimits } from './limits/rate-limit.ts'

type Operation = { responses: Record<string, unknown>; security?: unknown[]; requestBody?: unknown }

let fixture: AppFixture
let operations: { method: string; path: string; operation: Operation }[]

beforeEach(async () => {
  fixture = await openApp()
  const { paths } = (await fixture.call('/api/openapi.json')).body as unknown as {
    paths: Record<string, Record<string, Operation>>
  }
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
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

test('a test of any route fails where the answer’s status is not declared', async () => {
  const verify = (path: string, status: number) => verifyDeclared(() => fixture.app, 'POST', path, status)
  await expect(verify('/api/v1/payments/verify-qr', 418)).rejects.toThrow('verify-qr answered 418')
  await verify('/api/payments/verify-qr?a=b', 413)
  await verify('/api/v1/no/such/thing', 418)
})
