import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { compress } from 'hono/compress'
import type { StorefrontConfig } from './config.ts'
import type { PayFromElsewhere } from './cross-chain.ts'
import type { TestCustomer } from './customer.ts'
import { galleryRoutes } from './gallery/gallery.routes.ts'
import { PayError } from './pay-error.ts'
import type { ReadRecord } from './payment-record.ts'
import { shopRoutes } from './shop.routes.ts'
import type { Shop } from './shop.ts'
import type { TestWallet } from './wallet/test-wallet.ts'
import { walletRoutes } from './wallet/wallet.routes.ts'
import { verifyWebhook } from './webhook.ts'

export type StorefrontDeps = {
  config: StorefrontConfig
  shop: Shop
  customer: TestCustomer
  payFromElsewhere: PayFromElsewhere
  wallet: TestWallet
  readRecord: ReadRecord
}

/** An event with a full payment is about 3 kB; metadata can add a few more. */
const bodyBytesMax = 64_000

const styleType = 'text/css; charset=utf-8'
const scriptType = 'text/javascript; charset=utf-8'
const files = {
  '/shop.css': { file: 'shop.css', type: styleType },
  '/pages.css': { file: 'pages.css', type: styleType },
  '/developer.css': { file: 'developer.css', type: styleType },
  '/shop.client.js': { file: 'shop.client.js', type: scriptType },
  '/developer.client.js': { file: 'developer.client.js', type: scriptType },
  '/wallet/wallet.css': { file: 'wallet/wallet.css', type: styleType },
  '/wallet/wallet.client.js': { file: 'wallet/wallet.client.js', type: scriptType },
  '/wallet/solana-wallet.client.js': { file: 'wallet/solana-wallet.client.js', type: scriptType },
  '/wallet/dialog.client.js': { file: 'wallet/dialog.client.js', type: scriptType },
  '/wallet/settings.client.js': { file: 'wallet/settings.client.js', type: scriptType },
} as const

