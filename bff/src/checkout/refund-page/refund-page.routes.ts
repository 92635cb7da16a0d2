import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { z } from 'zod'
import { type Env, setHeader } from '../../access/context/env.ts'
import { compressPage } from '../../access/http/compression.ts'
import type { RateLimits } from '../../access/limits/rate-limit.ts'
import { PaymentError } from '../../core/errors.ts'
import type { Db } from '../../db/db.ts'
import { loadBranding } from '../../merchant/branding-store.ts'
import type { MerchantRefundViewer } from '../merchant-refund/merchant-refund-view.ts'
import type { MerchantRefunds } from '../merchant-refund/merchant-refunds.ts'
import { languageOf } from '../pay-page/page-language.ts'
import { refundPolicy, renderNoRefund, renderRefundPage } from './refund-page.ts'

type Deps = {
  db: Db
  merchantRefunds: Pick<MerchantRefunds, 'byId'>
  refundViewer: Pick<MerchantRefundViewer, 'public'>
  limits: Pick<RateLimits, 'unauthenticated'>
}

/** Serves `/refund/{id}`, the customer's page of a refund. Its client secret is in the fragment, which browsers never send. */
export function refundPageRoute(app: OpenAPIHono<Env>, { db, merchantRefunds, refundViewer, limits }: Deps) {
  app.get('/refund/:refundId', limits.unauthenticated, compressPage, async (c) => {
    const id = z.uuid().safeParse(c.req.param('refundId'))
    const found = id.success ? await find(merchantRefunds, id.data.toLowerCase()) : undefined
    const language = languageOf(c)
    if (!found) return show(c, renderNoRefund(language), refundPolicy(null), 404)
    const { payment, ...shown } = found
    const { merchantId, merchantName: name } = payment
    const shop = { name, branding: await db.read((tx) => loadBranding(tx, merchantId)) }
    const page = renderRefundPage(refundViewer.public(shown, name), { language, shop, origin: c.get('origin') })
    return show(c, page, refundPolicy(shop), 200)
  })
}

async function find(refunds: Deps['merchantRefunds'], id: string) {
  try {
    return await refunds.byId(id)
  } catch (error) {
    if (error instanceof PaymentError && error.code === 'REFUND_NOT_FOUND') return undefined
    throw error
  }
}

function show(c: Context<Env>, page: ReturnType<typeof renderNoRefund>, policy: string, status: 200 | 404) {
  setHeader(c, 'Content-Security-Policy', policy)
  setHeader(c, 'Referrer-Policy', 'no-referrer')
  setHeader(c, 'Cache-Control', 'no-store')
  setHeader(c, 'X-Content-Type-Options', 'nosniff')
  setHeader(c, 'Vary', 'Accept-Language')
  return c.html(page, status)
}
