import { createHash, timingSafeEqual } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import { PaymentError } from '../core/errors.ts'
import type { Runtime } from '../core/runtime.ts'
import type { Db } from '../db/db.ts'
import type { Caller } from '../merchant/caller.ts'
import { type Credential, loadCredential } from '../merchant/merchant-store.ts'
import type { Env } from './env.ts'
import { limitedJson } from './limited-json.ts'
import type { RateLimits } from './rate-limit.ts'

/** The time until a revoked key or a changed wallet takes effect. */
const cacheMs = 1_000

/** The keys in the cache at once: a flood of unknown keys costs queries but no memory. */
const cacheMax = 10_000

/** Longer than any key that this service creates. */
const keyLengthMax = 100

/** Compared with for an unknown key, so that a wrong key takes as long as a wrong secret. */
const noHash = createHash('sha256').update('no such key').digest()

class CredentialsRequiredError extends PaymentError {
  constructor() {
    const message = 'API credentials are required: send the header x-public-key, or x-api-key with x-api-secret.'
    super('UNAUTHORIZED', message, { status: 401 })
  }
}

/** Loads credentials from the database, with a short cache. */
export function createAuthenticator(db: Db, runtime: Runtime) {
  const cache = new Map<string, { credential: Credential | undefined; untilMs: number }>()

  async function find(id: string): Promise<Credential | undefined> {
    if (id.length > keyLengthMax) return undefined
    const nowMs = runtime.nowMs()
    const cached = cache.get(id)
    if (cached && cached.untilMs > nowMs) return cached.credential
    const credential = await db.read((tx) => loadCredential(tx, id, nowMs))
    if (cache.size >= cacheMax) cache.clear()
    cache.set(id, { credential, untilMs: nowMs + cacheMs })
    return credential
  }

  /**
   * A public key takes precedence over API key and secret.
   * @throws {CredentialsRequiredError} the same for a missing, unknown or wrong key.
   */
  return async function authenticate(headers: (name: string) => string | undefined): Promise<Credential> {
    const publicKey = headers('x-public-key')
    if (publicKey !== undefined) {
      const credential = await find(publicKey)
      if (credential?.kind === 'public') return credential
      throw new CredentialsRequiredError()
    }
    const apiKey = headers('x-api-key')
    const secret = headers('x-api-secret')
    if (apiKey === undefined || secret === undefined) throw new CredentialsRequiredError()
    const credential = await find(apiKey)
    const expected = credential?.secretSha256 ? Buffer.from(credential.secretSha256, 'hex') : noHash
    const isEqual = timingSafeEqual(createHash('sha256').update(secret).digest(), expected)
    if (!isEqual || credential?.kind !== 'api') throw new CredentialsRequiredError()
    return credential
  }
}

export type Authenticate = ReturnType<typeof createAuthenticator>

/** @param clientDigest - The stored form of the address of a client with a public key. */
export function requireCaller(
  authenticate: Authenticate,
  limits: RateLimits,
  clientDigest: (address: string) => string,
): MiddlewareHandler<Env> {
  return async (c, next) => {
    const credential = await authenticate((name) => c.req.header(name)).catch(async (error: unknown) => {
      if (error instanceof CredentialsRequiredError) await limits.failed(c)
      throw error
    })
    const client = credential.kind === 'public' ? clientDigest(limits.addressOf(c)) : ''
    const caller: Caller = { ...credential, client }
    await limits.called(c, caller)
    c.set('caller', caller)
    await next()
  }
}

const credentialHeaders = ['x-public-key', 'x-api-key', 'x-api-secret'] as const

/**
 * For routes that older clients call without a key: `lenientClients` allows that. A key that is sent is always checked.
 * @param required - Authenticates every other request.
 */
export function callerOrLenient(required: MiddlewareHandler<Env>, lenientClients: boolean): MiddlewareHandler<Env> {
  return async (c, next) => {
    if (lenientClients && !credentialHeaders.some((name) => c.req.header(name) !== undefined)) {
      c.set('callerOrNull', null)
      return await next()
    }
    return await required(c, async () => {
      c.set('callerOrNull', c.get('caller'))
      await next()
    })
  }
}

/**
 * For routes that a customer's page may call with the payment's client secret in the body instead of a key; the handler
 * verifies the secret. A key that is sent is always checked.
 */
export function callerOrClientSecret(required: MiddlewareHandler<Env>): MiddlewareHandler<Env> {
  return async (c, next) => {
    const hasKey = credentialHeaders.some((name) => c.req.header(name) !== undefined)
    if (!hasKey && (await sendsClientSecret(c))) {
      c.set('callerOrNull', null)
      return await next()
    }
    return await required(c, async () => {
      c.set('callerOrNull', c.get('caller'))
      await next()
    })
  }
}

async function sendsClientSecret(c: Context<Env>): Promise<boolean> {
  const body = await limitedJson(c)
  return typeof body === 'object' && body !== null && 'clientSecret' in body && typeof body.clientSecret === 'string'
}
