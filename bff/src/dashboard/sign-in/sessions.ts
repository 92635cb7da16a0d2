import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { SessionCallers } from '../../access/callers/authenticate.ts'
import { type Caller, callerWithoutKey, type Role } from '../../access/context/caller.ts'
import { type Env, setHeader } from '../../access/context/env.ts'
import type { Declared } from '../../access/context/operation.ts'
import { linkReaders } from '../../access/context/seen-by.ts'
import { limitedJson } from '../../access/http/body-limit.ts'
import type { ClientAddress } from '../../access/http/client-address.ts'
import { PaymentError } from '../../core/errors.ts'
import type { Log } from '../../core/log.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { Db, Tx } from '../../db/db.ts'
import { createChangeRecorder } from '../audit/change-recorder.ts'
import { hideLinkIds } from '../hide-link-ids.ts'
import { type PageOrigin, verifySameOrigin } from '../page/page-origin.ts'
import { allows } from '../roles.ts'
import { type Passkeys, sha256 } from './passkeys.ts'
import { loadPasskeys } from './people-store.ts'
import { passkeyRefused } from './registrations.ts'
import { endSession, insertSession, isSessionGood, loadSession, type SessionRow } from './session-store.ts'
import { assertionJson } from './webauthn-schemas.ts'

/** A working day; then the person signs in again. */
const sessionHours = 12
const sessionMs = sessionHours * 3_600_000
const tokenBytes = 32
/** Cookies of another length are not from this service. */
const tokenLength = 43
/** Characters of a browser's name: enough to distinguish two. */
const browserMax = 200

/** Selects live or test payments; live if absent. */
const modeHeader = 'X-Mode'
/** The assertion that signs this request, as base64url of its JSON. */
const confirmationHeader = 'X-Confirmation'

export const sessionEnded = () =>
  new PaymentError('SESSION_ENDED', 'The session has ended: sign in to the dashboard again.')

function roleRefused(role: Role, needed: Role | 'none'): PaymentError {
  const message =
    needed === 'none'
      ? 'This call requires an API key; a session may not make it.'
      : `This needs the role ${needed}; yours is ${role}.`
  return new PaymentError('ROLE_NOT_ALLOWED', message)
}

type Deps = {
  db: Db
  runtime: Runtime
  passkeys: Passkeys
  pageOf: (c: Context<Env>) => PageOrigin
  addressOf: ClientAddress
  log: Log
}

export type Sessions = ReturnType<typeof createSessions>

