import type { OpenAPIHono } from '@hono/zod-openapi'
import { readAsset } from '../assets.ts'
import type { Env } from './env.ts'
import type { RateLimits } from './limits/rate-limit.ts'
import {
  addMiddlewareResponses,
  createAnswerExamples,
  type DocumentedOperation,
  refusalComponents,
} from './openapi-document.ts'
import type { ResponseExamples, Schemas } from './openapi-examples.ts'
import { isOpen, nameOf, type Operation, tags } from './operation.ts'

const description = `Accept USDC and USDT. Branch on \`outcome\` and \`settlement\`, never on \`status\`; ship only when \`outcome\` is \`paid\`.
Every path answers under \`/api/v1\` and, by the same code, under \`/api\`; \`/health\`, \`/ready\` and \`/versions\` under \`/api\` alone.`

const securitySchemes = {
  publicKey: { type: 'apiKey', in: 'header', name: 'X-Public-Key', description: 'Safe in a browser.' },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'With X-API-Secret, from a server only.' },
  apiSecret: { type: 'apiKey', in: 'header', name: 'X-API-Secret' },
} as const

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'A random value of the client. A repeat returns the first response, with `Idempotent-Replayed: true`.',
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

type Deps = {
  /** Its routes are documented. */
  api: OpenAPIHono<Env>
  operations: readonly Operation[]
  examples: ResponseExamples
  limits: Pick<RateLimits, 'unauthenticated'>
}

/** The OpenAPI document, made from the schemas that the routes validate with, and a page that shows it. */
export function openApiRoutes(app: OpenAPIHono<Env>, { api, operations, examples, limits }: Deps) {
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
      tags: [...tags],
      servers: [{ url: '/api/v1' }, { url: '/api' }],
      security: [{ publicKey: [] }, { apiKey: [], apiSecret: [] }],
    })
    const addExamples = createAnswerExamples((document.components?.schemas ?? {}) as Schemas, examples)
    const byName = new Map(operations.map((operation) => [nameOf(operation), operation]))
    for (const [path, item] of Object.entries(document.paths ?? {})) {
      for (const method of ['get', 'post', 'put', 'patch', 'delete'] as const) {
        const operation = item[method]
        const described = byName.get(nameOf({ method, path }))
        if (!operation || !described) continue
        if (isOpen(described)) operation.security = []
        if (described.idempotency) operation.parameters = [...(operation.parameters ?? []), idempotencyKey]
        addMiddlewareResponses(operation as DocumentedOperation, !isOpen(described))
        addExamples(operation as DocumentedOperation)
      }
    }
    return JSON.stringify(document)
  }

  app.get('/api/openapi.json', limits.unauthenticated, (c) => {
    json ??= documentText()
    return c.body(json, 200, { 'Content-Type': 'application/json' })
  })
  app.use('/docs/*', limits.unauthenticated)
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
