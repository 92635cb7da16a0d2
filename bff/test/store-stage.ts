import { silentLog } from '@stablecoin-checkout/bff/testing/core'
import { sql } from '@stablecoin-checkout/bff/testing/db'
import type { PaymentEvent, PaymentId } from '@stablecoin-checkout/bff/testing/payment'
import { createRates } from '@stablecoin-checkout/bff/testing/service'
import { everyPart } from './app-defaults.ts'
import { type DashboardPage, signedIn } from './dashboard-stage.ts'
import { openApp, transferTo } from './test-app.ts'

/** Permissions that WooCommerce's plug-in requests. */
export const wooPermissions = [
  'btcpay.store.canviewinvoices',
  'btcpay.store.cancreateinvoice',
  'btcpay.store.canviewstoresettings',
  'btcpay.store.canmodifyinvoices',
  'btcpay.store.cancreatenonapprovedpullpayments',
  'btcpay.store.webhooks.canmodifywebhooks',
]

export type StoreStage = Awaited<ReturnType<typeof openStoreStage>>

type Answer = { status: number; body: never }

/** The application, its owner, and a paired shop: one token is 0.80 EUR or 1 USD. For tests. */
export async function openStoreStage(changes: Parameters<typeof openApp>[0] = {}) {
  const rates = { USDC: { EUR: '0.8', USD: '1' }, USDT: { EUR: '0.8', USD: '1' } }
  const source = { kind: 'fixed', rates, asOfMs: Date.parse('2026-11-21T12:00:00Z'), maxAgeSeconds: null } as const
  const bff = await openApp({
    readRates: createRates(source, { runtime: { nowMs: Date.now } as never, log: silentLog }),
    ...changes,
  })
  const devnet = bff.deps.networks.get('devnet')
  const [usdc] = devnet?.tokens ?? []
  if (!devnet || !usdc) throw new Error('The application has no devnet.')
  const usdt = { ...usdc, symbol: 'USDT', name: 'Tether USD', address: `0x${'2'.repeat(40)}` }
  bff.deps.networks.set('devnet', { ...devnet, tokens: [usdc, usdt] })
  const owner = await signedIn(bff)
  const { merchantId } = bff.merchant

  async function pair(permissions: readonly string[] = wooPermissions, page: DashboardPage = owner) {
    // The list starts with the newest.
    bff.advance(1)
    const body = { permissions, applicationName: 'Corner shop', redirect: 'https://shop.example/callback?x=1' }
    const answer = await page.confirm('POST', '/dashboard/stores', body)
    return { ...answer, apiKey: String(answer.body['apiKey']) }
  }
  const { apiKey } = await pair()

  async function ask(method: string, path: string, body?: unknown, key: string | null = apiKey): Promise<Answer> {
    const response = await bff.fetch(`/btcpay/api/v1${path}`, {
      method,
      headers: {
        Accept: 'application/json',
        'Content-Type': 'application/json',
        ...(key !== null && { Authorization: `token ${key}` }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as never }
  }

  const store = `/stores/${merchantId}`

  /** An invoice for 20 EUR, which are 25 tokens. */
  async function invoice(changes: object = {}) {
    const given = { amount: '20.00', currency: 'EUR', metadata: { orderId: '1000' }, ...changes }
    const { body } = await ask('POST', `${store}/invoices`, given)
    return String((body as { id: string }).id)
  }

  /** The customer chooses a token. @returns the payment's id. */
  async function choose(id: string, currency = 'USDC'): Promise<PaymentId> {
    const init = {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ network: 'devnet', currency }),
    }
    const { body } = await bff.call(`/api/v1/links/public/${id}/create`, init)
    return body.payment?.['id'] as PaymentId
  }

  const apply = (id: PaymentId, event: PaymentEvent) => bff.deps.ledger.apply(id, event)

  /** The customer's transfer. `late`: in a block after the end of the payment. */
  async function pay(id: PaymentId, units: bigint, { isSeen = false, isLate = false, nth = 0 } = {}) {
    const transfer = {
      ...transferTo(id, units),
      logIndex: nth,
      ...(isLate && { blockTimeMs: bff.nowMs() + 10 * 3_600_000 }),
    }
    await apply(id, { type: 'transfer.seen', transfer, atMs: bff.nowMs() })
    if (!isSeen) await apply(id, { type: 'transfer.confirmed', transfer, atMs: bff.nowMs() })
    return transfer
  }

  let reported = 0

  /** Runs the worker until idle. @returns the webhooks queued since the last call, for every receiver. */
  async function reports(): Promise<{ type: string; body: Record<string, unknown> }[]> {
    const worker = everyPart.stores?.createInvoiceWorker(bff.deps)
    while (await worker?.pass());
    const rows = await bff.deps.db.read((tx) =>
      tx.all<{ type: string; body: string }>(sql`
          select type, body from events where type like 'Invoice%' order by number`),
    )
    const fresh = rows.slice(reported)
    reported = rows.length
    return fresh.map(({ type, body }) => ({ type, body: JSON.parse(body) as Record<string, unknown> }))
  }

  return {
    bff,
    reports,
    /** Their types, such as `Created`. */
    types: async () => (await reports()).map(({ type }) => type.slice('Invoice'.length)),
    async hook(body: object = { url: 'https://shop.example/hook', secret: 'shop-secret' }) {
      const answer = await ask('POST', `${store}/webhooks`, body)
      return answer.body as { id: string; secret: string }
    },
    owner,
    apiKey,
    merchantId,
    store,
    pair,
    ask,
    invoice,
    choose,
    apply,
    pay,
    /** The invoice's status and additional status. */
    async status(id: string): Promise<[string, string]> {
      const { body } = await ask('GET', `${store}/invoices/${id}`)
      const { status, additionalStatus } = body as { status: string; additionalStatus: string }
      return [status, additionalStatus]
    },
    /** Moves the chain's clock past the end of the payment. */
    end: (id: PaymentId) =>
      apply(id, { type: 'window.ended', blockTimeMs: bff.nowMs() + 9 * 3_600_000, atMs: bff.nowMs() }),
  }
}
