import { serve } from '@hono/node-server'
import { host } from './ports.ts'
import { createStorefront } from './storefront/app.ts'
import { loadStorefrontConfig } from './storefront/config.ts'
import { createElsewherePayer } from './storefront/cross-chain.ts'
import type { TestCustomer } from './storefront/customer.ts'
import { createRecordReader } from './storefront/payment-record.ts'
import { openShop } from './storefront/shop.ts'
import { openTurns } from './storefront/turns.ts'

// The storefront's process: what a merchant runs beside the checkout service.
const path = process.env['STOREFRONT_CONFIG']
if (path === undefined) throw new Error('STOREFRONT_CONFIG must name the config file; `npm run demo` writes it.')

const config = loadStorefrontConfig(path)

/** Loaded when it first pays: viem takes most of a second, for which webhooks should not wait. */
const openPurse = async () => {
  const { createTestCustomer } = await import('./storefront/customer.ts')
  const { createTestWallet } = await import('./storefront/wallet/test-wallet.ts')
  const inTurn = openTurns()
  return { customer: createTestCustomer(config, inTurn), wallet: createTestWallet(config, { inTurn }) }
}
let opened: ReturnType<typeof openPurse> | null = null
const purse = () => {
  opened ??= openPurse()
  return opened
}

const customer: TestCustomer = { pay: async (request) => await (await purse()).customer.pay(request) }
const app = createStorefront({
  config,
  readRecord: createRecordReader(config),
  shop: openShop(config.journalPath),
  customer,
  payFromElsewhere: createElsewherePayer({ config, customer }),
  wallet: {
    request: async (request) => await (await purse()).wallet.request(request),
    describe: async (request) => await (await purse()).wallet.describe(request),
  },
})
const server = serve({ fetch: app.fetch, hostname: host, port: config.port })

// Without the port this process is of no use; the supervisor starts the next one.
server.once('error', (error) => {
  process.stderr.write(`The storefront cannot listen on ${host}:${config.port}: ${error.message}\n`)
  process.exit(1)
})

const stop = () => {
  server.close(() => process.exit(0))
  // Browsers keep their connections open for as long as the page polls.
  if ('closeAllConnections' in server) server.closeAllConnections()
}
process.once('SIGTERM', stop)
process.once('SIGINT', stop)
