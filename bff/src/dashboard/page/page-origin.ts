import type { Context } from 'hono'
import type { Env } from '../../access/context/env.ts'
import { PaymentError } from '../../core/errors.ts'

/** The origin of the dashboard's page, as the browser sees it. */
export type PageOrigin = {
  origin: string
  /** The domain to which passkeys are bound. */
  rpId: string
  /**
   * Starts with `__Host-` over https: the browser then accepts the cookie only from this host, over https, for all paths.
   * Browsers reject that prefix over plain http, which is only for `localhost`.
   */
  cookieName: string
  isSecure: boolean
}

const localHost = 'localhost'

function noPageOrigin(publicUrl: string | null): PaymentError {
  const where =
    publicUrl === null
      ? 'Set publicUrl in the configuration to the https address of this service'
      : `Open it at ${new URL(publicUrl).origin}`
  const message = `Passkeys work at the service's https address, and on http://localhost (not 127.0.0.1). ${where}.`
  return new PaymentError('DASHBOARD_ADDRESS', message)
}

const isIp = (host: string): boolean => host.startsWith('[') || /^[\d.]+$/.test(host)

/**
 * The dashboard's only origin: that of `publicUrl` if it is https with a host name; otherwise `http://localhost` at the requested
 * port, for a service on the visitor's own machine. A third-party page cannot choose another origin.
 * @throws {PaymentError} at any other address.
 */
export function createPageOrigin(publicUrl: string | null): (c: Context<Env>) => PageOrigin {
  const configured = publicUrl === null ? undefined : new URL(publicUrl)
  if (configured?.protocol === 'https:' && !isIp(configured.hostname)) {
    const { origin, hostname } = configured
    const page = { origin, rpId: hostname, cookieName: '__Host-checkout-session', isSecure: true }
    return () => page
  }
  return (c) => {
    const port = /^localhost(:\d{1,5})?$/i.exec(hostOf(c))
    if (!port) throw noPageOrigin(publicUrl)
    const origin = `http://${localHost}${port[1] ?? ''}`
    return { origin, rpId: localHost, cookieName: 'checkout-session', isSecure: false }
  }
}

const hostOf = (c: Context<Env>): string => c.req.header('host') ?? new URL(c.req.url).host

/** The `localhost` address to open instead of `127.0.0.1`; null for any other host. */
export function localhostInstead(c: Context<Env>): string | null {
  const local = /^(?:127\.0\.0\.1|\[::1\])(:\d{1,5})?$/.exec(hostOf(c))
  return local && `http://${localHost}${local[1] ?? ''}`
}

/**
 * Rejects requests sent by another site's page. A browser sends the page's origin with every write, and its relation to this host
 * with every request; in addition, the cookie is `SameSite=Strict`.
 * @throws {PaymentError}
 */
export function verifySameOrigin(c: Context<Env>, { origin }: PageOrigin): void {
  const isRead = c.req.method === 'GET' || c.req.method === 'HEAD'
  const from = c.req.header('origin')
  const site = c.req.header('sec-fetch-site')
  const isFromPage = from === undefined ? isRead : from === origin
  // `none`: the person entered the address, or opened a download from the page's own link.
  const isSameSite = site === undefined || site === 'same-origin' || (isRead && site === 'none')
  if (isFromPage && isSameSite) return
  throw new PaymentError('CROSS_ORIGIN', `The dashboard's session is accepted only for requests from ${origin}.`)
}
