import type { MiddlewareHandler } from 'hono'
import { PaymentError } from '../core/errors.ts'
import type { Env } from './env.ts'

/**
 * Refuses public keys, which anybody may hold.
 * @param requireCaller - Authenticates the request first.
 * @param what - Begins the sentence of the refusal, such as `Webhooks are`.
 */
export function requireSecret(requireCaller: MiddlewareHandler<Env>, what: string): MiddlewareHandler<Env> {
  return async (c, next) =>
    await requireCaller(c, async () => {
      if (c.get('caller').kind !== 'api') {
        const message = `${what} for API key and secret: send x-api-key with x-api-secret, and no x-public-key.`
        throw new PaymentError('API_SECRET_REQUIRED', message, {
          status: 403,
          error: 'API key and secret are required',
        })
      }
      await next()
    })
}
