import { html } from 'hono/html'
import { exampleOrigin, renderCode } from './render-operation.ts'
import { type Html, prose } from './render-schema.ts'

const createByCurl = `curl -sf ${exampleOrigin}/api/v1/deposits/create \\
  -H "X-API-Key: $API_KEY" -H "X-API-Secret: $API_SECRET" \\
  -H 'Content-Type: application/json' \\
  -d '{ "orderId": "A-1042", "amount": "25.00", "currency": "USDC", "network": "base",
        "callbackUrl": "https://shop.example/webhooks" }'`

const readByCurl = `curl -sf ${exampleOrigin}/api/v1/payments/$PAYMENT \\
  -H "X-API-Key: $API_KEY" -H "X-API-Secret: $API_SECRET"`

const testByCurl = `curl -sf ${exampleOrigin}/api/v1/deposits/create -H "X-Public-Key: $TEST_KEY" \\
  -H 'Content-Type: application/json' -d '{ "amount": "25.00", "currency": "USDC", "network": "base" }'

curl -sf ${exampleOrigin}/api/v1/sandbox/payments/$PAYMENT/simulate -H "X-Public-Key: $TEST_KEY" \\
  -H 'Content-Type: application/json' -d '{ "action": "complete" }'`

/** The example of the client's README, which a test compiles and runs. */
export const nodeExample = `import { createClient, verifyWebhook } from '@stablecoin-checkout/client'

const { CHECKOUT_URL = '', API_KEY = '', API_SECRET = '', WEBHOOK_SECRET = '', NETWORK = 'base' } = process.env
const checkout = createClient({ baseUrl: CHECKOUT_URL, apiKey: API_KEY, apiSecret: API_SECRET })

/** The page gives id and client secret to the element. Keep the id with the order. */
export async function startPayment(orderId: string, amount: string, callbackUrl: string) {
  const body = { orderId, amount, callbackUrl, currency: 'USDC', network: NETWORK } as const
  const { payment } = await checkout.POST('/deposits/create', { body })
  return { id: payment.id, clientSecret: payment.clientSecret, address: payment.depositAddress }
}

/** Takes the raw body of a webhook, throws what the service has not signed. Returns the id of a payment that is paid: ship the order it is kept with. */
export async function receiveWebhook(body: string, headers: Record<string, string | string[] | undefined>) {
  const event = verifyWebhook({ secret: WEBHOOK_SECRET, body, headers })
  if (event.type === 'webhook.test') return null
  const { payment } = await checkout.GET('/payments/{paymentId}', { params: { path: { paymentId: event.data.id } } })
  return payment.outcome === 'paid' && !payment.isTest ? payment.id : null
}
`

const keys: readonly (readonly [header: string, use: string])[] = [
  ['X-Public-Key: pk_live_…', 'In a page: create payments and read their public view.'],
  ['X-Public-Key: pk_test_…', 'Anywhere: the same with sandbox payments.'],
  [
    'X-API-Key: ak_… and X-API-Secret: sk_…',
    'On your server only: everything of one merchant except changing wallets.',
  ],
]

export function renderQuickstart(): Html {
  return html`<section id="quickstart" aria-labelledby="quickstart-title"><h2 id="quickstart-title">Quickstart</h2>
<ol class="steps">
<li><div class="text"><h3>Create a payment</h3>
<p>${prose('On your server, with API key and secret. Show the customer `depositAddress`, or give `id` and `clientSecret` to the element. After an error repeat the call: the same `orderId` returns the same payment.')}</p></div>
<div class="samples">${renderCode('curl: create', 'sh', createByCurl)}</div></li>
<li><div class="text"><h3>Verify the webhook, then ship</h3>
<p>${prose('The service posts signed events to `callbackUrl`. Verify the raw body, respond with 2xx, drop events you have seen, and ship once `outcome` is `paid`, `isTest` is false, and amount and currency are those of the order.')}</p>
<p>${prose('The client for Node does both; it is `npm install @stablecoin-checkout/client`.')}</p></div>
<div class="samples">${renderCode('Node: create, and verify a webhook', 'ts', nodeExample)}${renderCode('curl: read', 'sh', readByCurl)}</div></li>
<li><div class="text"><h3>Test without money</h3>
<p>${prose('A `pk_test_` key creates sandbox payments. Simulate what the customer does; webhooks and states are those of a live payment.')}</p></div>
<div class="samples">${renderCode('curl: create and complete a sandbox payment', 'sh', testByCurl)}</div></li>
</ol></section>
<section id="keys" aria-labelledby="keys-title"><h2 id="keys-title">Keys</h2>
<dl class="fields">${keys.map(([header, use]) => html`<div><dt><code>${header}</code></dt><dd><p>${use}</p></dd></div>`)}</dl></section>`
}
