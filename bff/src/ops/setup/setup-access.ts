import { createHash, timingSafeEqual } from 'node:crypto'
import type { Runtime } from '../../core/runtime.ts'
import type { PageOrigin } from '../../dashboard/page/page-origin.ts'
import { SetupRefusal } from './setup-refusal.ts'

/** 256 bits, so that nobody can guess the token. */
const tokenBytes = 32

export const linkMs = 60 * 60_000

/** A working day, like the dashboard's sessions. */
export const sessionSeconds = 12 * 60 * 60

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * The link that is printed once, and the one browser that opened it. Both are only in memory: a new link needs a restart. Only whoever
 * presents the right token learns whether it was used or has ended.
 */
export function createSetupAccess({ nowMs, randomBytes }: Pick<Runtime, 'nowMs' | 'randomBytes'>) {
  const newToken = () => Buffer.from(randomBytes(tokenBytes)).toString('base64url')
  const token = newToken()
  const tokenHash = sha256(token)
  const endsAtMs = nowMs() + linkMs
  let session: { hash: Buffer; page: PageOrigin; endsAtMs: number } | null = null

  const isToken = (candidate: string): boolean => timingSafeEqual(sha256(candidate), tokenHash)

  /** The session that one of the cookies proves; null when none does. It may have ended. */
  function sessionOf(cookieNamed: (name: string) => string | undefined) {
    const secret = session && cookieNamed(session.page.cookieName)
    return session && secret && timingSafeEqual(sha256(secret), session.hash) ? session : null
  }

  return {
    token,
    endsAtMs,
    isToken,
    isOpenTo: (cookieNamed: (name: string) => string | undefined): boolean => sessionOf(cookieNamed) !== null,
    wasUsed: () => session !== null,

    /**
     * Binds the set-up to the first browser.
     * @returns the secret for its cookie.
     * @throws {SetupRefusal}
     */
    open(candidate: string, page: PageOrigin): string {
      if (!isToken(candidate)) throw new SetupRefusal('LINK_REFUSED')
      if (session !== null) throw new SetupRefusal('LINK_USED')
      if (nowMs() >= endsAtMs) throw new SetupRefusal('LINK_ENDED')
      const secret = newToken()
      session = { hash: sha256(secret), page, endsAtMs: nowMs() + sessionSeconds * 1000 }
      return secret
    },

    /**
     * The page of the browser that opened the link, proven by one of its cookies.
     * @throws {SetupRefusal}
     */
    pageOf(cookieNamed: (name: string) => string | undefined): PageOrigin {
      const own = sessionOf(cookieNamed)
      if (!own) throw new SetupRefusal('NO_SESSION')
      if (nowMs() >= own.endsAtMs) throw new SetupRefusal('LINK_ENDED')
      return own.page
    },
  }
}

export type SetupAccess = ReturnType<typeof createSetupAccess>

/**
 * The page's address in the browser, as its requests name it: passkeys need https with a name, or `localhost`. A stranger's page that
 * reaches this process under its own name by DNS is neither, unless it has a certificate.
 * @throws {SetupRefusal}
 */
export function setupPageOf(origin: string | undefined, host: string | undefined): PageOrigin {
  const url = origin !== undefined && URL.canParse(origin) ? new URL(origin) : null
  if (!url || url.origin !== origin || url.host !== host?.toLowerCase()) throw new SetupRefusal('ADDRESS')
  const rpId = url.hostname
  if (url.protocol === 'https:' && !/^[\d.]+$|^\[/.test(rpId)) {
    return { origin, rpId, cookieName: '__Host-checkout-setup', isSecure: true }
  }
  if (url.protocol === 'http:' && rpId === 'localhost') {
    return { origin, rpId, cookieName: 'checkout-setup', isSecure: false }
  }
  throw new SetupRefusal('ADDRESS')
}
