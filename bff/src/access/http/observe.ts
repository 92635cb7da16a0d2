import type { MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import type { Log } from '../../core/log.ts'
import type { Env } from '../context/env.ts'
import type { ApiErrors } from './api-errors.ts'

export type AnsweredRequest = {
  requestId: string
  method: string
  /** The path's template; `/*` when no route matched. */
  route: string
  status: number
  tookMs: number
  /** The payment that was created or requested. */
  paymentId: string | undefined
}

/** Called for every request except preflights, when the response is ready. */
export type ObserveRequest = (request: AnsweredRequest) => void

/** @param apiErrors - Keeps refused calls for the merchant's developers. */
export function observeRequests(observe: ObserveRequest, apiErrors: Pick<ApiErrors, 'note'>): MiddlewareHandler<Env> {
  return async (c, next) => {
    const startedMs = performance.now()
    await next()
    apiErrors.note(c)
    observe({
      requestId: c.get('requestId'),
      method: c.req.method,
      route: routePath(c),
      status: c.res.status,
      tookMs: performance.now() - startedMs,
      paymentId: c.get('paymentId') ?? c.req.param('paymentId' as never),
    })
  }
}

/** Logs changes and failures; reads, which a page repeats every few seconds, are logged at level debug only. */
export function logRequest(log: Log, { tookMs, ...request }: AnsweredRequest): void {
  const fields = { ...request, tookMs: Math.round(tookMs * 10) / 10 }
  // Load balancers poll every few seconds.
  if (request.route === '/api/ready') log.debug(fields, 'request')
  else if (request.status >= 500) log.error(fields, 'request')
  else if (request.method === 'GET' && request.status < 400) log.debug(fields, 'request')
  else log.info(fields, 'request')
}
