import { serve } from '@hono/node-server'
import { host } from '@stablecoin-checkout/rig/processes/ports'
import { loadStorefrontConfig } from './storefront/config.ts'
import { openStorefront } from './storefront/open-storefront.ts'

// The storefront's process: the merchant's server beside the checkout service.
const path = process.env['STOREFRONT_CONFIG']
if (path === undefined) throw new Error('STOREFRONT_CONFIG must name the config file; `npm run demo` writes it.')

const config = loadStorefrontConfig(path)

const app = openStorefront(config)
const server = serve({ fetch: app.fetch, hostname: host, port: config.port })

// Without its port this process is useless; the supervisor starts a new one.
server.once('error', (error) => {
  process.stderr.write(`The storefront cannot listen on ${host}:${config.port}: ${error.message}\n`)
  process.exit(1)
})

const stop = () => {
  server.close(() => process.exit(0))
  // Browsers keep connections open as long as the page polls.
  if ('closeAllConnections' in server) server.closeAllConnections()
}
process.once('SIGTERM', stop)
process.once('SIGINT', stop)
