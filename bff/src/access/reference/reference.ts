import type { Operation } from '../context/operation.ts'
import type { DocumentedOperation } from '../operation/openapi-document.ts'
import type { Schemas } from '../operation/openapi-examples.ts'
import type { Documented } from './render-operation.ts'
import type { Reference } from './render-page.ts'

/** The parts of the OpenAPI document that the pages show. */
export type Document = {
  paths: Record<string, Record<string, DocumentedOperation>>
  webhooks: Record<string, Record<string, DocumentedOperation>>
  components: { schemas: Schemas }
}

/** @param declared - Each operation's declaration, by method and path. */
export function referenceOf(document: Document, declared: ReadonlyMap<string, Operation>): Reference {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]): Documented[] => {
      const described = declared.get(`${method} ${path}`)
      return described ? [{ method, path, operation, declared: described }] : []
    }),
  )
  const events = Object.entries(document.webhooks).map(([type, { post }]) => ({
    type,
    summary: post?.summary ?? '',
    example: post?.requestBody?.content?.['application/json']?.schema?.example,
  }))
  return { operations, schemas: document.components.schemas, events }
}
