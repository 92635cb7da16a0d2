import { type AppFixture, openApp, order } from '@stablecoin-checkout/rig/test-app'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemRuntime } from '../../core/runtime.ts'
import { createVault } from '../../db/vault.ts'
import type { PaymentId } from '../../payment/payment.ts'
import { createClientSecrets } from './client-secret.ts'

let bff: AppFixture
beforeEach(async () => {
  bff = await openApp()
})
afterEach(() => bff.close())

const form = /^cs_[A-Za-z0-9_-]{43}$/
const creates = ['/api/v1/deposits/create', '/api/v1/payments/create', '/api/v1/sandbox/payments/create']

/** With key and secret no public key may be there. */
const createWith = (headers: Record<string, string>, path: string, body: object = order) =>
  bff.call(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

describe('the client secret', () => {
  test.each(creates)('is returned by %s to every kind of key, another one for every payment', async (path) => {
    const secrets = new Set<unknown>()
    for (const keys of [bff.keys.public, bff.keys.test, bff.keys.secret]) {
      const { status, body } = await createWith({ ...keys, 'Idempotency-Key': crypto.randomUUID() }, path)
      expect([status, body.payment['clientSecret']]).toEqual([200, expect.stringMatching(form)])
      secrets.add(body.payment['clientSecret'])
    }
    expect(secrets.size).toBe(3)
  })

  test.each(creates)('is returned again by a repeat of %s under the same Idempotency-Key', async (path) => {
    for (const keys of [bff.keys.public, bff.keys.secret]) {
      const headers = { ...keys, 'Idempotency-Key': crypto.randomUUID() }
      const first = await createWith(headers, path)
      const again = await createWith(headers, path)
      expect(again.headers.get('Idempotent-Replayed')).toBe('true')
      expect(again.body).toEqual(first.body)
    }
  })

  test('is not returned to whoever guesses an order id or a body that another page used, and is to the merchant', async () => {
    for (const path of creates) {
      const named = { ...order, orderId: `A-17 ${path}` }
      expect((await createWith(bff.keys.public, path, named)).body.payment['clientSecret']).toMatch(form)
      const guessed = await createWith(bff.keys.public, path, named)
      expect(guessed.headers.get('Idempotent-Replayed')).toBe('true')
      expect(JSON.stringify(guessed.body)).not.toContain('cs_')

      const own = { ...order, orderId: `B-17 ${path}` }
      const first = await createWith(bff.keys.secret, path, own)
      expect((await createWith(bff.keys.secret, path, own)).body).toEqual(first.body)
    }
    const body = { ...order, amount: '3.00' }
    await createWith(bff.keys.public, '/api/v1/payments/create', body)
    const sameBody = await createWith(bff.keys.public, '/api/v1/payments/create', body)
    expect(sameBody.headers.get('Idempotent-Replayed')).toBe('true')
    expect(JSON.stringify(sameBody.body)).not.toContain('cs_')
  })

  test('is in no table, so that a stolen database does not reveal it', async () => {
    const { payment } = (await createWith({ ...bff.keys.public, 'Idempotency-Key': 'k' }, '/api/v1/deposits/create'))
      .body
    const stored = await bff.database.dump()
    expect(stored).toContain(String(payment['id']))
    expect(stored).not.toContain(String(payment['clientSecret']).slice(3))
  })

  test('follows from the key of the vault and the id: the same after a restart, another with another key', () => {
    const id = '7f0f1f4e-6a43-4a2e-9d2b-0a9f6d9d0a11' as PaymentId
    const open = (byte: number) => createClientSecrets(createVault(Buffer.alloc(32, byte), systemRuntime))
    expect(open(7).of(id)).toBe(open(7).of(id))
    expect(open(7).of(id)).not.toBe(open(8).of(id))
    expect(open(7).isSecretOf(id, open(7).of(id))).toBe(true)
    for (const wrong of [
      undefined,
      '',
      'cs_',
      open(8).of(id),
      open(7).of(id).slice(3),
      `${open(7).of(id)}A`,
      'é'.repeat(23),
    ]) {
      expect(open(7).isSecretOf(id, wrong)).toBe(false)
    }
  })
})
