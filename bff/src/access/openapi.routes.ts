import type { OpenAPIHono } from '@hono/zod-openapi'
import { readAsset } from '../assets.ts'
import type { Env } from './env.ts'
import { addMiddlewareResponses, createAnswerExamples, type Operation, refusalComponents } from './openapi-document.ts'
import type { ResponseExamples, Schemas } from './openapi-examples.ts'

const description = `Accept USDC and USDT. Branch on \`outcome\` and \`settlement\`, never on \`status\`; ship only when \`outcome\` is \`paid\`.
Every path answers under \`/api/v1\` and, by the same code, under \`/api\`; \`/health\`, \`/ready\` and \`/versions\` under \`/api\` alone.`

const tags = [
  { name: 'payments', description: 'Read, follow, find and end payments.' },
  { name: 'deposits', description: 'Payments to a deposit address of their own.' },
  { name: 'contract payments', description: "Payments by one call of the customer's wallet." },
  { name: 'cross-chain', description: 'Payments from another chain.' },
  { name: 'x402', description: 'Payments by HTTP 402.' },
  { name: 'links', description: 'Payment links.' },
  { name: 'sandbox', description: 'Payments that behave like real ones and settle nothing.' },
  { name: 'networks', description: 'Networks, tokens and exchange rates.' },
  { name: 'webhooks', description: 'Endpoints, deliveries, and the feed of events.' },
  { name: 'reports', description: "The merchant's numbers." },
  { name: 'merchant', description: "What the merchant's keys may do." },
  { name: 'agents', description: 'Spending policies of software agents.' },
  { name: 'dashboard', description: 'Sign-in, people, keys, settings and wallets, for people with a passkey.' },
  { name: 'system', description: 'The state of the service, and its versions.' },
]

const securitySchemes = {
  publicKey: { type: 'apiKey', in: 'header', name: 'X-Public-Key', description: 'Safe in a browser.' },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'With X-API-Secret, from a server only.' },
  apiSecret: { type: 'apiKey', in: 'header', name: 'X-API-Secret' },
} as const

/** Routes without a key: a checkout page or a wallet calls them. */
const openPaths = new Set([
  '/payments/public/{paymentId}',
  '/payments/public/{paymentId}/events',
  '/payments/contract/{chainId}',
  '/payments/solana-pay/{paymentId}',
  '/payments/{paymentId}/authorize',
  '/deposits/chains',
  '/x402/{paymentId}',
  '/links/public/{linkId}',
  '/links/public/{linkId}/stablecoins',
  '/links/public/{linkId}/create',
  '/payments/cross-chain/sources',
  '/currency/rates',
  '/payments/health',
  '/dashboard/sign-in/options',
  '/dashboard/sign-in',
  '/dashboard/invitation/options',
  '/dashboard/invitation/accept',
  '/dashboard/demo-sign-in',
  '/health',
  '/ready',
  '/versions',
])

/** Creates that answer a repeat under the same key as they answered first. */
const repeatablePaths = new Set([
  '/payments/create',
  '/deposits/create',
  '/payments/cross-chain/create',
  '/sandbox/payments/create',
  '/links',
  '/links/public/{linkId}/create',
])

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'A random value of the client. A repeat under it answers the same, with `Idempotent-Replayed: true`.',
  schema: { type: 'string', minLength: 1, maxLength: 200 },
} as const

/** The page loads files of this service only; the viewer sets styles on its elements. */
const docsPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>stablecoin-checkout API</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css"></head><body><main id="docs"></main>
<script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/start.js"></script></body></html>`
const start = `SwaggerUIBundle({ url: '/api/openapi.json', dom_id: '#docs', deepLinking: true })`

/** The OpenAPI document, made from the schemas that the routes validate with, and a page that shows it. */
export function openApiRoutes(app: OpenAPIHono<Env>, api: OpenAPIHono<Env>, examples: ResponseExamples) {
  for (const [name, scheme] of Object.entries(securitySchemes)) {
    api.openAPIRegistry.registerComponent('securitySchemes', name, scheme)
  }
  for (const [name, refusal] of Object.entries(refusalComponents)) {
    api.openAPIRegistry.registerComponent('responses', name, refusal as { description: string })
  }
  let json: string | undefined

  function documentText(): string {
    const document = api.getOpenAPI31Document({
      openapi: '3.1.0',
      info: {
        title: 'stablecoin-checkout',
        version: '1',
        description,
        license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
      },
      tags,
      servers: [{ url: '/api/v1' }, { url: '/api' }],
      security: [{ publicKey: [] }, { apiKey: [], apiSecret: [] }],
    })
    const addExamples = createAnswerExamples((document.components?.schemas ?? {}) as Schemas, examples)
    for (const [path, item] of Object.entries(document.paths ?? {})) {
      const isOpen = openPaths.has(path)
      for (const operation of [item.get, item.post, item.put, item.patch, item.delete]) {
        if (!operation) continue
        if (isOpen) operation.security = []
        if (operation === item.post && repeatablePaths.has(path)) {
          operation.parameters = [...(operation.parameters ?? []), idempotencyKey]
        }
        addMiddlewareResponses(operation as Operation, !isOpen)
        addExamples(operation as Operation)
      }
    }
    return JSON.stringify(document)
  }

  app.get('/api/openapi.json', (c) => {
    json ??= documentText()
    return c.body(json, 200, { 'Content-Type': 'application/json' })
  })
  app.get('/docs', (c) => c.html(page, 200, { 'Content-Security-Policy': docsPolicy }))
  app.get('/docs/start.js', (c) => c.body(start, 200, { 'Content-Type': 'text/javascript' }))
  for (const [file, type] of [
    ['swagger-ui.css', 'text/css'],
    ['swagger-ui-bundle.js', 'text/javascript'],
  ] as const) {
    app.get(`/docs/${file}`, (c) =>
      c.body(readAsset('reference', file).toString('utf8'), 200, {
        'Content-Type': type,
        'Cache-Control': 'max-age=3600',
      }),
    )
  }
}
