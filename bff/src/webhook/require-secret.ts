import type { MiddlewareHandler } from 'hono'
import { PaymentError } from '../core/errors.ts'
import type { Env } from '../http/env.ts'

/**
 * Refuses public keys, which anybody may hold: secrets and the responses of receivers are for the merchant's server only.
 * @param requireCaller - Authenticates the request first.
 */
export function requireSecret(requireCaller: MiddlewareHandler<Env>): MiddlewareHandler<Env> {
  return async (c, next) =>
    await requireCaller(c, async () => {
      if (c.get('caller').kind !== 'api') {
        const message = 'Webhooks are for API key and secret: send x-api-key with x-api-secret, and no x-public-key.'
        throw new PaymentError('API_SECRET_REQUIRED', message, {
          status: 403,
          error: 'API key and secret are required',
        })
      }
      await next()
    })
}
