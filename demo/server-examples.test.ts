import { spawn, spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getRequestListener } from '@hono/node-server'
import { silentLog, systemRuntime } from '@stablecoin-checkout/bff/testing/core'
import type { PaymentId } from '@stablecoin-checkout/bff/testing/payment'
import { createDispatcher } from '@stablecoin-checkout/bff/testing/webhook'
import { until } from '@stablecoin-checkout/rig/outbox'
import { freePort } from '@stablecoin-checkout/rig/processes/ports'
import { type AppFixture, openApp, transferTo } from '@stablecoin-checkout/rig/test-app'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'

/** The shops of `examples/server-*`: each as its own process, against the service. */

const examples = fileURLToPath(new URL('./examples/', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'server-examples-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let bff: AppFixture
let dispatcher: ReturnType<typeof createDispatcher>
let origin = ''
/** What a test started, to be ended in reverse. */
const ending: (() => unknown)[] = []
beforeEach(async () => {
  bff = await openApp()
  ending.push(bff.close)
  const devnet = bff.deps.networks.get('devnet')
  const [usdc] = devnet?.tokens ?? []
  if (!devnet || !usdc) throw new Error('The application has no devnet.')
  const brlx = { ...usdc, symbol: 'BRLX', currency: 'BRL', name: 'Real', address: `0x${'3'.repeat(40)}` } as const
  bff.deps.networks.set('devnet', { ...devnet, tokens: [usdc, brlx] } as typeof devnet)
  const { db, vault } = bff.deps
  // With the clock of today: the service's stands still, and shops refuse old signatures.
  dispatcher = createDispatcher({ db, vault, runtime: systemRuntime, log: silentLog, targets: 'any' })
  ending.push(dispatcher.close)
  const service = createServer(getRequestListener(bff.app.fetch))
  service.listen(0, '127.0.0.1')
  await once(service, 'listening')
  ending.push(() => service.close().closeAllConnections())
  origin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
})
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

const languages = [
  ['Node', process.execPath, () => ['server-node/server.mjs']],
  ['Python', 'python3', () => ['server-python/server.py']],
  ['PHP', 'php', (port: number) => ['-S', `127.0.0.1:${port}`, 'server-php/server.php']],
] as const

const isInstalled = (program: string) => spawnSync(program, ['--version']).status === 0

/** Starts a shop. @returns its URL when it answers. */
async function openShop(
  program: string,
  args: (port: number) => readonly string[],
  webhookSecret = bff.merchant.webhookSecret,
): Promise<string> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const { merchant } = bff
  const env = {
    PATH: process.env['PATH'],
    CHECKOUT_URL: origin,
    API_KEY: merchant.apiKey,
    API_SECRET: merchant.apiSecret,
    WEBHOOK_SECRET: webhookSecret,
    SHOP_URL: url,
    PORT: String(port),
    ORDERS: mkdtempSync(join(folder, 'orders-')),
  }
  const child = spawn(program, args(port), { cwd: examples, env, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (text) => {
    said += String(text)
  })
  const exited = once(child, 'exit')
  ending.push(async () => {
    child.kill('SIGKILL')
    await exited
  })
  const answers = () => {
    if (child.exitCode !== null) throw new Error(`The shop ended: ${said}`)
    return fetch(`${url}/orders/1042`).then(
      ({ ok }) => ok,
      () => false,
    )
  }
  await until('the shop answers', answers)
  return url
}

const stateOf = async (shop: string) => await (await fetch(`${shop}/orders/1042`)).text()

/** @returns the link that the shop leads the customer to. */
async function buy(shop: string): Promise<string> {
  const answer = await fetch(`${shop}/buy/1042`, { method: 'POST', redirect: 'manual' })
  expect([answer.status, answer.headers.get('location')]).toEqual([
    303,
    expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/pay\/pl_/),
  ])
  return new URL(answer.headers.get('location') ?? '').pathname.slice('/pay/'.length)
}

async function deliverAll(): Promise<void> {
  while ((await dispatcher.pass(new AbortController().signal)) > 0);
}

/** @param logIndex - Another for each transfer of a payment. */
async function pay(id: unknown, amount: bigint, logIndex = 0): Promise<void> {
  const transfer = { ...transferTo(id as PaymentId, amount), logIndex }
  await bff.deps.ledger.apply(id as PaymentId, { type: 'transfer.confirmed', transfer, atMs: bff.nowMs() })
  await deliverAll()
}

/** A webhook that the service did not send. */
async function forged(
  shop: string,
  { secret = bff.merchant.webhookSecret, ageSeconds = 0, name = 'webhook-signature' },
) {
  const data = { orderId: '1042', outcome: 'paid', isTest: false, amount: '25.00' }
  const body = JSON.stringify({ type: 'payment.completed', data })
  const at = Math.floor(Date.now() / 1000) - ageSeconds
  // Not by the service's code, which refuses to sign without a secret.
  const mac = createHmac('sha256', Buffer.from(secret.slice(6), 'base64')).update(`msg_1.${at}.${body}`)
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(at),
    // The first entry is of no ASCII: comparing it must neither fit nor fail.
    [name]: `v1,é v1,${mac.digest('base64')}`,
  }
  return (await fetch(`${shop}/webhooks`, { method: 'POST', headers, body })).status
}

