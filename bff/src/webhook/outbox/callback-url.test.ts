import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openApp, order } from '@stablecoin-checkout/rig/test-app'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadConfig } from '../../ops/config/config.ts'
import { type Targets, webhookPortsDefault } from '../send/target.ts'

const targets: Targets = { ports: webhookPortsDefault }
let strict: Awaited<ReturnType<typeof openApp>>
let development: typeof strict
beforeAll(async () => {
  strict = await openApp({ webhookTargets: targets })
  development = await openApp({ webhookTargets: 'any' })
})
afterAll(async () => {
  await strict.close()
  await development.close()
})

const crossChain = '/api/v1/payments/cross-chain/create'
const paths = ['/api/v1/deposits/create', '/api/v1/payments/create', '/api/v1/sandbox/payments/create', crossChain]
const cart = { ...order, originChainId: 8453, originCurrency: 'USDC' }

/** A create that gets past its callbackUrl; nothing is connected that would take a cross-chain payment further. */
const isTaken = (path: string, { status, body }: { status: number; body: Record<string, unknown> }) =>
  path === crossChain ? body['code'] === 'NO_ROUTE' : status === 200

describe.each(paths)('%s', (path) => {
  test.each([
    [
      'http://shop.example/hooks',
      /^callbackUrl must begin with https:[/][/] [(]for development, the setting webhookTargets "any"/,
    ],
    [
      'http://localhost:3000/hooks',
      /^callbackUrl must begin with https:[/][/] [(]for development, the setting webhookTargets "any"/,
    ],
    ['https://127.0.0.1/hooks', /^callbackUrl must be on the public internet/],
    ['https://169.254.169.254/latest', /^callbackUrl must be on the public internet/],
    ['https://[::1]/hooks', /^callbackUrl must be on the public internet/],
    ['https://2130706433/hooks', /^callbackUrl must be on the public internet/],
    ['https://user:word@shop.example/', /^callbackUrl must not contain a user name or password/],
    ['https://shop.example:22/', /^callbackUrl must have one of the ports 443, 8443 [(]the setting webhookPorts/],
  ])('refuses callbackUrl %s, which nothing would be delivered to, and says why', async (callbackUrl, message) => {
    for (const keys of [strict.keys.public, strict.keys.test, strict.keys.secret]) {
      const init = { method: 'POST', headers: { 'Content-Type': 'application/json', ...keys } }
      const { status, body } = await strict.call(path, { ...init, body: JSON.stringify({ ...cart, callbackUrl }) })
      expect([status, body['code'], body['message']]).toEqual([
        400,
        'VALIDATION_FAILED',
        expect.stringMatching(message),
      ])
    }
  })

  test.each(['https://shop.example/hooks', 'https://shop.example:8443/hooks?order=1', 'https://8.8.8.8/'])(
    'takes callbackUrl %s; a name is looked up only when something is delivered',
    async (callbackUrl) => {
      expect(isTaken(path, await strict.post(path, { ...cart, callbackUrl }))).toBe(true)
    },
  )

  test('takes http and the own machine where the configuration allows any target', async () => {
    const answer = await development.post(path, { ...cart, callbackUrl: 'http://localhost:3000/hooks' })
    expect(isTaken(path, answer)).toBe(true)
  })
})

describe('a webhook endpoint', () => {
  test('is held to the same rule when it is made and when its URL is changed', async () => {
    const ask = (method: string, at: string, body: object) =>
      strict.call(`/api/v1/webhooks/endpoints${at}`, {
        method,
        headers: { 'Content-Type': 'application/json', ...strict.keys.secret },
        body: JSON.stringify(body),
      })
    const { body } = await ask('POST', '', { url: 'https://shop.example:8443/hooks' })
    const { id } = body['endpoint'] as { id: string }
    for (const url of ['http://shop.example/', 'https://10.0.0.1/', 'https://shop.example:25/']) {
      for (const refused of [await ask('POST', '', { url }), await ask('PATCH', `/${id}`, { url })]) {
        expect([refused.status, refused.body['message']]).toEqual([400, expect.stringMatching(/^url must /)])
      }
    }
  })
})

describe('the configuration', () => {
  const load = (settings: object) => {
    const folder = mkdtempSync(join(tmpdir(), 'callback-url-'))
    try {
      const path = join(folder, 'checkout.json')
      writeFileSync(path, JSON.stringify(settings))
      return loadConfig({ BFF_CONFIG: path }).webhookTargets
    } finally {
      rmSync(folder, { recursive: true })
    }
  }

  test('lists the ports that webhooks may go to', () => {
    expect(load({})).toEqual({ ports: [443, 8443] })
    expect(load({ webhookPorts: [443, 9443] })).toEqual({ ports: [443, 9443] })
    expect(load({ webhookTargets: 'any', webhookPorts: [443] })).toBe('any')
  })

  test.each([[[]], [[0]], [[65_536]], [['443']]])('refuses ports that are none: %j', (webhookPorts) => {
    expect(() => load({ webhookPorts })).toThrow(/webhookPorts/)
  })
})
