import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Env } from '../src/http/env.ts'

type Operation = { responses: Record<string, unknown>; servers?: unknown }
type Document = { paths: Record<string, Record<string, Operation>> }

/** The operations that are served under `/api/v1`: those without a version name a server of their own. */
export function versionedOperations<Op extends object>(
  paths: Record<string, Record<string, Op>>,
): { method: string; path: string; operation: Op }[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => !('servers' in operation))
      .map(([method, operation]) => ({ method, path, operation })),
  )
}

/** The document depends on no configuration, so it is read once for all tests. */
let document: Promise<Document> | undefined

async function read(app: OpenAPIHono<Env>): Promise<Document> {
  return (await (await app.request('/api/openapi.json')).json()) as Document
}

/**
 * Fails the test whose request got an answer with a status that the OpenAPI document does not declare for the operation.
 * @param makeApp - An application without limits, to read the document from.
 * @param path - With or without a query; what is no operation of the document may answer anything.
 */
export async function verifyDeclared(
  makeApp: () => OpenAPIHono<Env>,
  method: string,
  path: string,
  status: number,
): Promise<void> {
  document ??= read(makeApp())
  const { paths } = await document
  const [, version, asked] = /^\/api(\/v1)?(\/[^?]*)/.exec(path) ?? []
  if (asked === undefined) return
  const matching = Object.keys(paths)
    .filter((template) => new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(asked))
    // The one with the fewest parameters is the one that was meant.
    .sort((a, b) => a.split('{').length - b.split('{').length)
  const operation = matching[0] === undefined ? undefined : paths[matching[0]]?.[method.toLowerCase()]
  if (version !== undefined && operation?.servers !== undefined) return
  if (operation && operation.responses[String(status)] === undefined) {
    throw new Error(`${method} ${matching[0]} answered ${status}, which the OpenAPI document does not declare`)
  }
}
