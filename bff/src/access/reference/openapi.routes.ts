import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Env } from '../context/env.ts'
import { isOpen, nameOf, type Operation, tags } from '../context/operation.ts'
import type { RateLimits } from '../limits/rate-limit.ts'
import {
  addMiddlewareResponses,
  createOperationExamples,
  type DocumentedOperation,
  refusalComponents,
} from '../operation/openapi-document.ts'
import type { Examples, Schemas } from '../operation/openapi-examples.ts'
import { referenceRoutes, revalidatedBody, type SharedText, sharedText } from './reference.routes.ts'
import { type Document, referenceOf } from './reference.ts'

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

type Deps = {
  /** The application whose routes are documented. */
  api: OpenAPIHono<Env>
  operations: readonly Operation[]
  examples: Examples
  limits: Pick<RateLimits, 'unauthenticated'>
}

/** The OpenAPI document, made from the schemas that validate requests, and the pages that show it. */
export function openApiRoutes(app: OpenAPIHono<Env>, { api, operations, examples, limits }: Deps) {
  for (const [name, scheme] of Object.entries(securitySchemes)) {
    api.openAPIRegistry.registerComponent('securitySchemes', name, scheme)
  }
  for (const [name, refusal] of Object.entries(refusalComponents)) {
    api.openAPIRegistry.registerComponent('responses', name, refusal as { description: string })
  }
  let json: SharedText | undefined
  const byName = () => new Map(operations.map((operation) => [nameOf(operation), operation]))

  function createDocument() {
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
    const addExamples = createOperationExamples((document.components?.schemas ?? {}) as Schemas, examples)
    const declared = byName()
    for (const [path, item] of Object.entries(document.paths ?? {})) {
      for (const method of ['get', 'post', 'put', 'patch', 'delete'] as const) {
        const operation = item[method]
        const described = declared.get(nameOf({ method, path }))
        if (!operation || !described) continue
        if (isOpen(described)) operation.security = []
        if (described.idempotency) operation.parameters = [...(operation.parameters ?? []), idempotencyKey]
        addMiddlewareResponses(operation as DocumentedOperation, !isOpen(described))
        addExamples(operation as DocumentedOperation)
      }
    }
    return document
  }

  app.get('/api/openapi.json', limits.unauthenticated, (c) => {
    json ??= sharedText(JSON.stringify(createDocument()), 'application/json')
    return revalidatedBody(c, json)
  })
  referenceRoutes(app, { readReference: () => referenceOf(createDocument() as unknown as Document, byName()), limits })
}
