import { Context } from 'hono'
import { expect, test } from 'vitest'
import type { Caller } from '../context/caller.ts'
import type { Env } from '../context/env.ts'
import { createRateLimits, defaultLimits, type Limits } from './rate-limit.ts'

const url = 'https://pay.example/api'
const env = { incoming: { socket: { remoteAddress: '192.0.2.1' } } }
const contextOf = (init: RequestInit = {}) => new Context<Env>(new Request(url, init), { env: env as never })
const limitsOf = (changes: Partial<Limits>) =>
  createRateLimits({ limits: { ...defaultLimits, ...changes }, trustedProxies: [] })

/** What two requests come to, of which one may be anonymous: how many are handled, and the second's refusal. */
async function ask(init: RequestInit, isAccepted: boolean) {
  const { anybody } = limitsOf({ openCalls: 1 })
  let handled = 0
  const request = async () => {
    const c = contextOf(init)
    await anybody(c, async () => {
      handled += 1
      if (isAccepted) c.set('caller', {} as Caller)
    })
  }
  await request()
  const refusal = await request().then(
    () => null,
    ({ code }: { code: string }) => code,
  )
  return [handled, refusal]
}

test('a call without a key counts as anonymous before it is handled', async () => {
  expect(await ask({}, false)).toEqual([1, 'RATE_LIMITED'])
  expect(await ask({ headers: { cookie: 'other=1', authorization: 'Basic x' } }, false)).toEqual([1, 'RATE_LIMITED'])
})

test.each<[string, Record<string, string>]>([
  ['a public key', { 'x-public-key': 'pk' }],
  ['an API key', { 'x-api-key': 'key' }],
  ['the key of a shop', { authorization: 'token key' }],
  ['a session', { cookie: 'a=1; __Host-checkout-session=x' }],
  ['a session without https', { cookie: 'checkout-session=x' }],
  ['a till', { cookie: '__Host-checkout-till=x' }],
])('a call with %s counts as anonymous only if nothing accepts it', async (_, headers) => {
  expect(await ask({ headers }, true)).toEqual([2, null])
  expect(await ask({ headers }, false)).toEqual([2, 'RATE_LIMITED'])
})

test('a preflight counts as nothing', async () => {
  expect(await ask({ method: 'OPTIONS' }, false)).toEqual([2, null])
})

test('a fault of the counts is a fault, and no limit', async () => {
  const { open } = createRateLimits({
    ...{ limits: defaultLimits, trustedProxies: [] },
    makeCounter: () => ({ consume: () => Promise.reject(new Error('the database is down')) }),
  })
  await expect(open(contextOf())).rejects.toThrow(new Error('the database is down'))
})

test('of a person’s calls only those that the audit log records count as changes', async () => {
  const { called } = limitsOf({ changes: 1 })
  const caller = { id: 'a', kind: 'api', session: { personId: 'person' } } as unknown as Caller
  const call = async (audit: string | undefined) => {
    const c = contextOf({ method: 'POST' })
    c.set('operation', { audit } as never)
    return await called(c, caller).then(
      () => 'counted',
      ({ code }: { code: string }) => code,
    )
  }
  expect([await call(undefined), await call(undefined), await call('person.changed')]).toEqual(Array(3).fill('counted'))
  expect([await call('person.changed'), await call(undefined)]).toEqual(['RATE_LIMITED', 'counted'])
})

test('quotes and repeated webhooks of one merchant use up no other’s', async () => {
  const { quoted, redelivered } = limitsOf({ merchantQuotes: 1, redeliveries: 1 })
  const of = (merchantId: string) => ({ kind: 'api', merchantId }) as unknown as Caller
  for (const count of [quoted, redelivered]) {
    await count(of('corner'))
    await count(of('other'))
    await expect(count(of('corner'))).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  }
})

test('authorizations and sign-ins have limits of their own, and a create is no other call', async () => {
  const { signed, signIns, called } = limitsOf({ signatures: 1, signIns: 1, calls: 1, creates: 2 })
  const next = async () => undefined
  for (const counted of [signed, signIns]) {
    await counted(contextOf(), next)
    await expect(counted(contextOf(), next)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  }
  const caller = { id: 'pk', kind: 'public' } as unknown as Caller
  const call = async (rate: string | undefined) => {
    const c = contextOf()
    c.set('operation', { rate } as never)
    await called(c, caller)
  }
  for (const rate of ['creates', 'creates', undefined]) await call(rate)
  await expect(call('creates')).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  await expect(call(undefined)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
})
