import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { Caller } from '../merchant/caller.ts'

export type Env = {
  /** Absent when a test calls the application without a socket. */
  Bindings: Partial<HttpBindings>
  /** `callerOrNull` is null for somebody who was let in without a key. `paymentId` is set where a
   * payment is made, for the log; elsewhere the path has it. `origin` is where the caller reaches us: see `publicOrigin`.
   * `bodyAsSent` is set where lenient metadata was rewritten. */
  Variables: RequestInfo & {
    paymentId?: string
    caller: Caller
    callerOrNull: Caller | null
    bodyAsSent?: Record<string, unknown>
  }
}

/** The parts of a request that its response repeats. */
export type RequestInfo = { requestId: string; origin: string | null }

export const requestInfo = (c: Context<Env>): RequestInfo => ({
  requestId: c.get('requestId'),
  origin: c.get('origin'),
})

/**
 * Sets a header on the raw response where there is one. Through the framework every header costs a `Headers` object,
 * and one that is set after the body was made costs two thirds of the throughput (`npm run bench`).
 */
export function setHeader(c: Context<Env>, name: string, value: string): void {
  const outgoing = c.env?.outgoing
  if (outgoing && 'setHeader' in outgoing) outgoing.setHeader(name, value)
  else c.header(name, value)
}
