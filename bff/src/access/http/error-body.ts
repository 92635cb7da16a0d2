import type { Context, ErrorHandler, NotFoundHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { PaymentError } from '../../core/errors.ts'
import type { Log } from '../../core/log.ts'
import { type Env, setHeader } from '../context/env.ts'

/** The body of an error response. */
export const errorBodyOf = ({ error, message, code, fields }: PaymentError) =>
  Object.assign({ success: false as const, error, message, code }, fields)

/** The only place that makes error responses. Errors other than `PaymentError` reveal no details. */
export function errorHandler(log: Log): ErrorHandler<Env> {
  return (thrown, c) => {
    if (thrown instanceof PaymentError) {
      const { code, cause, message, status, retryAfterSeconds } = thrown
      if (retryAfterSeconds !== undefined) setHeader(c, 'Retry-After', String(retryAfterSeconds))
      if (status === 500 || cause) log.error({ requestId: c.get('requestId'), code, err: cause }, message)
      return c.json(errorBodyOf(thrown), status)
    }
    if (isCutOff(c)) return c.json(errorBodyOf(new PaymentError('BAD_REQUEST', 'The request body is incomplete.')), 400)
    if (thrown instanceof HTTPException) return c.json(errorBodyOf(refusedByFramework(thrown)), thrown.status)
    log.error({ requestId: c.get('requestId'), err: thrown }, 'Request failed')
    const message = `Something went wrong on our side. Quote request ${c.get('requestId')} when you ask about it.`
    return c.json(errorBodyOf(new PaymentError('INTERNAL_ERROR', message)), 500)
  }
}

/** Whether the client closed the connection within the body. Nobody reads the response. */
function isCutOff({ env }: Context<Env>): boolean {
  const incoming = env?.incoming
  return incoming?.destroyed === true && !incoming.complete
}

/** For requests that the framework refuses before a handler runs. */
const refusedByFramework = ({ status, message }: HTTPException): PaymentError =>
  status === 415
    ? new PaymentError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as JSON with Content-Type: application/json.')
    : new PaymentError('BAD_REQUEST', message || 'The request could not be read.')

export const notFoundHandler: NotFoundHandler<Env> = (c) =>
  c.json(errorBodyOf(new PaymentError('NOT_FOUND', `There is no ${c.req.method} ${c.req.path}.`)), 404)
