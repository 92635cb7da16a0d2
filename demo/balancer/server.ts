import { serve } from '@hono/node-server'
import { host } from '@stablecoin-checkout/rig/processes/ports'
import { createBalancer, type Replica } from './balancer.ts'

/** Configuration of the balancer's process, in `BALANCER_CONFIG`. */
export type BalancerConfig = { port: number; replicas: Replica[] }

const text = process.env['BALANCER_CONFIG']
if (text === undefined) throw new Error('BALANCER_CONFIG must hold the configuration; `npm run demo` sets it.')

const { port, replicas } = JSON.parse(text) as BalancerConfig
const { app, watch } = createBalancer(replicas)
const watching = watch()
const server = serve({ fetch: app.fetch, hostname: host, port })

// Without its port this process is useless; the supervisor starts a new one.
server.once('error', (error) => {
  process.stderr.write(`The balancer cannot listen on ${host}:${port}: ${error.message}\n`)
  process.exit(1)
})

const stop = () => {
  watching.stop()
  server.close(() => process.exit(0))
  // Streams stay open as long as the page.
  if ('closeAllConnections' in server) server.closeAllConnections()
}
process.once('SIGTERM', stop)
process.once('SIGINT', stop)
