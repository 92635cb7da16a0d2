import type { OpenAPIHono } from '@hono/zod-openapi'
import { setCookie } from 'hono/cookie'
import type { Env } from '../../access/context/env.ts'
import { loadConfig } from '../config/config.ts'
import { type CreatedService, createService } from './create-service.ts'
import { sessionSeconds } from './setup-access.ts'
import { setupBodies } from './setup-bodies.ts'
import { bodyOf, createdOf, openPageOf, type SetupContext } from './setup-context.ts'
import { type Deployment, deployWithOperator, readGas } from './setup-gas.ts'
import { SetupRefusal } from './setup-refusal.ts'

const browserMax = 200

/** Shows the keys until the service starts, so that a reload does not lose them. */
export function createdView({ created, isStarted }: SetupContext) {
  if (created === null || isStarted) return null
  const { files, operator, feePayer, networks, contractNetworks, merchant } = created
  return { files, operator, feePayer, networks, contractNetworks, merchant }
}

/** @param start - Starts the service with the created configuration. Called once. */
export function setupCreation(
  app: OpenAPIHono<Env>,
  setup: SetupContext,
  start: (configuration: string) => void,
): void {
  const { draft, place, runtime, limits } = setup
  const deployments = new Map<string, Deployment>()

  app.post('/setup/api/create', async (c) => {
    const page = openPageOf(c, setup)
    // Nodes may take seconds to respond, and another tab may create meanwhile: a wallet might not exist on a network that was added.
    if (setup.unverified > 0) throw new SetupRefusal('BUSY')
    setup.isCreating = true
    try {
      const name = (c.req.header('user-agent') ?? '').replaceAll('\0', '').slice(0, browserMax)
      setup.created = await createService(draft, place, { page, address: limits.addressOf(c), name }, runtime)
    } finally {
      setup.isCreating = false
    }
    setCookie(c, page.isSecure ? '__Host-checkout-session' : 'checkout-session', setup.created.sessionToken, {
      path: '/',
      httpOnly: true,
      sameSite: 'Strict',
      secure: page.isSecure,
      maxAge: sessionSeconds,
    })
    return c.json({ success: true, created: createdView(setup) })
  })

  function sourcesOf({ configuration, operator: operatorAddress, feePayer }: CreatedService) {
    const { networks, operator } = loadConfig({ ...place.env, BFF_CONFIG: configuration })
    return { networks, operator, operatorAddress, feePayer, runtime }
  }

  app.get('/setup/api/gas', async (c) => {
    const gas = await readGas(sourcesOf(createdOf(c, setup)))
    return c.json({
      success: true,
      networks: gas.map((one) => {
        const deployment = deployments.get(one.network) ?? null
        // A node can show the code before the receipt, and until then the service does not start.
        return { ...one, isDeployed: one.isDeployed && deployment?.state !== 'running', deployment }
      }),
    })
  })

  app.post('/setup/api/deploy', async (c) => {
    const created = createdOf(c, setup)
    const { network } = await bodyOf(c, setupBodies.deploy)
    // Once started, the service sends from the same account.
    if (setup.isStarted || deployments.get(network)?.state === 'running') throw new SetupRefusal('BUSY', 'network')
    const progress: Deployment = { state: 'running', done: 0, total: 2, code: null }
    deployments.set(network, progress)
    // The page polls the progress, because a chain may take minutes.
    deployWithOperator(sourcesOf(created), network, (done, total) => Object.assign(progress, { done, total })).then(
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
    const { configuration } = createdOf(c, setup)
    const isDeploying = [...deployments.values()].some(({ state }) => state === 'running')
    if (setup.isStarted || isDeploying) throw new SetupRefusal('BUSY')
    setup.isStarted = true
    start(configuration)
    return c.json({ success: true })
  })
}
