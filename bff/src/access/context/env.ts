import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { Caller } from './caller.ts'
import type { Declared } from './operation.ts'

export type Env = {
  /** Absent when a test calls the application without a socket. */
  Bindings: Partial<HttpBindings>
  /** `callerOrNull` is null where a request without a key is allowed. `paymentId` is set by creates, for the log; other routes
   * have it in the path. `operation` is what the route declares. `origin` is the address at which the caller reaches the service: see `publicOrigin`.
   * `bodyAsSent` is set where lenient metadata was rewritten, `textAsSent` where null fields were left out. `change` is set by handlers that the audit log has entries of. `isOpenCall`: the request was counted as one
   * without a caller. `isLenient`: it came by an address for older clients, for which `lenientClients` holds. */
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

/** What a handler changes, for the audit log of people who are signed in. Never holds a secret. */
type NotedChange = {
  /** The id of what is changed. */
  subject: string
  before?: string | null
  after?: string | null
  /** The request was taken, and there was nothing to change. */
  isUnchanged?: boolean
}

/** The parts of a request that its response repeats. */
export type RequestInfo = { requestId: string; origin: string | null }

export const requestInfo = (c: Context<Env>): RequestInfo => ({
  requestId: c.get('requestId'),
  origin: c.get('origin'),
})

/**
 * Sets a header on Node's response where there is one. Through the framework every header costs a `Headers` object,
 * and a header that is set after the body was made costs two thirds of the throughput (`npm run bench`).
 */
export function setHeader(c: Context<Env>, name: string, value: string): void {
  const outgoing = c.env?.outgoing
  if (outgoing && 'setHeader' in outgoing) outgoing.setHeader(name, value)
  else c.header(name, value)
}
