import { errorCodes } from '../../core/error-codes.ts'
import { PaymentError } from '../../core/errors.ts'
import { errorBodyOf } from '../http/error-body.ts'
import { createExamples, type Examples, type Schema, type Schemas } from './openapi-examples.ts'
import { type RefusalName, refusals } from './refusals.ts'

type MediaType = { schema?: Schema; example?: unknown }
export type Response = { description?: string; content?: Record<string, MediaType> } | { $ref: string }

export type DocumentedOperation = {
  operationId?: string
  tags?: string[]
  summary?: string
  description?: string
  servers?: { url: string }[]
  security?: unknown[]
  parameters?: unknown[]
  requestBody?: { content?: Record<string, MediaType> }
  responses?: Record<string, Response>
}

const errorSchema = '#/components/schemas/Error'

const statusOf = (name: RefusalName) => errorCodes[refusals[name].code].status

const reference = (name: RefusalName) => ({ $ref: `#/components/responses/${name}` })

/** The refusals as components of the OpenAPI document. */
export const refusalComponents: Readonly<Record<string, object>> = Object.fromEntries(
  Object.entries(refusals).map(([name, { code, description, message }]) => {
    const example = errorBodyOf(new PaymentError(code, message))
    return [name, { description, content: { 'application/json': { schema: { $ref: errorSchema }, example } } }]
  }),
)

/** `limitBody`, `RateLimits.anybody` and the error handler run before every route. */
const ofEveryOperation: readonly RefusalName[] = ['TooLarge', 'TooManyCalls', 'Failed', 'Unavailable']

/** Refusals of `requireCaller`. */
const ofCallers: readonly RefusalName[] = ['Unauthorized', 'NotAllowed']

/**
 * Adds the middleware's responses to an operation of the OpenAPI document. A route declares only its handler's responses, which take
 * precedence. One that equals a shared refusal becomes a reference to it.
 * @param needsCaller - Whether the route is behind `requireCaller`.
 */
export function addMiddlewareResponses(operation: DocumentedOperation, needsCaller: boolean): void {
  const hasBody = operation.requestBody !== undefined
  const hasInput = hasBody || (operation.parameters ?? []).length > 0
  const names: RefusalName[] = [...ofEveryOperation]
  if (needsCaller) names.push(...ofCallers)
  if (hasInput) names.push('Invalid')
  if (hasBody) names.push('NotJson')
  const added = Object.fromEntries(names.map((name) => [statusOf(name), reference(name)]))
  const own = Object.entries(operation.responses ?? {}).map(([status, response]) => [status, shared(status, response)])
  operation.responses = Object.assign(added, Object.fromEntries(own))
}

function shared(status: string, response: Response): Response {
  if ('$ref' in response) return response
  const names = Object.keys(refusals) as RefusalName[]
  const same = names.find(
    (name) => String(statusOf(name)) === status && refusals[name].description === response.description,
  )
  const isError = response.content?.['application/json']?.schema?.$ref === errorSchema
  return same !== undefined && isError ? reference(same) : response
}

/** Adds examples to an operation: to its body, to each successful response, and to refusals that have values of their own. */
export function createOperationExamples(schemas: Schemas, { fields, operations, requests }: Examples) {
  const exampleOf = createExamples(schemas, fields)
  return function addExamples(operation: DocumentedOperation): void {
    const id = operation.operationId ?? ''
    for (const media of Object.values(operation.requestBody?.content ?? {})) {
      if (media.schema) media.example = exampleOf(media.schema, requests[id])
    }
    for (const [status, response] of Object.entries(operation.responses ?? {})) {
      if ('$ref' in response) continue
      const own = operations[`${id} ${status}`]
      if (own === undefined && !status.startsWith('2')) continue
      for (const media of Object.values(response.content ?? {})) {
        if (media.schema) media.example = exampleOf(media.schema, own ?? operations[id])
      }
    }
  }
}
