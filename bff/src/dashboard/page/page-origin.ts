import type { Context } from 'hono'
import type { Env } from '../../access/context/env.ts'
import { PaymentError } from '../../core/errors.ts'

/** Where the dashboard's page is, as a browser names it. */
export type PageOrigin = {
  origin: string
  /** The domain that passkeys are bound to. */
  rpId: string
  /**
   * Begins with `__Host-` where the page came by https: the browser then takes the cookie from this host alone, over https, for all
   * paths. Over plain http, which is for `localhost` only, browsers refuse that prefix.
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
 * The one origin of the dashboard: that of `publicUrl`, where it is https and has a name. Else `http://localhost`, at the port that was
 * asked, for a service on the machine of whoever opens it. Nothing that a stranger's page can choose makes another origin.
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

/** Where `127.0.0.1` of this machine is to be opened instead; null for every other host. */
export function localhostInstead(c: Context<Env>): string | null {
  const local = /^(?:127\.0\.0\.1|\[::1\])(:\d{1,5})?$/.exec(hostOf(c))
  return local && `http://${localHost}${local[1] ?? ''}`
}

/**
 * Refuses what another site's page had the browser send. A browser names the page's origin with every write, and its relation to this
 * host with every request; beside it the cookie is `SameSite=Strict`.
 * @throws {PaymentError}
 */
export function verifySameOrigin(c: Context<Env>, { origin }: PageOrigin): void {
  const isRead = c.req.method === 'GET' || c.req.method === 'HEAD'
  const from = c.req.header('origin')
  const site = c.req.header('sec-fetch-site')
  const isFromPage = from === undefined ? isRead : from === origin
  // `none`: the person typed the address, or opened a download from the page's own link.
  const isSameSite = site === undefined || site === 'same-origin' || (isRead && site === 'none')
  if (isFromPage && isSameSite) return
  throw new PaymentError('CROSS_ORIGIN', `The dashboard's session is accepted only for requests from ${origin}.`)
}
