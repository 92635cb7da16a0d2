import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { PaymentError } from '../core/errors.ts'
import type { Env } from './env.ts'

/** Far more than any request of this API needs. */
const bodyMaxBytes = 64 * 1024

/**
 * Refuses bodies over 64 kB. Node holds a sender to its Content-Length, so the number is enough where there is one;
 * only a body without it is counted, because that costs a whole `Request` object (`npm run bench`).
 */
export function limitBody(): MiddlewareHandler<Env> {
  const refuse = () => {
    throw new PaymentError('BODY_TOO_LARGE', `The body must be at most ${bodyMaxBytes} bytes.`, { status: 413 })
  }
  const counting = bodyLimit({ maxSize: bodyMaxBytes, onError: refuse })
  return async (c, next) => {
    const length = c.req.header('content-length')
    if (length !== undefined) return Number(length) > bodyMaxBytes ? refuse() : await next()
    if (c.req.header('transfer-encoding') === undefined) return await next()
    return await counting(c, next)
  }
}
