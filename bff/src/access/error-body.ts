import type { ErrorHandler, NotFoundHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { PaymentError } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import { type Env, setHeader } from './env.ts'

const body = (error: string, message: string, code: string) => ({ success: false as const, error, message, code })

/** The only place that makes error responses. Errors other than `PaymentError` reveal no details. */
export function errorHandler(log: Log): ErrorHandler<Env> {
  return (thrown, c) => {
    if (thrown instanceof PaymentError) {
      for (const [name, value] of Object.entries(thrown.headers)) setHeader(c, name, value)
      const { code, cause, message } = thrown
      if (thrown.status === 500 || cause) log.error({ requestId: c.get('requestId'), code, err: cause }, message)
      return c.json(Object.assign(body(thrown.error, thrown.message, thrown.code), thrown.fields), thrown.status)
    }
    if (thrown instanceof HTTPException) return c.json(frameworkBody(thrown), thrown.status)
    log.error({ requestId: c.get('requestId'), err: thrown }, 'request failed')
    const message = `Something went wrong on our side. Quote request ${c.get('requestId')} when you ask about it.`
    return c.json(body('Internal server error', message, 'INTERNAL_ERROR'), 500)
  }
}

/** The body for requests that the framework refuses before a handler runs. */
function frameworkBody(thrown: HTTPException) {
  if (thrown.status === 415) {
    return body(
      'Unsupported media type',
      'Send the body as JSON with Content-Type: application/json.',
      'UNSUPPORTED_MEDIA_TYPE',
    )
  }
  return body('Validation failed', thrown.message || 'The request could not be read.', 'BAD_REQUEST')
}

export const notFoundHandler: NotFoundHandler<Env> = (c) =>
  c.json(body('Not found', `There is no ${c.req.method} ${c.req.path}.`, 'NOT_FOUND'), 404)
