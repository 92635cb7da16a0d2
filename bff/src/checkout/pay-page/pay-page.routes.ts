import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { z } from 'zod'
import { PaymentError } from '../../core/errors.ts'
import { type Env, setHeader } from '../../http/env.ts'
import type { PaymentId } from '../../payment/payment.ts'
import { PaymentNotFoundError, type ReadPayment } from '../read/payment-reader.ts'
import type { PaymentViewer } from '../read/payment-view.ts'
import type { ElementFiles } from './element-files.ts'
import { pagePolicy, renderNoPayment, renderPayPage } from './pay-page.ts'

type Deps = { read: ReadPayment; viewer: PaymentViewer; elementFiles: ElementFiles }

/** `/pay/{id}`: a payment as a link, for e-mails and messages. It shows what `/payments/public/{id}` shows. */
export function payPageRoute(app: OpenAPIHono<Env>, { read, viewer, elementFiles }: Deps) {
  app.get('/pay/:paymentId', async (c) => {
    const { element } = elementFiles
    if (!element) throw new ElementNotBuiltError()
    const id = z.uuid().safeParse(c.req.param('paymentId'))
    const payment = id.success ? await find(read, id.data.toLowerCase() as PaymentId) : undefined
    if (!payment) return show(c, renderNoPayment(), 404)
    const { amount, currency, isTest, Merchant } = viewer.public(payment)
    const shown = { paymentId: payment.id, merchant: Merchant.businessName, amount, currency, isTest }
    return show(c, renderPayPage(element, shown), 200)
  })
}

class ElementNotBuiltError extends PaymentError {
  constructor() {
    super('ELEMENT_NOT_BUILT', 'The element is not built here: npm run build -w widget, or set widgetFolder.', {
      status: 404,
      error: 'Not found',
    })
  }
}

async function find(read: ReadPayment, id: PaymentId) {
  try {
    return await read.byId(id)
  } catch (error) {
    if (error instanceof PaymentNotFoundError) return undefined
    throw error
  }
}

function show(c: Context<Env>, page: ReturnType<typeof renderNoPayment>, status: 200 | 404) {
  setHeader(c, 'Content-Security-Policy', pagePolicy)
  // The link lets its holder name the refund address: other pages are not told of it.
  setHeader(c, 'Referrer-Policy', 'no-referrer')
  setHeader(c, 'Cache-Control', 'no-store')
  setHeader(c, 'X-Content-Type-Options', 'nosniff')
  return c.html(page, status)
}
