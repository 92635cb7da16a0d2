import type { OpenAPIHono } from '@hono/zod-openapi'
import { readAsset } from '../assets.ts'
import { errorContent } from './common-schemas.ts'
import type { Env } from './env.ts'

const description = `Accept USDC and USDT. Branch on \`outcome\` and \`settlement\`, never on \`status\`; ship only when \`outcome\` is \`paid\`.
Every path answers under \`/api/v1\` and, by the same code, under \`/api\`.`

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
export function openApiRoutes(app: OpenAPIHono<Env>, api: OpenAPIHono<Env>) {
  for (const [name, scheme] of Object.entries(securitySchemes)) {
    api.openAPIRegistry.registerComponent('securitySchemes', name, scheme)
  }
  let json: string | undefined

  function documentText(): string {
    const document = api.getOpenAPI31Document({
      openapi: '3.1.0',
      info: { title: 'stablecoin-checkout', version: '1', description },
      servers: [{ url: '/api/v1' }, { url: '/api' }],
      security: [{ publicKey: [] }, { apiKey: [], apiSecret: [] }],
    })
    for (const [path, item] of Object.entries(document.paths ?? {})) {
      const isOpen = openPaths.has(path)
      for (const operation of [item.get, item.post, item.put, item.patch, item.delete]) {
        if (!operation) continue
        if (isOpen) operation.security = []
        if (operation === item.post && repeatablePaths.has(path)) {
          operation.parameters = [...(operation.parameters ?? []), idempotencyKey]
        }
        addMiddlewareResponses(operation, !isOpen)
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

type Operation = { requestBody?: unknown; parameters?: unknown[]; responses?: Record<string, unknown> }

/** `limitBody`, `RateLimits.anybody` and the error handler stand before every route. */
const ofEveryOperation = {
  413: errorContent('The body is over 64 kB.'),
  429: errorContent('Too many calls; `Retry-After` says when to come back.'),
  500: errorContent('Our fault, or, where the contract keeps it, an unknown payment id.'),
  503: errorContent(
    'The database cannot be reached, or a network was not verified since the start; `Retry-After` says when to come back. Repeat creates with the same key.',
  ),
}

/** `requireCaller`. */
const ofCallers = {
  401: errorContent('Missing or invalid credentials.'),
  403: errorContent(
    "`ORIGIN_NOT_ALLOWED`: the public key is not accepted from this page. Else the session's role does not allow it, or it asks for the passkey.",
  ),
}

/** The validation of what is sent. */
const ofInput = { 400: errorContent('A field breaks a rule; `message` names both.') }

/** The reading of a body as JSON. */
const ofBodies = { 415: errorContent('The body is not JSON.') }

/**
 * Adds the responses of the middleware to an operation of the OpenAPI document. A route declares only the responses of its
 * handler, which take precedence.
 * @param needsCaller - Whether the route is behind `requireCaller`.
 */
function addMiddlewareResponses(operation: Operation, needsCaller: boolean): void {
  const hasBody = operation.requestBody !== undefined
  operation.responses = {
    ...ofEveryOperation,
    ...(needsCaller && ofCallers),
    ...((hasBody || (operation.parameters ?? []).length > 0) && ofInput),
    ...(hasBody && ofBodies),
    ...operation.responses,
  }
}
