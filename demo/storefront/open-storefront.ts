import type { Hono } from 'hono'
import { createStorefront } from './app.ts'
import type { StorefrontConfig } from './config.ts'
import { createElsewherePayer } from './cross-chain.ts'
import type { TestCustomer } from './customer.ts'
import { createRecordReader } from './payment-record.ts'
import { openShop } from './shop.ts'
import { openTurns } from './turns.ts'

/** The merchant's server with its dependencies: a shop, and the test customer with a wallet. */
export function openStorefront(config: StorefrontConfig): Hono {
  // Loaded for the first payment: viem takes most of a second, which webhooks should not wait for.
  const openPurse = async () => {
    const { createTestCustomer } = await import('./customer.ts')
    const { createTestWallet } = await import('./wallet/test-wallet.ts')
    const inTurn = openTurns()
    return { customer: createTestCustomer(config, inTurn), wallet: createTestWallet(config, { inTurn }) }
  }
  let opened: ReturnType<typeof openPurse> | null = null
  const purse = () => {
    opened ??= openPurse()
    return opened
  }

  const customer: TestCustomer = { pay: async (request) => await (await purse()).customer.pay(request) }
  return createStorefront({
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
}
