import { signedIn } from '@stablecoin-checkout/rig/dashboard-stage'
import { openStoreStage, type StoreStage } from '@stablecoin-checkout/rig/store-stage'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKey, revokeKey } from '../../merchant/keys.ts'

let shop: StoreStage
beforeAll(async () => {
  shop = await openStoreStage({ webhookTargets: { ports: [443] }, publicUrl: 'http://localhost' })
})
afterAll(() => shop.bff.close())

/** Sends a request whose body ends only after `between`. @returns its status. */
async function sendSlowly(
  { method, path, headers }: { method: string; path: string; headers: Record<string, string> },
  body: object,
  between: () => Promise<unknown>,
): Promise<number> {
  const text = new TextEncoder().encode(JSON.stringify(body))
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const sent = { 'Content-Type': 'application/json', 'Content-Length': String(text.length), ...headers }
  const init = { method, headers: sent, body: readable, duplex: 'half' } as const
  const answered = shop.bff.fetch(path, init)
  const writer = writable.getWriter()
  // Resolves once the service reads the body.
  await writer.write(text.subarray(0, 1))
  await between()
  await writer.write(text.subarray(1))
  await writer.close()
  return (await answered).status
}

describe('a request whose body arrives after its caller’s rights have ended is refused:', () => {
  test.each([
    ['PUT', '/api/v1/merchants/agent-policies/bot', { dailyBudget: '5' }],
    ['PUT', '/api/v1/merchants/key-origins', { origins: ['https://evil.example'] }],
    ['POST', '/api/v1/links', { amount: '1.00' }],
  ])('an API key that was revoked, %s %s', async (method, path, body) => {
    const { db, runtime } = shop.bff.deps
    const { key, secret } = await db.write((tx) => createKey(tx, runtime, shop.merchantId, { kind: 'api' }))
    const revoke = async () => {
      await db.write((tx) => revokeKey(tx, runtime, key))
      // Keys are kept for a second.
      shop.bff.advance(1_001)
    }
    const headers = { 'X-API-Key': key, 'X-API-Secret': secret ?? '' }
    expect(await sendSlowly({ method, path, headers }, body, async () => {})).toBe(200)
    expect(await sendSlowly({ method, path, headers }, body, revoke)).toBe(401)
  })

  test('the key of a shop that was unpaired', async () => {
    const id = await shop.invoice()
    const { apiKey } = await shop.pair()
    const path = `/btcpay/api/v1${shop.store}/invoices/${id}/status`
    const sent = { method: 'POST', path, headers: { Authorization: `token ${apiKey}` } }
    const unpair = () => shop.ask('DELETE', '/api-keys/current', undefined, apiKey)
    expect(await sendSlowly(sent, { status: 'Settled' }, unpair)).toBe(401)
    expect(await shop.status(id)).toEqual(['New', 'None'])
  })

  test('a session that has ended', async () => {
    const page = await signedIn(shop.bff, 'staff', 'Sam')
    const { body } = await page.ask('GET', '/dashboard/passkeys')
    const [passkey] = body['passkeys'] as { id: string }[]
    const path = `/api/v1/dashboard/passkeys/${passkey?.id}`
    const headers = { Cookie: page.cookie(), Origin: 'http://localhost', 'Sec-Fetch-Site': 'same-origin' }
    const end = () => page.ask('DELETE', '/dashboard/session')
    expect(await sendSlowly({ method: 'PATCH', path, headers }, { name: 'Mine' }, end)).toBe(401)
  })
})
