import { createHmac } from 'node:crypto'
import { BlockList, isIP, isIPv4 } from 'node:net'
import type { Context, MiddlewareHandler } from 'hono'
import type { Vault } from '../../db/vault.ts'
import type { Env } from '../context/env.ts'

/** More proxies than any real chain has; a longer header is forged. */
const hopsMax = 10

/** A test calls the application without a socket. */
const noSocket = 'none'

export type ClientAddress = (c: Context<Env>) => string

/**
 * The client's address: the socket's or, behind trusted proxies, the last address in X-Forwarded-For that is not a trusted
 * proxy. Addresses further left were written by the client and prove nothing.
 * @param trustedProxies - Addresses, or networks such as `10.0.0.0/8`; validated by the configuration.
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const isTrusted = createAddressTrust(trustedProxies)

  return (c) => {
    const socket = socketAddress(c)
    if (!isTrusted(socket)) return countedAddress(socket)
    const hops = (c.req.header('x-forwarded-for') ?? '').split(',').slice(-hopsMax).reverse()
    let nearest = socket
    for (const text of hops) {
      const hop = plain(text)
      if (isIP(hop) === 0) break
      nearest = hop
      if (!isTrusted(hop)) break
    }
    return countedAddress(nearest)
  }
}

/** Whether the socket is a trusted proxy, whose X-Forwarded headers are used. */
function createProxyTrust(trustedProxies: readonly string[]): (c: Context<Env>) => boolean {
  const isTrusted = createAddressTrust(trustedProxies)
  return (c) => isTrusted(socketAddress(c))
}

const socketAddress = (c: Context<Env>): string => plain(c.env?.incoming?.socket.remoteAddress ?? noSocket)

/** Whether an address, in the form of `plain`, is one of a trusted proxy. */
export function createAddressTrust(trustedProxies: readonly string[]): (address: string) => boolean {
  const trusted = new BlockList()
  for (const text of trustedProxies) {
    const [address = '', bits] = text.split('/')
    const version = isIPv4(address) ? 'ipv4' : 'ipv6'
    if (bits === undefined) trusted.addAddress(address, version)
    else trusted.addSubnet(address, Number(bits), version)
  }
  return (address) =>
    trustedProxies.length > 0 && isIP(address) !== 0 && trusted.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
}

/** The base64url characters of a stored digest: 144 bits, so that no two addresses share one. */
const digestChars = 24

/**
 * A keyed digest of a client's address. It distinguishes clients, but a copy of the database does not reveal the addresses of
 * the merchant's customers.
 */
export function createClientDigest(vault: Vault): (address: string) => string {
  const key = vault.derive('addresses of clients')
  return (address) => createHmac('sha256', key).update(address).digest('base64url').slice(0, digestChars)
}

/** The characters for each half of a digest that also identifies the network: 72 bits. */
export const networkDigestChars = digestChars / 2

/** A digest that begins with that of the client's network: an IPv4 address, or an IPv6 /48, all of which one client may have. */
export const digestWithNetwork = (digest: (address: string) => string, address: string): string =>
  digest(networkOf(address)).slice(0, networkDigestChars) + digest(address).slice(0, networkDigestChars)

/** The part of such a digest that identifies the network, for shares of which a stranger must not have many. */
export const networkOfDigest = (client: string | null): string | null => client?.slice(0, networkDigestChars) ?? null

/** The /48 of an IPv6 address; an IPv4 address unchanged. @param address - In the form of `countedAddress`. */
export function networkOf(address: string): string {
  return address.endsWith('::/64') ? `${address.split(':').slice(0, 3).join(':')}::/48` : address
}

/** Some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const withoutPort = (hop: string): string => hop.trim().replace(/^(?:\[(.*)\]|(\d+(?:\.\d+){3}))(?::\d+)?$/, '$1$2')

/** Without a port; an IPv4 address also where a socket of both families shows it as `::ffff:192.0.2.1`. */
export const plain = (address: string): string => withoutPort(address).replace(/^::ffff:(?=\d+\.)/i, '')

/** A customer has a whole IPv6 /64, which therefore counts as one address. Other text stays unchanged. */
export function countedAddress(text: string): string {
  const address = plain(text)
  if (isIP(address) !== 6) return address
  const [left = '', right] = address.split('::')
  const head = left === '' ? [] : left.split(':')
  const tail = right === undefined || right === '' ? [] : right.split(':')
  const zeros = right === undefined ? 0 : Math.max(0, 8 - head.length - tail.length)
  const groups = [...head, ...Array.from({ length: zeros }, () => '0'), ...tail]
  const prefix = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${prefix.join(':')}::/64`
}

/** Whether the text is an address, or a network with its number of bits. */
export function isAddressOrNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

/** A host name or address with an optional port, safe to use in a URL. */
const hostPattern = /^(?:[a-z0-9][a-z0-9.-]{0,252}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i

/**
 * Sets `origin`: where the caller reaches this service, without a trailing slash. The configured `publicUrl` if there is one.
 * Otherwise the request's own scheme and host or, behind a trusted proxy, X-Forwarded-Proto and X-Forwarded-Host. Null when the
 * Host header is invalid.
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
