import type { Context } from 'hono'
import { z } from 'zod'
import type { Env } from '../access/env.ts'
import { PaymentError } from '../core/errors.ts'
import type { Networks } from '../core/families.ts'
import type { ReadRates } from '../rates/read-rates.ts'
import type { Door } from './door.ts'
import { parseFields, parseJson, parseNewInvoice } from './invoice-body.ts'
import { invoiceStatuses, markStatuses } from './invoice-state.ts'
import { invoiceMethodsView, invoiceView } from './invoice-view.ts'
import type { Invoices } from './invoices.ts'
import { methodsOf } from './payment-methods.ts'
import { refuseField } from './refusal.ts'

const view = 'btcpay.store.canviewinvoices'
const modify = 'btcpay.store.canmodifyinvoices'

/** Invoices of one list, as BTCPay bounds it. */
const takeMax = 100
const skipMax = 1_000

const mark = z.object({ status: z.enum(markStatuses, { error: 'must be Settled or Invalid' }) })
const changes = z.object({ metadata: z.record(z.string(), z.unknown(), { error: 'must be an object' }) })

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
  const one = '/stores/:storeId/invoices/:invoiceId'
  const idOf = (c: Context<Env>) => c.req.param('invoiceId') ?? ''

  door.serve({ method: 'get', path: '/stores/:storeId/invoices', permission: view }, async (c, { merchantId }) => {
    const found = await invoices.list(merchantId, listQuery(c))
    return found.map((invoice) => invoiceView(invoice, c.get('origin')))
  })

  door.serve(
    { method: 'post', path: '/stores/:storeId/invoices', permission: 'btcpay.store.cancreateinvoice' },
    async (c, key) => {
      const given = parseNewInvoice(await c.req.text())
      return invoiceView(await invoices.create(c.get('caller'), key.id, given), c.get('origin'))
    },
  )

  door.serve({ method: 'get', path: one, permission: view }, async (c, { merchantId }) =>
    invoiceView(await invoices.read(merchantId, idOf(c)), c.get('origin')),
  )

  door.serve({ method: 'put', path: one, permission: modify }, async (c, { merchantId }) => {
    const body = parseJson(await c.req.text())
    parseFields(changes, body)
    // As it was sent: parsing would drop keys such as `__proto__`.
    const { metadata } = body as { metadata: Record<string, unknown> }
    return invoiceView(await invoices.setMetadata(merchantId, idOf(c), metadata), c.get('origin'))
  })

  door.serve({ method: 'post', path: `${one}/status`, permission: modify }, async (c, { merchantId }) => {
    const { status } = parseFields(mark, parseJson(await c.req.text()))
    return invoiceView(await invoices.mark(merchantId, idOf(c), status), c.get('origin'))
  })

  door.serve({ method: 'get', path: `${one}/payment-methods`, permission: view }, async (c, { merchantId }) => {
    const invoice = await invoices.read(merchantId, idOf(c))
    const asked = invoice.invoice.checkout.paymentMethods
    const known = methodsOf(networks, c.get('caller').wallets)
    const methods = asked === null ? known : known.filter(({ id }) => asked.includes(id))
    const rates = await readRates().catch((error: unknown) => {
      if (error instanceof PaymentError) return null
      throw error
    })
    const rateOf = (symbol: string) => rates?.rates[symbol]?.[invoice.link.price?.currency ?? ''] ?? '0'
    return invoiceMethodsView(invoice, methods, rateOf, c.get('origin'))
  })
}
