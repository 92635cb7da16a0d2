import type { Server } from 'node:http'
import { fileURLToPath } from 'node:url'
import { createAdaptorServer } from '@hono/node-server'
import { afterAll } from 'vitest'
import type { StorefrontConfig } from '../../demo/storefront/config.ts'
import { openStorefront as openShop } from '../../demo/storefront/open-storefront.ts'
import type { ReceivedWebhook } from '../../demo/storefront/shop.ts'
import { listen } from './listen.ts'
import type { Story } from './story.ts'

const scriptPath = fileURLToPath(new URL('../../widget/dist/stablecoin-checkout.js', import.meta.url))

/**
 * The demo's storefront in this process: the page with the tag, and the merchant's server behind it. The demo's own tests run its
 * program.
 */
export async function openStorefront({ bff, devnet, onSolana, onTempo, onTron }: Story) {
  let answer: (request: Request) => Response | Promise<Response> = () => new Response('not yet', { status: 503 })
  const { origin, close } = await listen(createAdaptorServer({ fetch: (request) => answer(request) }) as Server)
  afterAll(close)
  const config: StorefrontConfig = {
    port: Number(new URL(origin).port),
    bff: bff.url(),
    origin,
    publicKey: bff.merchant.publicKey,
    apiKey: bff.merchant.apiKey,
    apiSecret: bff.merchant.apiSecret,
    webhookSecret: bff.merchant.webhookSecret,
    journalPath: null,
    scriptPath,
    networks: [...devnet.networks, ...(onTempo ? [onTempo.chain.network] : []), ...(onTron ? [onTron.network] : [])],
    customerPrivateKey: devnet.customer.privateKey,
    ...(onSolana && {
      solana: { network: devnet.solana.network, customerSecretKey: devnet.solana.customer.secretKey },
    }),
  }
  const shop = openShop(config)
  answer = (request) => shop.fetch(request)
  const read = async (path: string): Promise<unknown> => (await shop.request(path)).json()
  return {
    url: origin,
    /**
     * The page with the tag, for a kilo of beans. Its drawer is open, because stories use the developer tools.
     * @param choice - Further query parameters, such as `by=page`.
     */
    checkout: (choice = ''): string => `${origin}/checkout?product=beans&developer=open&${choice}`,
    /** A payment's webhooks that the merchant's server received, oldest first. */
    async received(paymentId: string): Promise<ReceivedWebhook[]> {
      const all = (await read('/webhooks')) as ReceivedWebhook[]
      return all.filter((line) => line.paymentId === paymentId).reverse()
    },
    async order(id: string): Promise<{ state: string; paymentId: string | null }> {
      return (await read(`/orders/${id}`)) as { state: string; paymentId: string | null }
    },
  }
}
