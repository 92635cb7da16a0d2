import type { MiddlewareHandler } from 'hono'
import { PaymentError } from '../../core/errors.ts'
import { type Env, setHeader } from '../context/env.ts'
import type { Declared, Operation, Rate } from '../context/operation.ts'
import type { RateLimits } from '../limits/rate-limit.ts'
import type { GuardOf } from '../operation/operation-registry.ts'
import {
  type Authenticator,
  callerOrClientSecret,
  callerOrLenient,
  noSessions,
  noTills,
  requireCaller,
  requireTill,
  type SessionCallers,
  type TillCallers,
} from './authenticate.ts'

type Deps = {
  authenticator: Authenticator
  limits: RateLimits
  sessions?: SessionCallers
  tills?: TillCallers
  lenientClients: boolean
}

/** @returns a function that makes an operation's middleware, which allows the callers that the operation declares. */
export function createGuard({
  authenticator,
  limits,
  sessions = noSessions,
  tills = noTills,
  lenientClients,
}: Deps): GuardOf {
  const required = requireCaller(authenticator, limits, sessions)

  function guardOf(operation: Operation): MiddlewareHandler<Env> {
    switch (operation.access) {
      case 'open':
        return limits.unauthenticated
      case 'page':
        return async (c, next) => {
          await limits.open(c)
          sessions.verifyOwnPage(c)
          await next()
        }
      case 'key':
        return operation.endsForPublicKeys ? deprecatePublicKeys(required) : required
      case 'lenientKey':
        return callerOrLenient(required, limits, lenientClients, sessions)
      case 'clientSecret':
        return callerOrClientSecret(required, limits)
      case 'secret':
        return requireSecret(required, operation.secretFor)
      case 'session':
        return requireSession(required)
      case 'till':
        return requireTill(tills, limits, operation.till)
    }
  }

  const rates: Readonly<Record<Rate, readonly MiddlewareHandler<Env>[]>> = {
    // These two are counted together with their caller.
    creates: [],
    simulations: [],
    signatures: [limits.signed],
    signIns: [limits.signIns],
  }

  return (operation) => [declare(operation), guardOf(operation), ...(operation.rate ? rates[operation.rate] : [])]
}

/** Stores the description for the guard. HEAD is only for keys: neither the dashboard nor an agent's tool sends it. */
function declare(operation: Operation): MiddlewareHandler<Env> {
  const ofHead: Declared = { role: 'none' }
  return (c, next) => {
    c.set('operation', c.req.method === 'HEAD' ? ofHead : operation)
    return next()
  }
}

/** Refuses public keys, which anybody may hold. */
const requireSecret =
  (required: MiddlewareHandler<Env>, what: string): MiddlewareHandler<Env> =>
  async (c, next) =>
    await required(c, async () => {
      if (c.get('caller').kind !== 'api') {
        const message = `${what} for API key and secret: send x-api-key with x-api-secret, and no x-public-key.`
        throw new PaymentError('API_SECRET_REQUIRED', message)
      }
      await next()
    })

const deprecatePublicKeys =
  (required: MiddlewareHandler<Env>): MiddlewareHandler<Env> =>
  async (c, next) =>
    await required(c, async () => {
      if (c.get('caller').kind === 'public') setHeader(c, 'Deprecation', 'true')
      await next()
    })

/** Refuses keys, which have neither a role nor a person with a passkey. */
const requireSession =
  (required: MiddlewareHandler<Env>): MiddlewareHandler<Env> =>
  async (c, next) =>
    await required(c, async () => {
      if (!c.get('caller').session) {
        const message = 'Only people signed in to the dashboard may call this, not keys.'
        throw new PaymentError('SESSION_REQUIRED', message)
      }
      await next()
    })