describe.each(languages)('the shop in %s', (language, program, args) => {
  // A machine without the language names it in the list of what was skipped.
  test.skipIf(!isInstalled(program))(
    `(needs ${language} on this machine) sells by link, and ships what was paid`,
    async () => {
      const shop = await openShop(program, args)
      const link = await buy(shop)
      expect(await stateOf(shop)).toBe('open')

      const wrongSecret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
      expect(await forged(shop, { secret: wrongSecret }), 'signed by somebody else').toBe(401)
      expect(await forged(shop, { ageSeconds: 400 }), 'sent again later').toBe(401)
      expect(await forged(shop, { name: 'x-signature' }), 'unsigned').toBe(401)

      // Anybody can name the order and the shop's URL with the public key.
      const asked = {
        amount: '25.00',
        currency: 'USDC',
        network: 'devnet',
        orderId: '1042',
        callbackUrl: `${shop}/webhooks`,
      }
      const small = await bff.create({ ...asked, amount: '1.00' }, { 'Idempotency-Key': shop })
      await pay(small.body.payment['id'], 1_000_000n)
      const weak = await bff.create({ ...asked, currency: 'BRLX' }, { 'Idempotency-Key': `${shop}/weak` })
      await pay(weak.body.payment['id'], 25_000_000n)
      const sandbox = '/api/v1/sandbox/payments'
      const tried = await bff.post(`${sandbox}/create`, asked, { ...bff.keys.test, 'Idempotency-Key': shop })
      await bff.post(`${sandbox}/${tried.body.payment['id']}/simulate`, { action: 'complete' }, bff.keys.test)
      await deliverAll()
      expect(
        await stateOf(shop),
        'a smaller payment of the same order, one in a weaker token, and a test payment',
      ).toBe('open')

      const chosen = await bff.post(`/api/v1/links/public/${link}/create`, { network: 'devnet', currency: 'USDC' })
      const { id } = chosen.body.payment
      await pay(id, 24_000_000n)
      expect(await stateOf(shop), 'short').toBe('open')
      await pay(id, 1_000_000n, 1)
      expect(await stateOf(shop)).toBe('paid')
    },
  )

  test.skipIf(!isInstalled(program))(
    `(needs ${language} on this machine) takes no webhook without a secret, with which anybody could sign`,
    async () => {
      const webhook = openShop(program, args, '').then((shop) => forged(shop, { secret: 'whsec_' }))
      expect(await webhook.catch(String)).toSatisfy((end) => end === 500 || String(end).includes('WEBHOOK_SECRET'))
    },
  )
})
