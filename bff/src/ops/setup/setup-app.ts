import { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import type { z } from 'zod'
import { limitBody } from '../../access/body-limit.ts'
import { type Env, setHeader } from '../../access/env.ts'
import { createRateLimits } from '../../access/limits/rate-limit.ts'
import { PaymentError } from '../../core/errors.ts'
import type { Runtime } from '../../core/runtime.ts'
import { localhostInstead, type PageOrigin, verifySameOrigin } from '../../dashboard/page/page-origin.ts'
import { type DashboardFiles, pageHeaders, sendFile } from '../../dashboard/page/page.routes.ts'
import { createRegistrations } from '../../dashboard/sign-in/registrations.ts'
import { plainJson } from '../../dashboard/sign-in/webauthn-schemas.ts'
import { logoRoutes } from '../../checkout/networks/logo.routes.ts'
import { loadConfig } from '../config/config.ts'
import { createNodeChecker } from './check-node.ts'
import { type CreatedService, createService, type SetupPlace } from './create-service.ts'
import { proofText, verifyRetyped, verifySignature, verifyWallet } from './prove-wallet.ts'
import { type SetupAccess, sessionSeconds, setupPageOf } from './setup-access.ts'
import { setupBodies } from './setup-bodies.ts'
import { checkOf, keepCheck, newDraft, verifyChoice, verifyOptions } from './setup-draft.ts'
import { type Deployment, deployWithOperator, readGas } from './setup-gas.ts'
import { offeredNetworks } from './setup-network.ts'
import { SetupRefusal, setupRefusals } from './setup-refusal.ts'

type Deps = {
  access: SetupAccess
  place: SetupPlace
  files: DashboardFiles
  runtime: Runtime
  /** Reports an unexpected error to the operator. */
  report(error: unknown): void
  /** Ends the set-up and starts the service that was created. Called once, after its request was answered. */
  start(configuration: string): void
}

const pageName = 'setup.html'
const challengeKeyBytes = 32
const nonceBytes = 16
/** Checks within a minute, for all networks and some mistakes. */
const checksPerMinute = 60
const minuteMs = 60_000

const currencies = new Set(Intl.supportedValuesOf('currency'))

/**
 * The page that sets up a service, and its API. Everything but the page's own files is behind the link's session: nothing that a stranger
 * sends reads or changes an answer, or asks a node.
 */
export function createSetupApp({ access, place, files, runtime, report, start }: Deps) {
  const draft = newDraft()
  const registrations = createRegistrations(runtime.randomBytes(challengeKeyBytes), runtime)
  const nodes = createNodeChecker(runtime)
  const limits = createRateLimits({ trustedProxies: place.trustedProxies })
  const deployments = new Map<string, Deployment>()
  let created: CreatedService | null = null
  let isCreating = false
  let isStarted = false
  let proof: { address: string; message: string } | null = null
  let checksInMinute = { count: 0, sinceMs: 0 }

  const app = new OpenAPIHono<Env>()
  app.onError((error, c) => {
    if (error instanceof SetupRefusal) {
      const { code, field, message } = error
      return c.json({ success: false, code, field, message }, setupRefusals[code].status)
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
  app.use(limits.unauthenticated)

  /** Health checks of a supervisor: the process is alive, and takes no payments. */
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
  app.get('/dashboard/*', async (c, next) => {
    const name = c.req.path.slice('/dashboard/'.length)
    const file = name.endsWith('.html') ? undefined : files.get(name)
    if (!file) return await next()
    return await sendFile(c, file, 'no-cache')
  })
  logoRoutes(app)

  /** The session's page, for a request that its browser sent from there. */
  function sessionOf(c: Context<Env>): PageOrigin {
    const page = access.pageOf((name) => getCookie(c, name))
    verifySameOrigin(c, page)
    return page
  }

  const isLocal = ({ isSecure }: PageOrigin) => !isSecure

  app.post('/setup/api/link', limits.signIns, async (c) => {
    const { token } = await bodyOf(c, setupBodies.link)
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
    const page = sessionOf(c)
    const { owner, shop, networks, wallets, options } = draft
    return c.json({
      success: true,
      origin: page.origin,
      isLocal: isLocal(page),
      folder: place.folder,
      offered: offeredNetworks(),
      answers: {
        owner: owner && { name: owner.name },
        shop,
        networks: networks.map(({ network, rpcUrls }) => ({
          network,
          rpcUrls,
          checks: rpcUrls.map((url) => checkOf(draft, network, url) ?? null),
        })),
        wallets: [...wallets].map(([family, wallet]) => ({ family, ...wallet })),
        options,
      },
      created: createdView(),
      isStarted,
    })
  })

  /** The keys are shown until the service starts, so that a reload does not lose them. */
  function createdView() {
    if (created === null || isStarted) return null
    const { files, operator, feePayer, networks, contractNetworks, merchant } = created
    return { files, operator, feePayer, networks, contractNetworks, merchant }
  }

  app.post('/setup/api/owner/options', async (c) => {
    const page = openPage(c)
    const { name } = await bodyOf(c, setupBodies.ownerOptions)
    const person = { name, merchantName: 'stablecoin-checkout', passkeys: [] }
    const options = await registrations.registrationOptions(page, 'setup', name, person)
    return c.json({ success: true, options: plainJson(options) })
  })

  app.put('/setup/api/owner', async (c) => {
    const page = openPage(c)
    const { name, response } = await bodyOf(c, setupBodies.owner)
    const made = await registrations
      .verifyRegistration(page, 'setup', name, response as RegistrationResponseJSON)
      .catch(() => {
        throw new SetupRefusal('PASSKEY_REFUSED')
      })
    const { id, publicKey, counter } = made
    draft.owner = { name, passkey: { id, publicKey, counter } }
    return c.json({ success: true })
  })

  app.put('/setup/api/shop', async (c) => {
    openPage(c)
    const shop = await bodyOf(c, setupBodies.shop)
    if (!currencies.has(shop.currency)) throw new SetupRefusal('CURRENCY_UNKNOWN', 'currency')
    draft.shop = shop
    return c.json({ success: true })
  })

  async function checkNode(page: PageOrigin, network: string, url: string) {
    const nowMs = runtime.nowMs()
    if (nowMs - checksInMinute.sinceMs >= minuteMs) checksInMinute = { count: 0, sinceMs: nowMs }
    if (++checksInMinute.count > checksPerMinute) throw new SetupRefusal('TOO_MANY_CHECKS', 'url')
    const check = await nodes.check(network, url, isLocal(page))
    keepCheck(draft, network, check)
    return check
  }

  app.post('/setup/api/nodes', async (c) => {
    const page = openPage(c)
    const { network, url } = await bodyOf(c, setupBodies.node)
    return c.json({ success: true, check: await checkNode(page, network, url) })
  })

  app.put('/setup/api/networks', async (c) => {
    const page = openPage(c)
    const { networks: given } = await bodyOf(c, setupBodies.networks)
    const networks = given.map(({ network, rpcUrls }) => ({ network, rpcUrls: rpcUrls.map((url) => url.trim()) }))
    verifyChoice(networks)
    for (const { network, rpcUrls } of networks) {
      for (const url of rpcUrls) {
        const { isUsable } = checkOf(draft, network, url) ?? (await checkNode(page, network, url))
        if (!isUsable) throw new SetupRefusal('NODE_BAD', network)
      }
    }
    draft.networks = networks
    return c.json({ success: true })
  })

  app.post('/setup/api/wallets/proof', async (c) => {
    openPage(c)
    const { family, address: text } = await bodyOf(c, setupBodies.proof)
    const address = verifyWallet(draft, family, text)
    const nonce = Buffer.from(runtime.randomBytes(nonceBytes)).toString('base64url')
    const message = proofText(draft.shop?.name ?? '', address, nonce)
    proof = { address, message }
    return c.json({ success: true, address, message })
  })

  app.put('/setup/api/wallets', async (c) => {
    const page = openPage(c)
    const { family, address: text, signature, retyped } = await bodyOf(c, setupBodies.wallet)
    const address = verifyWallet(draft, family, text)
    if (signature === undefined) {
      verifyRetyped(address, retyped ?? '')
      draft.wallets.set(family, { address, proof: 'retyped' })
      return c.json({ success: true, address })
    }
    const asked = proof
    proof = null
    if (asked?.address !== address) throw new SetupRefusal('WALLET_NOT_SIGNED', 'signature')
    const fetchFn = nodes.fetchAt(isLocal(page))
    await verifySignature(draft, family, { ...asked, signature }, { runtime, fetchFn })
    draft.wallets.set(family, { address, proof: 'signature' })
    return c.json({ success: true, address })
  })

  app.put('/setup/api/options', async (c) => {
    openPage(c)
    const options = await bodyOf(c, setupBodies.options)
    verifyOptions(draft, options)
    draft.options = options
    return c.json({ success: true })
  })

  /** The session's page, while answers can still change. */
  function openPage(c: Context<Env>): PageOrigin {
    const page = sessionOf(c)
    if (created !== null) throw new SetupRefusal('ALREADY_CREATED')
    if (isCreating) throw new SetupRefusal('BUSY')
    return page
  }

  app.post('/setup/api/create', async (c) => {
    const page = openPage(c)
    isCreating = true
    try {
      const name = (c.req.header('user-agent') ?? '').replaceAll('\0', '').slice(0, browserMax)
      created = await createService(draft, place, { page, address: limits.addressOf(c), name }, runtime)
    } finally {
      isCreating = false
    }
    setCookie(c, page.isSecure ? '__Host-checkout-session' : 'checkout-session', created.sessionToken, {
      path: '/',
      httpOnly: true,
      sameSite: 'Strict',
      secure: page.isSecure,
      maxAge: sessionSeconds,
    })
    return c.json({ success: true, created: createdView() })
  })

  /** The service that was created, with its secrets, before it starts. */
  function createdService(c: Context<Env>) {
    sessionOf(c)
    if (created === null) throw new SetupRefusal('NOT_CREATED')
    const { networks, operator } = loadConfig({ ...place.env, BFF_CONFIG: created.configuration })
    return { configuration: created.configuration, networks, operator, operatorAddress: created.operator, runtime }
  }

  app.get('/setup/api/gas', async (c) => {
    const gas = await readGas(createdService(c))
    return c.json({
      success: true,
      networks: gas.map((one) => ({ ...one, deployment: deployments.get(one.network) ?? null })),
      feePayer: created?.feePayer ?? null,
    })
  })

  app.post('/setup/api/deploy', async (c) => {
    const service = createdService(c)
    const { network } = await bodyOf(c, setupBodies.deploy)
    if (deployments.get(network)?.state === 'running') throw new SetupRefusal('BUSY', 'network')
    const progress: Deployment = { state: 'running', done: 0, total: 2, code: null }
    deployments.set(network, progress)
    // The page asks for the progress: a chain may take minutes.
    deployWithOperator(service, network, (done, total) => Object.assign(progress, { done, total })).then(
      () => Object.assign(progress, { state: 'done' }),
      (error: unknown) =>
        Object.assign(progress, {
          state: 'failed',
          code: error instanceof SetupRefusal ? error.code : 'DEPLOY_FAILED',
        }),
    )
    return c.json({ success: true })
  })

  app.post('/setup/api/start', (c) => {
    const { configuration } = createdService(c)
    const isDeploying = [...deployments.values()].some(({ state }) => state === 'running')
    if (isStarted || isDeploying) throw new SetupRefusal('BUSY')
    isStarted = true
    start(configuration)
    return c.json({ success: true })
  })

  app.notFound((c) => {
    const says = 'This service is not set up yet. Open the link that it printed when it started.'
    return c.text(says, 404)
  })

  return { app, close: nodes.close }
}

const browserMax = 200

/** @throws {SetupRefusal} naming the first field that is wrong. */
async function bodyOf<Schema extends z.ZodType>(c: Context<Env>, schema: Schema): Promise<z.infer<Schema>> {
  const parsed = schema.safeParse(await c.req.json().catch(() => undefined))
  if (parsed.success) return parsed.data
  const [field] = parsed.error.issues[0]?.path ?? []
  throw new SetupRefusal('INVALID', field === undefined ? null : String(field))
}
