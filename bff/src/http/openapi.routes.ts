import type { OpenAPIHono } from '@hono/zod-openapi'
import { readAsset } from '../assets.ts'
import type { Env } from './env.ts'
import { addMiddlewareResponses } from './middleware-responses.ts'

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
  '/deposits/chains',
  '/payments/cross-chain/sources',
  '/currency/rates',
  '/payments/health',
])

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
