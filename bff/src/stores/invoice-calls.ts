import type { Context } from 'hono'
import { z } from 'zod'
import type { Env } from '../access/context/env.ts'
import { PaymentError } from '../core/errors.ts'
import type { Networks } from '../core/families.ts'
import type { ReadRates } from '../rates/read-rates.ts'
import { isUnitOf, type RatedToken } from '../rates/token-rates.ts'
import type { Door } from './door.ts'
import { metadataOf, parseFields, parseJson, parseNewInvoice } from './invoice-body.ts'
import { invoiceStatuses, markStatuses } from './invoice-state.ts'
import { invoiceMethodsView, invoiceView, type ReadInvoice, type Shop, storeCurrency } from './invoice-view.ts'
import type { Invoices } from './invoices.ts'
import { methodsOf } from './payment-methods.ts'
import { refuseField } from './refusal.ts'

const viewing = 'btcpay.store.canviewinvoices'
const modifying = 'btcpay.store.canmodifyinvoices'

/** Invoices in one list; BTCPay's bounds. */
const takeMax = 100
const skipMax = 1_000

const mark = z.object({ status: z.enum(markStatuses, { error: 'must be Settled or Invalid' }) })
const changes = z.object({ metadata: z.record(z.string(), z.unknown(), { error: 'must be an object' }).nullish() })

/** Names and statuses may be repeated: `orderId=1&orderId=2`. */
function listQuery(c: Context<Env>) {
  const whole = (name: string, usual: number, most: number): number => {
    const text = c.req.query(name)
    if (text === undefined || text === '') return usual
    if (!/^\d{1,9}$/.test(text)) throw refuseField(name, 'must be a whole number')
    return Math.min(Number(text), most)
  }
  const time = (name: string): number | null => {
    const text = c.req.query(name)
    if (text === undefined || text === '') return null
    if (!/^\d{1,10}$/.test(text)) throw refuseField(name, 'must be Unix seconds')
    return Number(text) * 1000
  }
  const orderIds = c.req.queries('orderId')?.slice(0, takeMax)
  const asked = c.req.queries('status')
  const statuses = asked?.map((text) => {
    const known = invoiceStatuses.find((status) => status.toLowerCase() === text.toLowerCase())
    if (!known) throw refuseField('status', `must be one of ${invoiceStatuses.join(', ')}`)
    return known
  })
  return {
    orderIds: orderIds ?? null,
    statuses: statuses ?? null,
    sinceMs: time('startDate'),
    untilMs: time('endDate'),
    take: whole('take', 50, takeMax),
    skip: whole('skip', 0, skipMax),
  }
}

type Deps = { invoices: Invoices; networks: Networks; readRates: ReadRates }

export function invoiceCalls(door: Door, { invoices, networks, readRates }: Deps): void {
  const all = '/stores/:storeId/invoices'
  const one = `${all}/:invoiceId`
  const idOf = (c: Context<Env>) => c.req.param('invoiceId') ?? ''
  const isAsked = (c: Context<Env>, name: string) => c.req.query(name)?.toLowerCase() === 'true'

  function shopOf(c: Context<Env>): Shop {
    const { wallets, settings } = c.get('caller')
    return {
      origin: c.get('origin'),
      methods: methodsOf(networks, wallets),
      toleranceBps: settings.tolerance.bps,
    }
  }

  async function viewMethods(c: Context<Env>, invoice: ReadInvoice) {
    const rates = await readRates().catch((error: unknown) => {
      if (error instanceof PaymentError) return null
      throw error
    })
    const currency = invoice.link.price?.currency ?? ''
    const rateOf = (token: RatedToken) =>
      isUnitOf(token, currency) ? '1' : (rates?.rates[token.symbol]?.[currency] ?? '0')
    return invoiceMethodsView(invoice, shopOf(c), rateOf)
  }

  async function view(c: Context<Env>, invoice: ReadInvoice) {
    const shown = invoiceView(invoice, shopOf(c))
    return isAsked(c, 'includePaymentMethods') ? { ...shown, paymentMethods: await viewMethods(c, invoice) } : shown
  }

  door.serve({ method: 'get', path: all, permission: viewing }, async (c, { merchantId }) => {
    const filter = {
      ...listQuery(c),
      text: c.req.query('textSearch')?.trim() || null,
      hasArchived: isAsked(c, 'includeArchived'),
    }
    const found = await invoices.list(merchantId, filter, c.req.raw.signal)
    const shown = []
    for (const invoice of found) shown.push(await view(c, invoice))
    return shown
  })

  door.serve({ method: 'post', path: all, permission: 'btcpay.store.cancreateinvoice' }, async (c, key) => {
    const caller = c.get('caller')
    const given = parseNewInvoice(await c.req.text(), storeCurrency(caller.settings))
    return await view(c, await invoices.create(caller, key.id, given))
  })

  door.serve({ method: 'get', path: one, permission: viewing }, async (c, { merchantId }) => {
    return await view(c, await invoices.read(merchantId, idOf(c)))
  })

  door.serve({ method: 'put', path: one, permission: modifying }, async (c, { merchantId }) => {
    const text = await c.req.text()
    const { metadata } = parseFields(changes, parseJson(text))
    if (!metadata) return await view(c, await invoices.read(merchantId, idOf(c)))
    return await view(c, await invoices.setMetadata(merchantId, idOf(c), metadataOf(text)))
  })

  door.serve({ method: 'delete', path: one, permission: modifying }, async (c, { merchantId }) => {
    await invoices.archive(merchantId, idOf(c), true)
    return {}
  })

  door.serve({ method: 'post', path: `${one}/unarchive`, permission: modifying }, async (c, { merchantId }) => {
    return await view(c, await invoices.archive(merchantId, idOf(c), false))
  })

  door.serve({ method: 'post', path: `${one}/status`, permission: modifying }, async (c, { merchantId }) => {
    const { status } = parseFields(mark, parseJson(await c.req.text()))
    return await view(c, await invoices.mark(merchantId, idOf(c), status))
  })

  door.serve({ method: 'get', path: `${one}/payment-methods`, permission: viewing }, async (c, { merchantId }) => {
    return await viewMethods(c, await invoices.read(merchantId, idOf(c)))
  })
}
