import type { Context } from 'hono'
import { Hono } from 'hono'
import { callerWithoutKey } from '../access/context/caller.ts'
import type { Env } from '../access/context/env.ts'
import type { RateLimits } from '../access/limits/rate-limit.ts'
import { PaymentError } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import type { Runtime } from '../core/runtime.ts'
import type { Db } from '../db/db.ts'
import { writeJson } from './json-text.ts'
import { permits, type StorePermission } from './permissions.ts'
import { Refusal, refuse } from './refusal.ts'
import { findStoreKey, type StoreKey } from './store-key-store.ts'
import { hashOfKey } from './store-keys.ts'
import { createWrongKeys } from './wrong-keys.ts'

/** Longer than any key of this service. */
const keyLengthMax = 200

/** One Greenfield call. `permission` is null where any store key may make it. */
type Call = {
  method: 'get' | 'post' | 'put' | 'delete'
  path: string
  permission: StorePermission | null
}

/** Handles an authorized call. Returns the body of a 200, the only status that plug-ins take as success. */
type Handle = (c: Context<Env>, key: StoreKey) => Promise<unknown>

export type Door = {
  serve(call: Call, handle: Handle): void
  /** All served calls, so that a test can verify that each needs its permission. */
  readonly calls: readonly Call[]
}

type Deps = { db: Db; limits: RateLimits; log: Log; runtime: Pick<Runtime, 'nowMs'> }

/** The calls of plug-ins. Each declares its permission; without a key that has it the call is refused. */
export function openDoor({ db, limits, log, runtime }: Deps) {
  const app = new Hono<Env>()
  const calls: Call[] = []
  const wrongKeys = createWrongKeys({ db, limits, runtime })

  async function keyOf(c: Context<Env>): Promise<StoreKey> {
    const [, key = ''] = /^token\s+(\S+)$/i.exec(c.req.header('authorization') ?? '') ?? []
    const hash = key === '' || key.length > keyLengthMax ? null : hashOfKey(key)
    await wrongKeys.verify(c, hash)
    const known = hash === null ? undefined : await db.read((tx) => findStoreKey(tx, hash))
    if (known) return known
    await wrongKeys.count(c, hash)
    throw refuse(401, 'unauthenticated', 'Send the key of a paired store: Authorization: token KEY')
  }

  app.onError((error, c) => {
    if (error instanceof Refusal) return c.json(error.body, error.status)
    if (error instanceof PaymentError) {
      if (error.retryAfterSeconds !== undefined) c.header('Retry-After', String(error.retryAfterSeconds))
      const code = error.code.toLowerCase().replaceAll('_', '-')
      return c.json({ code, message: error.message }, error.status)
    }
    log.error({ err: error, path: c.req.path }, 'A store call failed')
    return c.json({ code: 'internal-error', message: 'The call failed; try again.' }, 500)
  })

  return {
    app,
    calls,
    /** Refuses every other call with 404. Call it last. */
    refuseOthers(): void {
      app.all('*', (c) => c.json({ code: 'not-found', message: 'This call is not supported.' }, 404))
    },
    serve(call, handle) {
      calls.push(call)
      app.on([call.method.toUpperCase()], [call.path], async (c) => {
        const key = await keyOf(c)
        const caller = await db.read((tx) => callerWithoutKey(tx, key.merchantId, { id: key.id, isTest: false }))
        c.set('caller', caller)
        await limits.called(c, caller)
        if (call.permission !== null && !permits(key.permissions, call.permission)) {
          const message = `Insufficient API permissions: this needs ${call.permission}`
          throw refuse(403, 'missing-permission', message, { missingPermission: call.permission })
        }
        const store = c.req.param('storeId')
        if (store !== undefined && store !== key.merchantId) {
          throw refuse(404, 'store-not-found', 'The store was not found')
        }
        return c.body(writeJson(await handle(c, key)), 200, { 'Content-Type': 'application/json' })
      })
    },
  } satisfies Door & { app: Hono<Env>; refuseOthers: () => void }
}
