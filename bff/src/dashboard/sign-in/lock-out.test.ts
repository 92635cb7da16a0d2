import { pageOrigin, signedIn } from '@stablecoin-checkout/rig/dashboard-stage'
import { type AppFixture, openApp } from '@stablecoin-checkout/rig/test-app'
import { afterEach, expect, test } from 'vitest'
import { createRateLimits, defaultLimits } from '../../access/limits/rate-limit.ts'

let bff: AppFixture
afterEach(() => bff.close())

async function post(address: string, path: string, body?: object) {
  const headers = { Origin: pageOrigin, ...(body && { 'Content-Type': 'application/json' }) }
  const init = { method: 'POST', headers, ...(body && { body: JSON.stringify(body) }) }
  const env = { incoming: { socket: { remoteAddress: address } } }
  const answer = await bff.app.request(`/api/v1/dashboard${path}`, init, env)
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

test('a stranger who tries somebody’s passkey is stopped, without locking out its owner', async () => {
  bff = await openApp({ limits: createRateLimits({ trustedProxies: [] }) })
  const { passkey, ask } = await signedIn(bff)
  const statuses: number[] = []
  for (let attempt = 0; attempt < defaultLimits.signIns + 5; attempt++) {
    statuses.push((await post('192.0.2.1', '/sign-in', { response: forged(passkey.id) })).status)
  }
  const attempts = defaultLimits.signInsPerPasskey
  expect(statuses.slice(0, attempts)).toEqual(Array(attempts).fill(403))
  expect(new Set(statuses.slice(attempts))).toEqual(new Set([429]))
  expect(await post('192.0.2.1', '/sign-in/options')).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })

  const { body } = await post('192.0.2.2', '/sign-in/options')
  const response = passkey.sign(body['options'] as { challenge: string }, pageOrigin)
  expect((await post('192.0.2.2', '/sign-in', { response })).status).toBe(200)
  expect((await ask('GET', '/dashboard/session')).status).toBe(200)
})

/** A signature that does not match, for a passkey whose id a stranger has. */
function forged(id: string): object {
  const client = { type: 'webauthn.get', challenge: 'AAAA', origin: pageOrigin, crossOrigin: false }
  const clientDataJSON = Buffer.from(JSON.stringify(client)).toString('base64url')
  return {
    id,
    rawId: id,
    type: 'public-key',
    response: { clientDataJSON, authenticatorData: 'AAAA', signature: 'AAAA' },
  }
}