/** The merchant's server: its page, the element's script, and the endpoint for the checkout service's webhooks. */
export function createStorefront(deps: StorefrontDeps): Hono {
  const { config, shop, customer, wallet, readRecord } = deps
  const app = new Hono()

  app.use(compress())
  app.use(bodyLimit({ maxSize: bodyBytesMax, onError: (c) => c.json({ error: 'The body is too large.' }, 413) }))
  app.use(async (c, next) => {
    await next()
    c.header('X-Content-Type-Options', 'nosniff')
    c.header('Referrer-Policy', 'no-referrer')
  })

  shopRoutes(app, { config, shop, policy: pagePolicy(config.bff) })

  app.post('/webhooks', async (c) => {
    const verified = verifyWebhook(config.webhookSecret, c.req.header(), await c.req.text())
    if (!verified.verified) {
      shop.refuse(verified.reason)
      return c.json({ error: verified.reason }, 401)
    }
    const { event } = verified
    if (event.type !== 'payment.completed') return c.json({ note: shop.receive(event).note })
    // The only event that ships: the service's current state decides, not the event.
    let record: Awaited<ReturnType<typeof readRecord>>
    try {
      record = await readRecord(event.paymentId)
    } catch {
      return c.json({ error: 'Reading the payment failed; deliver the event again.' }, 503)
    }
    return c.json({ note: shop.receive({ ...event, ...(record ?? { outcome: 'unknown' }) }).note })
  })

  // The receiver of the merchant's test mode, which ships nothing: it only acknowledges.
  app.post('/test-webhooks', (c) => c.json({ note: 'A test: nothing is shipped.' }))

  app.get('/webhooks', (c) => {
    c.header('Cache-Control', 'no-store')
    return c.json(shop.received())
  })

  app.post('/demo/pay', async (c) => {
    if (!isOwnPage(c)) return c.json({ error: 'Only the shop’s own page may call this, with JSON.' }, 403)
    const { paymentId, amount } = (await c.req.json().catch(() => ({}))) as Record<string, unknown>
    if (typeof paymentId !== 'string') return c.json({ error: 'paymentId is missing.' }, 400)
    if (amount !== undefined && typeof amount !== 'string') {
      return c.json({ error: 'amount must be text, such as "12.50".' }, 400)
    }
    try {
      return c.json(await customer.pay(amount === undefined ? { paymentId } : { paymentId, amount }))
    } catch (error) {
      if (error instanceof PayError) return c.json({ error: error.message }, error.status)
      throw error
    }
  })

  app.post('/demo/pay-from-elsewhere', async (c) => {
    if (!isOwnPage(c)) return c.json({ error: 'Only the shop’s own page may call this, with JSON.' }, 403)
    const { orderId } = (await c.req.json().catch(() => ({}))) as Record<string, unknown>
    const order = shop.order(String(orderId))
    if (order === undefined) return c.json({ error: 'No such order.' }, 404)
    try {
      return c.json(await deps.payFromElsewhere(order))
    } catch (error) {
      if (error instanceof PayError) return c.json({ error: error.message }, error.status)
      throw error
    }
  })

  // The bridge's behaviour with later deposits.
  app.post('/demo/bridge', async (c) => {
    if (!isOwnPage(c)) return c.json({ error: 'Only the shop’s own page may call this, with JSON.' }, 403)
    if (!config.relay) return c.json({ error: 'There is no bridge emulator.' }, 404)
    const { outcome } = (await c.req.json().catch(() => ({}))) as Record<string, unknown>
    const answer = await fetch(`${config.relay}/emulator/switches`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ outcome }),
    }).catch(() => null)
    if (answer === null) return c.json({ error: 'The bridge emulator does not respond.' }, 503)
    return answer.ok ? c.json({ outcome }) : c.json({ error: `The bridge emulator refused "${outcome}".` }, 400)
  })

  walletRoutes(app, wallet, isOwnPage)
  galleryRoutes(app, pagePolicy(config.bff))

  app.post('/demo/solana-wallet/:verb', async (c) => {
    if (!isOwnPage(c)) return c.json({ error: 'Only the shop’s own page may call this.' }, 403)
    if (!config.solana) return c.json({ error: 'The shop offers no Solana.' }, 404)
    // Loaded on first use: the library takes time, which webhooks should not wait for.
    const { askSolanaWallet } = await import('./wallet/solana-wallet.ts')
    const ask = ((await c.req.json().catch(() => null)) ?? {}) as object
    try {
      return c.json({ result: await askSolanaWallet(config.solana, c.req.param('verb'), ask) })
    } catch (error) {
      return c.json({ error: error instanceof Error ? error.message : String(error) })
    }
  })

  // The element's script, and the chunks that it loads for wallet payments.
  app.get('/:file{[\\w.-]+\\.m?js}', async (c, next) => {
    const file = c.req.param('file')
    if (`/${file}` in files) return await next()
    const script = await readFile(join(dirname(config.scriptPath), file), 'utf8').catch(() => null)
    if (script === null) return c.text('The element is not built: npm run build', 404)
    return c.body(script, 200, { 'Content-Type': scriptType, 'Cache-Control': 'no-cache' })
  })

  for (const [path, { file, type }] of Object.entries(files)) {
    const onDisk = fileURLToPath(new URL(`./${file}`, import.meta.url))
    app.get(path, async (c) =>
      c.body(await readFile(onDisk, 'utf8'), 200, { 'Content-Type': type, 'Cache-Control': 'no-cache' }),
    )
  }

  app.get('/health', (c) => c.json({ status: 'ok' }))
  app.notFound((c) => c.json({ error: `Nothing at ${c.req.path}.` }, 404))

  /**
   * Whether the caller is a page of this shop or a program on this machine. A page of another origin cannot send JSON
   * without a preflight, which is never allowed; DNS rebinding is detected by the origin.
   */
  function isOwnPage(c: Context): boolean {
    const origin = c.req.header('origin')
    const isOurs = origin === undefined || ownOrigins(config.origin).includes(origin)
    return isOurs && (c.req.header('content-type') ?? '').startsWith('application/json')
  }

  return app
}

/** The browser may use either name of this machine. */
const ownOrigins = (origin: string) => [origin, origin.replace('//127.0.0.1:', '//localhost:')]

/** The element needs only its script and the service; the page's own style is a file. */
const pagePolicy = (bff: string) =>
  [
    "default-src 'none'",
    `script-src 'self' ${bff}`,
    `connect-src 'self' ${bff}`,
    "style-src 'self'",
    `img-src 'self' ${bff} data:`,
    "require-trusted-types-for 'script'",
    'trusted-types lit-html',
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ')
