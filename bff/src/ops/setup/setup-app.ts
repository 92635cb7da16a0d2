import { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { type Env, setHeader } from '../../access/context/env.ts'
import { awaitBody, limitBody } from '../../access/http/body-limit.ts'
import { createRateLimits } from '../../access/limits/rate-limit.ts'
import { logoRoutes } from '../../checkout/networks/logo.routes.ts'
import { PaymentError } from '../../core/errors.ts'
import type { Runtime } from '../../core/runtime.ts'
import { type DashboardFiles, pageHeaders, sendFile } from '../../dashboard/page/page.routes.ts'
import { localhostInstead, verifySameOrigin } from '../../dashboard/page/page-origin.ts'
import { type Logo, logoContentType } from '../../merchant/logo-picture.ts'
import { createNodeChecker } from './check-node.ts'
import type { SetupPlace } from './create-service.ts'
import { type SetupAccess, sessionSeconds, setupPageOf } from './setup-access.ts'
import { setupAnswers } from './setup-answers.ts'
import { setupBodies } from './setup-bodies.ts'
import { bodyOf, isLocal, type SetupContext, sessionOf } from './setup-context.ts'
import { createdView, setupCreation } from './setup-creation.ts'
import { checkOf, newDraft } from './setup-draft.ts'
import { laterNetworks, offeredNetworks } from './setup-network.ts'
import { SetupRefusal, setupRefusals } from './setup-refusal.ts'

type Deps = {
  access: SetupAccess
  place: SetupPlace
  files: DashboardFiles
  runtime: Runtime
  /** Reports an unexpected error to the operator. */
  report(error: unknown): void
  /** Ends the set-up and starts the created service. Called once, after the response to its request. */
  start(configuration: string): void
}

const pageName = 'setup.html'
const linkPath = '/setup/api/link'

/**
 * The page that sets up a service, and its API. Everything except the page's own files needs the link's session: strangers can neither
 * read nor change an answer, nor have a node asked.
 */
export function createSetupApp({ access, place, files, runtime, report, start }: Deps) {
  const setup: SetupContext = {
    access,
    place,
    runtime,
    limits: createRateLimits({ trustedProxies: place.trustedProxies }),
    nodes: createNodeChecker(runtime),
    draft: newDraft(),
    created: null,
    isCreating: false,
    unverified: 0,
    isStarted: false,
  }
  const { limits, draft, nodes } = setup
  const offered = offeredNetworks()
  const later = laterNetworks()

  const app = new OpenAPIHono<Env>()
  app.onError((error, c) => {
    if (error instanceof SetupRefusal) {
      const { code, field, values, message } = error
      return c.json({ success: false, code, field, values, message }, setupRefusals[code].status)
    }
    if (error instanceof PaymentError) {
      const { code, message, status, retryAfterSeconds } = error
      if (retryAfterSeconds !== undefined) setHeader(c, 'Retry-After', String(retryAfterSeconds))
      return c.json({ success: false, code, field: null, message }, status)
    }
    report(error)
    return c.json({ success: false, code: 'INTERNAL_ERROR', field: null, message: 'The request failed.' }, 500)
  })
  app.use(async (c, next) => {
    setHeader(c, 'Cache-Control', 'no-store')
    setHeader(c, 'X-Content-Type-Options', 'nosniff')
    await next()
  })
  app.use(limitBody())
  // The browser that opened the link is never counted: behind an untrusted proxy, all visitors share one address.
  app.use('/setup/api/*', async (c, next) => {
    const isOpening = c.req.path === linkPath
    if (!isOpening && !access.isOpenTo((name) => getCookie(c, name))) await limits.failed(c)
    await next()
  })

  // A body may take a minute to arrive, and the service may be created meanwhile: whether answers can still change is asked afterwards.
  app.use('/setup/api/*', awaitBody())

  /** For a supervisor's health checks: the process is alive, but takes no payments. */
  for (const path of ['/api/health', '/api/v1/health']) app.get(path, (c) => c.json({ success: true, status: 'setup' }))

  const page = async (c: Context<Env>) => {
    const file = files.get(pageName)
    if (!file) throw new PaymentError('DASHBOARD_NOT_BUILT', 'The set-up page is not built here: npm run build -w bff.')
    const local = localhostInstead(c)
    if (local !== null) return c.redirect(local + c.req.path, 302)
    pageHeaders(c, null)
    return await sendFile(c, file, 'no-store')
  }
  app.get('/setup', page)
  // What people and home servers open first. Without the link, the page says where to find it.
  for (const path of ['/', '/dashboard', '/dashboard/']) app.get(path, (c) => c.redirect('/setup', 302))
  app.get('/dashboard/*', async (c, next) => {
    const name = c.req.path.slice('/dashboard/'.length)
    const file = name.endsWith('.html') ? undefined : files.get(name)
    if (!file) return await next()
    return await sendFile(c, file, 'no-cache')
  })
  logoRoutes(app)

  app.post(linkPath, async (c) => {
    const { token } = await bodyOf(c, setupBodies.link)
    if (!access.isToken(token)) await limits.failed(c)
    const page = setupPageOf(c.req.header('origin'), c.req.header('host'))
    verifySameOrigin(c, page)
    const secret = access.open(token, page)
    setCookie(c, page.cookieName, secret, {
      path: '/',
      httpOnly: true,
      sameSite: 'Strict',
      secure: page.isSecure,
      maxAge: sessionSeconds,
    })
    return c.json({ success: true })
  })

  app.get('/setup/api/state', (c) => {
    const page = sessionOf(c, setup)
    const { owner, shop, networks, wallets, account, options } = draft
    return c.json({
      success: true,
      origin: page.origin,
      isLocal: isLocal(page),
      folder: place.folder,
      offered,
      later,
      answers: {
        owner: owner && { name: owner.name },
        shop: shop && { ...shop, logo: shop.logo && logoUrl(shop.logo) },
        networks: networks.map(({ network, rpcUrls, deposits }) => ({
          network,
          rpcUrls,
          deposits,
          checks: rpcUrls.map((url) => checkOf(draft, network, url) ?? null),
        })),
        wallets: [...wallets].map(([family, { address, signed }]) => ({
          family,
          address,
          proof: signed ? 'signature' : 'retyped',
        })),
        account: account && { address: account.address },
        options,
      },
      created: createdView(setup),
      isStarted: setup.isStarted,
    })
  })

  setupAnswers(app, setup)
  setupCreation(app, setup, start)

  app.notFound((c) => {
    const says = 'This service is not set up yet. Open the link that it printed when it started.'
    return c.text(says, 404)
  })

  return { app, draft, close: nodes.close, hasCreated: () => setup.isCreating || setup.created !== null }
}

/** For the page's preview. Before the service is created, no file is served for it. */
const logoUrl = ({ name, bytes }: Logo): string => `data:${logoContentType(name)};base64,${bytes.toString('base64')}`
