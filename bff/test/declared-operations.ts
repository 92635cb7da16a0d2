import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Env } from '@stablecoin-checkout/bff/testing/service'

type Operation = { responses: Record<string, unknown>; servers?: unknown }
type Document = { paths: Record<string, Record<string, Operation>> }

/** The operations served under `/api/v1`; those without a version name their own server. */
export function versionedOperations<Op extends object>(
  paths: Record<string, Record<string, Op>>,
): { method: string; path: string; operation: Op }[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => !('servers' in operation))
      .map(([method, operation]) => ({ method, path, operation })),
  )
}

type Declared = { template: string; pattern: RegExp; methods: Record<string, Operation> }

/**
 * The document does not depend on the configuration, so all tests share one read. Paths with the fewest parameters come first.
 */
let declared: Promise<Declared[]> | undefined

async function read(app: OpenAPIHono<Env>): Promise<Declared[]> {
  const { paths } = (await (await app.request('/api/openapi.json')).json()) as Document
  return Object.entries(paths)
    .map(([template, methods]) => ({
      template,
      pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`),
      methods,
    }))
    .sort((a, b) => a.template.split('{').length - b.template.split('{').length)
}

/**
 * Fails the test if a response has a status that the OpenAPI document does not declare for the operation.
 * @param makeApp - Creates an application without limits, to read the document from.
 * @param path - With or without a query. Requests outside the document may return anything.
 */
export async function verifyDeclared(
  makeApp: () => OpenAPIHono<Env>,
  method: string,
  path: string,
  status: number,
): Promise<void> {
  declared ??= read(makeApp())
  const [, version, asked] = /^\/api(\/v1)?(\/[^?]*)/.exec(path) ?? []
  if (asked === undefined) return
  const meant = (await declared).find(({ pattern }) => pattern.test(asked))
  const operation = meant?.methods[method.toLowerCase()]
  if (version !== undefined && operation?.servers !== undefined) return
  if (operation && operation.responses[String(status)] === undefined) {
    throw new Error(`${method} ${meant?.template} answered ${status}, which the OpenAPI document does not declare`)
  }
}
