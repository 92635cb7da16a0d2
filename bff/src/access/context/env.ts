import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { Caller } from './caller.ts'
import type { Declared } from './operation.ts'

export type Env = {
  /** Absent when a test calls the application without a socket. */
  Bindings: Partial<HttpBindings>
  /**
   * - `paymentId`: set by creates, for the log; other routes have it in the path.
   * - `operation`: what the route declares.
   * - `callerOrNull`: null when a request without a key is allowed.
   * - `origin`: the address at which the caller reaches the service, see `publicOrigin`.
   * - `bodyAsSent`: set when lenient metadata was rewritten. `textAsSent`: set when null fields were dropped.
   * - `change`: set by handlers whose changes the audit log records.
   * - `isOpenCall`: the request was counted as one without a caller.
   * - `isLenient`: the request came to an address for older clients, to which `lenientClients` applies.
   */
  Variables: RequestInfo & {
    paymentId?: string
    operation: Declared
    caller: Caller
    callerOrNull: Caller | null
    bodyAsSent?: Record<string, unknown>
    textAsSent?: string
    change?: NotedChange
    isOpenCall?: boolean
    isLenient?: boolean
  }
}

/** A change made by a handler, for the audit log of signed-in people. Never contains a secret. */
type NotedChange = {
  /** The id of the changed object. */
  subject: string
  before?: string | null
  after?: string | null
  /** The request was accepted, but there was nothing to change. */
  isUnchanged?: boolean
}

/** The parts of a request that its response repeats. */
export type RequestInfo = { requestId: string; origin: string | null }

export const requestInfo = (c: Context<Env>): RequestInfo => ({
  requestId: c.get('requestId'),
  origin: c.get('origin'),
})

/**
 * Sets a header directly on Node's response, if there is one. In the framework every header costs a `Headers` object, and a
 * header set after the body was made costs two thirds of the throughput (`npm run bench`).
 */
export function setHeader(c: Context<Env>, name: string, value: string): void {
  const outgoing = c.env?.outgoing
  if (outgoing && 'setHeader' in outgoing) outgoing.setHeader(name, value)
  else c.header(name, value)
}
