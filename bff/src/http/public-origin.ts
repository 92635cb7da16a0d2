import type { Context, MiddlewareHandler } from 'hono'
import { createProxyTrust } from './client-address.ts'
import type { Env } from './env.ts'

/** A name or an address, with a port perhaps: what may stand in a URL that we make. */
const hostPattern = /^(?:[a-z0-9][a-z0-9.-]{0,252}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i

/**
 * Sets `origin`: where the caller reaches this service, without a slash at its end. The configured `publicUrl` where there is
 * one. Else the request's own scheme and host; where the socket is a proxy of ours, what it says by X-Forwarded-Proto and
 * X-Forwarded-Host. Null for a Host header that is no host.
 * @param trustedProxies - As for `createClientAddress`.
 */
export function publicOrigin(publicUrl: string | null, trustedProxies: readonly string[]): MiddlewareHandler<Env> {
  const isTrusted = createProxyTrust(trustedProxies)

  function originOf(c: Context<Env>): string | null {
    const forwarded = (name: string) => (isTrusted(c) ? c.req.header(name)?.split(',').at(-1)?.trim() : undefined)
    const host = forwarded('x-forwarded-host') ?? c.req.header('host') ?? new URL(c.req.url).host
    const scheme = forwarded('x-forwarded-proto') === 'https' ? 'https' : 'http'
    return hostPattern.test(host) ? `${scheme}://${host.toLowerCase()}` : null
  }

  return (c, next) => {
    c.set('origin', publicUrl ?? originOf(c))
    return next()
  }
}
