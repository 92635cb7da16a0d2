import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { raw } from 'hono/html'
import { type Env, setHeader } from '../access/context/env.ts'
import { compressPage } from '../access/http/compression.ts'
import type { RateLimits } from '../access/limits/rate-limit.ts'
import type { LinkPages } from '../checkout/link/links.part.ts'
import type { ElementFiles } from '../checkout/pay-page/element-files.ts'
import { languageOf } from '../checkout/pay-page/page-language.ts'
import { framedBy, pagePolicy, renderLinkPage, renderNoPayment } from '../checkout/pay-page/pay-page.ts'
import { PaymentError } from '../core/errors.ts'
import { type DashboardFiles, pageHeaders, sendFile } from '../dashboard/page/page.routes.ts'
import { localhostInstead, type PageOrigin } from '../dashboard/page/page-origin.ts'
import type { Db } from '../db/db.ts'
import { loadBranding } from '../merchant/branding-store.ts'
import { checkoutLinkOf } from './invoice-view.ts'
import type { Invoices } from './invoices.ts'
import { frameScript, modalScript } from './modal-script.ts'
import { shopOriginOf } from './pairing.routes.ts'
import { loadStoreKey } from './store-key-store.ts'

type Deps = {
  db: Db
  invoices: Invoices
  links: LinkPages
  elementFiles: ElementFiles
  dashboardFiles: DashboardFiles
  publicUrl: string | null
  pageOf: (c: Context<Env>) => PageOrigin
  limits: RateLimits
}

const authorizePath = '/dashboard/stores/authorize'

/** The scripts that shops load change only with a new version of the service. */
const scriptCache = 'public, max-age=300'

/** The pages to which a shop sends its owner and its customers. @param base - Such as `/btcpay`. */
export function storePages(app: OpenAPIHono<Env>, base: string, deps: Deps): void {
  const { db, invoices, links, elementFiles, dashboardFiles, publicUrl, pageOf, limits } = deps

  // Shopware sends a slash before the question mark.
  const toDashboard = (c: Context<Env>) => c.redirect(`${authorizePath}${new URL(c.req.url).search}`, 302)
  app.get(`${base}/api-keys/authorize`, limits.unauthenticated, toDashboard)
  app.get(`${base}/api-keys/authorize/`, limits.unauthenticated, toDashboard)

  /** The dashboard's page. Its policy allows forms to be posted to the shop that asks, and nowhere else. */
  app.get(authorizePath, limits.unauthenticated, async (c) => {
    const index = dashboardFiles.get('index.html')
    if (!index) throw new PaymentError('DASHBOARD_NOT_BUILT', 'The dashboard is not built here: npm run build -w bff.')
    const local = isPageAddress(c) ? null : localhostInstead(c)
    if (local !== null) return c.redirect(local + c.req.path + new URL(c.req.url).search, 302)
    const shop = originOrNull(c.req.query('redirect'))
    pageHeaders(c, publicUrl, shop ?? undefined)
    return await sendFile(c, index, 'no-cache')
  })

  function isPageAddress(c: Context<Env>): boolean {
    try {
      pageOf(c)
      return true
    } catch {
      return false
    }
  }

  const script = (text: string) => (c: Context<Env>) => {
    setHeader(c, 'Cache-Control', scriptCache)
    setHeader(c, 'X-Content-Type-Options', 'nosniff')
    // Shops at any origin load the scripts.
    setHeader(c, 'Cross-Origin-Resource-Policy', 'cross-origin')
    return c.body(text, 200, { 'Content-Type': 'text/javascript; charset=utf-8' })
  }
  app.get(`${base}/modal/btcpay.js`, limits.unauthenticated, script(modalScript))
  app.get(`${base}/modal/frame.js`, limits.unauthenticated, script(frameScript))

  /** The payment page for a frame in the shop that made the invoice; no other page may frame it. */
  async function showFramed(c: Context<Env>, id: string) {
    const { element } = elementFiles
    if (!element) throw new PaymentError('ELEMENT_NOT_BUILT', 'The element is not built here: npm run build -w widget.')
    const invoice = await invoices.find(id)
    const link = invoice && (await links.find(invoice.linkId))
    const language = languageOf(c)
    setHeader(c, 'Referrer-Policy', 'no-referrer')
    setHeader(c, 'Cache-Control', 'no-store')
    setHeader(c, 'X-Content-Type-Options', 'nosniff')
    if (!invoice || !link) {
      setHeader(c, 'Content-Security-Policy', pagePolicy(null))
      return c.html(renderNoPayment(language), 404)
    }
    const { branding, key } = await db.read(async (tx) => ({
      branding: await loadBranding(tx, link.merchantId),
      key: await loadStoreKey(tx, link.merchantId, invoice.storeKeyId),
    }))
    const shopOrigin = key?.revokedAtMs === null ? key.shopOrigin : null
    const shop = { name: link.merchantName, branding }
    const origin = c.get('origin')
    const expiresAt = String(link.expiresAtMs ?? '')
    const head = raw(
      `<script src="${base}/modal/frame.js" data-invoice="${link.id}" data-shop="${shopOrigin ?? ''}" data-expires="${expiresAt}"></script>`,
    )
    const shown = { projectId: null, language, shop, origin, head, hasMail: false }
    setHeader(c, 'Content-Security-Policy', framedBy(pagePolicy(shop), shopOrigin))
    return c.html(renderLinkPage(element, await links.page(link, origin), shown), 200)
  }

  async function showInvoice(c: Context<Env>, id: string) {
    if (c.req.query('view') === 'modal') return await showFramed(c, id)
    const invoice = await invoices.find(id)
    const link = invoice && (await links.find(invoice.linkId))
    if (!invoice || !link) return c.redirect(`/pay/${encodeURIComponent(id)}`, 302)
    return c.redirect(checkoutLinkOf({ invoice, link }, c.get('origin')), 302)
  }
  app.get(`${base}/invoice`, limits.unauthenticated, compressPage, (c) => showInvoice(c, c.req.query('id') ?? ''))
  app.get(`${base}/i/:invoiceId`, limits.unauthenticated, compressPage, (c) => showInvoice(c, c.req.param('invoiceId')))
  app.get(`${base}/i/:invoiceId/:method`, limits.unauthenticated, compressPage, (c) =>
    showInvoice(c, c.req.param('invoiceId')),
  )
}

function originOrNull(redirect: string | undefined): string | null {
  try {
    return shopOriginOf(redirect)
  } catch {
    return null
  }
}
