import { serve } from '@hono/node-server'
import { openDashboardFiles, openElementFiles } from '@stablecoin-checkout/bff/testing/service'
import { signedIn } from '@stablecoin-checkout/rig/dashboard-stage'
import { type AppFixture, openApp } from '@stablecoin-checkout/rig/test-app'
import { openTillStage } from '@stablecoin-checkout/rig/till-stage'
import { afterAll } from 'vitest'

/**
 * The service on a port, with a clock that a test moves; transfers are given directly to the ledger. `stage`: its owner's tills.
 */
export async function openServedApp() {
  const bff: AppFixture = await openApp({
    dashboardFiles: openDashboardFiles(),
    elementFiles: openElementFiles(null),
  })
  const server = serve({ fetch: bff.app.fetch, port: 0, hostname: '127.0.0.1' })
  await new Promise((resolve) => server.once('listening', resolve))
  afterAll(async () => {
    await new Promise((resolve) => {
      server.close(resolve)
      if ('closeAllConnections' in server) server.closeAllConnections()
    })
    await bff.close()
  })
  const address = server.address()
  const owner = await signedIn(bff)
  const stage = openTillStage(
    () => bff,
    () => owner,
  )
  return { bff, stage, url: `http://localhost:${typeof address === 'object' && address ? address.port : 0}` }
}
