import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'
import { freePort } from '../../demo/ports.ts'
import type { StorefrontConfig } from '../../demo/storefront/config.ts'
import type { ReceivedWebhook } from '../../demo/storefront/shop.ts'
import { writeConfig } from './bff.ts'
import { launch } from './process.ts'
import type { Story } from './story.ts'
import { until } from './until.ts'

const server = fileURLToPath(new URL('../../demo/dist/storefront.js', import.meta.url))
const scriptPath = fileURLToPath(new URL('../../widget/dist/stablecoin-checkout.js', import.meta.url))

/** The demo's storefront as its own process: the page with the tag, and the merchant's server behind it. */
export async function openStorefront({ bff, devnet, folder, files, onSolana }: Story) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const config: StorefrontConfig = {
    ...{ port, bff: bff.url(), origin: url, journalPath: null, scriptPath, networks: devnet.networks },
    ...{ publicKey: bff.merchant.publicKey, webhookSecret: bff.merchant.webhookSecret },
    ...{ apiKey: bff.merchant.apiKey, apiSecret: bff.merchant.apiSecret },
    customerPrivateKey: devnet.customer.privateKey,
    ...(onSolana && {
      solana: { network: devnet.solana.network, customerSecretKey: devnet.solana.customer.secretKey },
    }),
  }
  const configPath = join(folder, 'storefront.config.json')
  writeConfig(configPath, config)
  const started = launch({
    args: [server],
    env: { STOREFRONT_CONFIG: configPath },
    logPath: files.logPath,
  })
  afterAll(() => started.kill())
  const read = async (path: string): Promise<unknown> => (await fetch(`${url}${path}`)).json()
  await until('the storefront to answer', async () => {
    if (started.exitCode() !== undefined) throw new Error(`it ended; see ${files.logPath}`)
    return (await fetch(`${url}/health`)).ok
  })
  return {
    url,
    /** The webhooks of a payment that the merchant's server received, oldest first. */
    async received(paymentId: string): Promise<ReceivedWebhook[]> {
      const all = (await read('/webhooks')) as ReceivedWebhook[]
      return all.filter((line) => line.paymentId === paymentId).reverse()
    },
    async order(id: string): Promise<{ state: string; paymentId: string | null }> {
      return (await read(`/orders/${id}`)) as { state: string; paymentId: string | null }
    },
  }
}
