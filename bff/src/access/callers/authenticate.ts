import { createHash, timingSafeEqual } from 'node:crypto'
import type { Context, MiddlewareHandler, Next } from 'hono'
import { PaymentError } from '../../core/errors.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { Db } from '../../db/db.ts'
import { saveKeyUse } from '../../merchant/key-store.ts'
import { type Credential, loadCredential } from '../../merchant/merchant-store.ts'
import type { Caller, CallerSession } from '../context/caller.ts'
import type { Env } from '../context/env.ts'
import type { TillNeeded } from '../context/operation.ts'
import { limitedJson } from '../http/body-limit.ts'
import type { RateLimits } from '../limits/rate-limit.ts'
import { verifyOrigin } from './key-origins.ts'
import { verifyScope } from './key-scopes.ts'

/** How long until a revoked key or a changed wallet or setting takes effect, whichever replica or command changed it. */
const cacheMs = 1_000

/** Maximum cached keys. A flood of unknown keys costs queries, but no memory. */
const cacheMax = 10_000

/** Time between two stored uses of one key. */
const useHourMs = 60 * 60_000

/** Longer than any key that this service creates. */
const keyLengthMax = 100

/** Compared with when the key is unknown, so that a wrong key takes as long as a wrong secret. */
const noHash = createHash('sha256').update('no such key').digest()

const required = 'API credentials are required: send the header x-public-key, or x-api-key with x-api-secret.'
const credentialsRequired = () => new PaymentError('UNAUTHORIZED', required)

/** Does not say which of the two is wrong. */
const credentialsRefused = () =>
  new PaymentError(
    'UNAUTHORIZED',
    `${required} Those sent are not valid: check that x-public-key begins with pk_, or x-api-key with ak_ and x-api-secret with sk_, and that they are complete, belong to this service and are not revoked.`,
  )

/** Loads credentials from the database, through a short cache. */
export function createAuthenticator(db: Db, runtime: Runtime) {
  const cache = new Map<string, { credential: Credential | undefined; readAtMs: number }>()
  const usedAtMs = new Map<string, number>()

  /** Stores the use without being awaited, so that no request waits for it or fails with it. */
  function noteUse(credential: Credential): Credential {
    const { id } = credential
    const nowMs = runtime.nowMs()
    if (nowMs - (usedAtMs.get(id) ?? Number.NEGATIVE_INFINITY) < useHourMs) return credential
    if (usedAtMs.size >= cacheMax) usedAtMs.clear()
    usedAtMs.set(id, nowMs)
    db.write((tx) => saveKeyUse(tx, id, nowMs, useHourMs)).catch(() => usedAtMs.delete(id))
    return credential
  }

  async function find(id: string): Promise<Credential | undefined> {
    if (id.length > keyLengthMax) return undefined
    const nowMs = runtime.nowMs()
    const cached = cache.get(id)
    // A clock that is set back must not extend an entry's life.
    if (cached && nowMs >= cached.readAtMs && nowMs < cached.readAtMs + cacheMs) return cached.credential
    const credential = await db.read((tx) => loadCredential(tx, id, nowMs))
    if (cache.size >= cacheMax) cache.clear()
    cache.set(id, { credential, readAtMs: nowMs })
    return credential
  }

  /**
   * A public key takes precedence over API key and secret.
   * @throws {PaymentError} UNAUTHORIZED, the same for an unknown key and a wrong secret.
   */
  async function authenticate(headers: (name: string) => string | undefined): Promise<Credential> {
    const publicKey = headers('x-public-key')
    if (publicKey !== undefined) {
      const credential = await find(publicKey)
      if (credential?.kind === 'public') return noteUse(credential)
      throw credentialsRefused()
    }
    const apiKey = headers('x-api-key')
    const secret = headers('x-api-secret')
    if (apiKey === undefined || secret === undefined) throw credentialsRequired()
    const credential = await find(apiKey)
    const expected = credential?.secretSha256 ? Buffer.from(credential.secretSha256, 'hex') : noHash
    const isEqual = timingSafeEqual(createHash('sha256').update(secret).digest(), expected)
    if (!isEqual || credential?.kind !== 'api') throw credentialsRefused()
    return noteUse(credential)
  }

  return {
    authenticate,
    /** Whether a key has not been revoked. */
    isGood: async (id: string): Promise<boolean> => (await find(id)) !== undefined,
  }
}