/** Sessions of the dashboard: a random token in a cookie; the database stores only its hash. */
export function createSessions({ db, runtime, passkeys, pageOf, addressOf, log }: Deps) {
  const recordChange = createChangeRecorder({ db, runtime, log })
  const tokenOf = (c: Context<Env>, page: PageOrigin): string | undefined => getCookie(c, page.cookieName)

  const cookie = ({ isSecure }: PageOrigin) =>
    ({ path: '/', httpOnly: true, sameSite: 'Strict', secure: isSecure }) as const

  async function find(c: Context<Env>, page: PageOrigin): Promise<SessionRow | undefined> {
    const token = tokenOf(c, page)
    if (token?.length !== tokenLength) return undefined
    return await db.read((tx) => loadSession(tx, sha256(token), runtime.nowMs()))
  }

  const clientOf = (c: Context<Env>) => ({
    address: addressOf(c),
    browser: (c.req.header('user-agent') ?? '').replaceAll('\0', '').slice(0, browserMax),
  })

  /** Verifies that the person has signed exactly this request of this session, and uses up the signature. */
  async function verifyConfirmation(c: Context<Env>, page: PageOrigin, session: SessionRow, { passkey }: Declared) {
    const header = c.req.header(confirmationHeader)
    if (header === undefined) {
      const isFirst = passkey === 'ifAny' && (await db.read((tx) => loadPasskeys(tx, session.personId))).length === 0
      if (isFirst) return
      const message = `Sign this change with your passkey: POST /dashboard/confirmations, then repeat it with the header ${confirmationHeader}.`
      throw new PaymentError('CONFIRMATION_REQUIRED', message)
    }
    const body = c.get('textAsSent') ?? (await c.req.text())
    const asked = { method: c.req.method, path: pathOf(c), body, mode: modeOf(c) }
    const response = readAssertion(header)
    const assertion = await passkeys.verifyAssertion(page, 'confirmation', bindingOf(session.id, asked), response)
    if (assertion.passkey.personId !== session.personId) throw passkeyRefused()
    await db.write(async (tx) => {
      // The role may have changed since the request began.
      if (!(await isSessionGood(tx, session, runtime.nowMs()))) throw sessionEnded()
      await passkeys.use(tx, assertion)
    })
  }

  const callers: SessionCallers = {
    isSent(c) {
      try {
        return tokenOf(c, pageOf(c)) !== undefined
      } catch {
        return false
      }
    },
    async callerOf(c) {
      const page = pageOf(c)
      verifySameOrigin(c, page)
      const session = await find(c, page)
      if (!session) {
        deleteCookie(c, page.cookieName, cookie(page))
        throw sessionEnded()
      }
      const operation = c.get('operation')
      const { role: needed = 'none' } = operation
      if (!allows(needed, session.role)) throw roleRefused(session.role, needed)
      if (await asksForPasskey(c, operation)) await verifyConfirmation(c, page, session, operation)
      setHeader(c, 'Cache-Control', 'no-store')
      const { address } = clientOf(c)
      const isTest = (modeOf(c) ?? c.req.query('mode')) === 'test'
      const { merchantId, personId, personName, role, id, endsAtMs } = session
      const asCaller = { id: `person ${personId}`, isTest }
      const caller: Caller = await db.read((tx) => callerWithoutKey(tx, merchantId, asCaller))
      return { ...caller, session: { id, personId, personName, role, endsAtMs, address } }
    },
    isGood: (session) => db.read((tx) => isSessionGood(tx, session, runtime.nowMs())),
    verifyOwnPage(c) {
      verifySameOrigin(c, pageOf(c))
      setHeader(c, 'Cache-Control', 'no-store')
    },
    async runRecorded(c, { merchantId, session }, handler) {
      const action = c.get('operation').audit
      if (action === undefined || session === undefined) await handler()
      else await recordChange(c, { merchantId, ...session }, { action, path: pathOf(c) }, handler)
      if (session && !linkReaders.includes(session.role)) c.res = await hideLinkIds(c.res)
    },
  }

  return {
    callers,

    /**
     * Starts a session in the commit that accepts a passkey. The token is always new, whatever cookie was sent, so that nobody
     * can choose it in advance.
     * @returns a function that sets the cookie, to call after the commit.
     */
    async start(tx: Tx, c: Context<Env>, personId: string): Promise<() => void> {
      const page = pageOf(c)
      const token = Buffer.from(runtime.randomBytes(tokenBytes)).toString('base64url')
      const nowMs = runtime.nowMs()
      const ends = { createdAtMs: nowMs, endsAtMs: nowMs + sessionMs }
      await insertSession(tx, { id: runtime.newUuid(), tokenSha256: sha256(token), personId, ...ends, ...clientOf(c) })
      return () => setCookie(c, page.cookieName, token, { ...cookie(page), maxAge: sessionMs / 1000 })
    },

    async end(c: Context<Env>): Promise<void> {
      const page = pageOf(c)
      const session = await find(c, page)
      if (session) await db.write((tx) => endSession(tx, session.merchantId, session.id, runtime.nowMs()))
      deleteCookie(c, page.cookieName, cookie(page))
    },
  }
}

/** A request to sign. `mode`: the header that selects live or test payments. */
type Signed = { method: string; path: string; body: string; mode: string | undefined }

/** What a confirmation signs: one request of one session, with its exact body, for live or test payments. */
export const bindingOf = (sessionId: string, { method, path, body, mode }: Signed) =>
  JSON.stringify([sessionId, method.toUpperCase(), path, sha256(body), mode ?? ''])

export const modeOf = (c: Context<Env>): string | undefined => c.req.header(modeHeader)

async function asksForPasskey(c: Context<Env>, { passkey }: Declared): Promise<boolean> {
  if (passkey !== 'ifCallback') return passkey !== undefined
  const body = await limitedJson(c)
  return typeof body === 'object' && body !== null && 'callbackUrl' in body
}

const withoutPrefix = (path: string): string => path.replace(/^\/api(\/v1)?(?=\/)/, '')

/** The path with its query, the same under both prefixes. */
function pathOf(c: Context<Env>): string {
  const { pathname, search } = new URL(c.req.url)
  return withoutPrefix(pathname) + search
}

/** @throws {PaymentError} PASSKEY_REFUSED if it is not an assertion. */
function readAssertion(header: string): AuthenticationResponseJSON {
  try {
    return assertionJson.parse(
      JSON.parse(Buffer.from(header, 'base64url').toString('utf8')),
    ) as AuthenticationResponseJSON
  } catch {
    throw passkeyRefused()
  }
}
