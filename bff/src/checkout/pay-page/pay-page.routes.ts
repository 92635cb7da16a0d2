import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { z } from 'zod'
import { type Env, setHeader } from '../../access/context/env.ts'
import { compressPage } from '../../access/http/compression.ts'
import type { RateLimits } from '../../access/limits/rate-limit.ts'
import { PaymentError } from '../../core/errors.ts'
import type { Db } from '../../db/db.ts'
import { loadBranding } from '../../merchant/branding-store.ts'
import type { MerchantId, PaymentId } from '../../payment/payment.ts'
import type { LinkId } from '../link/link.ts'
import type { LinkPages } from '../link/links.part.ts'
import type { ReadPayment } from '../read/payment-reader.ts'
import type { PublicResponses } from '../read/public-response.ts'
import type { X402 } from '../x402/x402.part.ts'
import type { ElementFiles } from './element-files.ts'
import { languageOf } from './page-language.ts'
import {
  type PublicResponse,
  pagePolicy,
  renderLinkPage,
  renderNoPayment,
  renderPayPage,
  type Shown,
  walletConnectPolicy,
} from './pay-page.ts'

type Deps = {
  db: Db
  read: ReadPayment
  publicBody: PublicResponses
  /** Null: payment links are off. */
  links: LinkPages | null
  elementFiles: ElementFiles
  walletconnectProjectId: string | null
  /** Null: x402 is off, and all clients get the HTML page. */
  x402: X402['pay'] | null
  /** Whether the service sends mail. */
  hasMail: boolean
  limits: Pick<RateLimits, 'unauthenticated'>
}

/**
 * Serves `/pay/{id}`, the page of a payment or payment link, for e-mails and messages. It shows the fields of
 * `/payments/public/{id}`. Clients that accept JSON get an x402 response, if x402 is on.
 */
export function payPageRoute(app: OpenAPIHono<Env>, deps: Deps) {
  const { db, read, publicBody, links, elementFiles, walletconnectProjectId, x402, hasMail, limits } = deps

  async function shownTo(c: Context<Env>, merchant: { merchantId: MerchantId; merchantName: string }): Promise<Shown> {
    const branding = await db.read((tx) => loadBranding(tx, merchant.merchantId))
    return {
      projectId: walletconnectProjectId,
      language: languageOf(c),
      shop: { name: merchant.merchantName, branding },
      origin: c.get('origin'),
      hasMail,
    }
  }

  const policyOf = ({ shop }: Shown, nodes: readonly string[]) =>
    walletconnectProjectId === null ? pagePolicy(shop) : walletConnectPolicy(nodes)

  const showNone = (c: Context<Env>) => show(c, renderNoPayment(languageOf(c)), pagePolicy(null), 404)

  async function showLink(c: Context<Env>, id: LinkId, links: LinkPages) {
    const { element } = elementFiles
    if (!element) throw elementNotBuilt()
    const link = await links.find(id)
    if (!link) return showNone(c)
    if (c.req.raw.method === 'GET' && !isAhead(c)) await links.opened(id)
    const shown = { ...(await shownTo(c, link)), returnsByItself: c.req.query('return') === 'auto' }
    const page = renderLinkPage(element, await links.page(link, shown.origin), shown)
    return show(c, page, policyOf(shown, []), 200)
  }

  app.on(['GET', 'POST'], '/pay/:paymentId', limits.unauthenticated, compressPage, async (c, next) => {
    const asked = c.req.param('paymentId')
    setHeader(c, 'Vary', 'Accept, Accept-Language')
    if (links?.isLinkId(asked) && c.req.method !== 'POST') return await showLink(c, asked, links)
    const id = z.uuid().safeParse(asked)
    if (x402?.isAsked(c)) {
      const known = await read.byId((id.success ? id.data.toLowerCase() : asked) as PaymentId)
      return await x402.answer(c, known)
    }
    if (c.req.method === 'POST') return await next()
    const { element } = elementFiles
    if (!element) throw elementNotBuilt()
    const payment = id.success ? await find(read, id.data.toLowerCase() as PaymentId) : undefined
    if (!payment) return showNone(c)
    const answer = await publicBody(payment, c.get('origin'), true)
    const shown = await shownTo(c, payment)
    return show(c, renderPayPage(element, answer, shown), policyOf(shown, nodesOf(answer)), 200)
  })
}

/** Whether a browser prefetches the page, or a messenger declares a preview: neither counts as a page view. */
const isAhead = (c: Context<Env>) =>
  ['sec-purpose', 'purpose', 'x-moz'].some((name) => c.req.header(name) !== undefined)

/** The network's public RPC nodes, from the public view of a wallet payment; empty for a deposit. */
function nodesOf({ payment }: PublicResponse): readonly string[] {
  const call = payment.contractCall as { chain?: { rpcUrls: readonly string[] } } | undefined
  return call?.chain?.rpcUrls ?? []
}

const elementNotBuilt = () =>
  new PaymentError('ELEMENT_NOT_BUILT', 'The element is not built here: npm run build -w widget, or set widgetFolder.')

async function find(read: ReadPayment, id: PaymentId) {
  try {
    return await read.byId(id)
  } catch (error) {
    if (error instanceof PaymentError && error.code === 'PAYMENT_NOT_FOUND') return undefined
    throw error
  }
}

function show(c: Context<Env>, page: ReturnType<typeof renderNoPayment>, policy: string, status: 200 | 404) {
  setHeader(c, 'Content-Security-Policy', policy)
  // Other pages must not receive the URL: with the client secret, its holder can set the refund address.
  setHeader(c, 'Referrer-Policy', 'no-referrer')
  setHeader(c, 'Cache-Control', 'no-store')
  setHeader(c, 'X-Content-Type-Options', 'nosniff')
  return c.html(page, status)
}