export type Authenticator = ReturnType<typeof createAuthenticator>

/** Dashboard sessions, for requests without a key. */
export type SessionCallers = {
  /** Whether the request has a session cookie, valid or not. */
  isSent(c: Context<Env>): boolean
  /** @throws {PaymentError} 401 when the session is unknown or has ended; 403 when its role does not allow the route. */
  callerOf(c: Context<Env>): Promise<Caller>
  /** Whether the session is still valid, with the same role. */
  isGood(session: CallerSession): Promise<boolean>
  /** @throws {PaymentError} 403 when the request does not come from the dashboard's own page. */
  verifyOwnPage(c: Context<Env>): void
  /** Runs the handler. For a change, the audit log records the request before and the result after it. */
  runRecorded(c: Context<Env>, caller: Caller, handler: Next): Promise<void>
}

/** Devices paired as tills, for operations that only tills may call. */
export type TillCallers = {
  /** @throws {PaymentError} 401 when the device is not a till; 403 while it is locked or blocked, or for another page's request. */
  callerOf(c: Context<Env>, needed: TillNeeded): Promise<Caller>
}

/** For a service without a dashboard. */
export const noTills: TillCallers = { callerOf: () => Promise.reject(credentialsRequired()) }

/** For a service without a dashboard. */
export const noSessions: SessionCallers = {
  isSent: () => false,
  callerOf: () => Promise.reject(credentialsRequired()),
  isGood: async () => false,
  verifyOwnPage() {
    throw credentialsRequired()
  },
  runRecorded: (_c, _caller, handler) => handler(),
}

/** Whether a caller is still authorized; for long responses such as streams. */
export type IsStillGood = (caller: Caller) => Promise<boolean>

export const createGoodness =
  (authenticator: Authenticator, sessions: SessionCallers): IsStillGood =>
  ({ id, session }) =>
    session ? sessions.isGood(session) : authenticator.isGood(id)

export function requireCaller(
  { authenticate }: Authenticator,
  limits: RateLimits,
  sessions: SessionCallers,
): MiddlewareHandler<Env> {
  async function callerOf(c: Context<Env>): Promise<Caller> {
    // A key takes precedence: the client chose it, while the browser sends the cookie automatically.
    if (!sendsKey(c) && sessions.isSent(c)) return await sessions.callerOf(c)
    const credential = await authenticate((name) => c.req.header(name))
    verifyOrigin(credential, c.req.header('origin'))
    verifyScope(credential.scope, c.get('operation'))
    return { ...credential, address: credential.kind === 'public' ? limits.addressOf(c) : '' }
  }

  return async (c, next) => {
    const caller = await callerOf(c).catch(async (error: unknown) => {
      if (error instanceof PaymentError && error.status === 401) await limits.failed(c)
      throw error
    })
    c.set('caller', caller)
    await limits.called(c, caller)
    if (caller.session) await sessions.runRecorded(c, caller, next)
    else await next()
  }
}

/** Allows only tills, neither keys nor sessions. */
export function requireTill(tills: TillCallers, limits: RateLimits, needed: TillNeeded): MiddlewareHandler<Env> {
  return async (c, next) => {
    const caller = await tills.callerOf(c, needed).catch(async (error: unknown) => {
      if (error instanceof PaymentError && error.status === 401) await limits.failed(c)
      throw error
    })
    c.set('caller', caller)
    await limits.called(c, caller)
    await next()
  }
}

const credentialHeaders = ['x-public-key', 'x-api-key', 'x-api-secret'] as const

const sendsKey = (c: Context<Env>): boolean => credentialHeaders.some((name) => c.req.header(name) !== undefined)

/**
 * For routes that older clients call without a key, if `lenientClients` allows it. A key that is sent is always checked.
 * @param required - Authenticates every other request.
 */
export function callerOrLenient(
  required: MiddlewareHandler<Env>,
  limits: RateLimits,
  lenientClients: boolean,
  sessions: SessionCallers,
): MiddlewareHandler<Env> {
  return async (c, next) => {
    if ((lenientClients || c.get('isLenient') === true) && !sendsKey(c) && !sessions.isSent(c)) {
      await limits.open(c)
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
export function callerOrClientSecret(required: MiddlewareHandler<Env>, limits: RateLimits): MiddlewareHandler<Env> {
  return async (c, next) => {
    if (!sendsKey(c) && (await sendsClientSecret(c))) {
      await limits.open(c)
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
