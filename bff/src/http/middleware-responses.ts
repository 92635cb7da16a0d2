import { errorContent } from './common-schemas.ts'

type Operation = { requestBody?: unknown; parameters?: unknown[]; responses?: Record<string, unknown> }

/** `limitBody`, `RateLimits.anybody` and the error handler stand before every route. */
const ofEveryOperation = {
  413: errorContent('The body is over 64 kB.'),
  429: errorContent('Too many calls; `Retry-After` says when to come back.'),
  500: errorContent('Our fault, or, where the contract keeps it, an unknown payment id.'),
}

/** `requireCaller`. */
const ofCallers = { 401: errorContent('Missing or invalid credentials.') }

/** The validation of what is sent. */
const ofInput = { 400: errorContent('A field breaks a rule; `message` names both.') }

/** The reading of a body as JSON. */
const ofBodies = { 415: errorContent('The body is not JSON.') }

/**
 * Adds the responses of the middleware to an operation of the OpenAPI document. A route declares only the responses of its
 * handler, which take precedence.
 * @param needsCaller - Whether the route is behind `requireCaller`.
 */
export function addMiddlewareResponses(operation: Operation, needsCaller: boolean): void {
  const hasBody = operation.requestBody !== undefined
  operation.responses = {
    ...ofEveryOperation,
    ...(needsCaller && ofCallers),
    ...((hasBody || (operation.parameters ?? []).length > 0) && ofInput),
    ...(hasBody && ofBodies),
    ...operation.responses,
  }
}
