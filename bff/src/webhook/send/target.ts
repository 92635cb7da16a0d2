import { promises as dns, type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { ValidationError } from '../../core/errors.ts'
import { isPublicAddress } from './public-address.ts'

/** Where webhooks may be posted: to these ports of the public internet over https, or (for development) anywhere. */
export type Targets = { readonly ports: readonly number[] } | 'any'

/** The port of https and its usual alternative. On any other port there may be a service that does not expect webhooks. */
export const webhookPortsDefault: readonly number[] = [443, 8443]

const httpsPort = 443

/** Longer than any real callback URL. */
const urlCharsMax = 2_048

/** For one DNS lookup with all retries. Where a receiver's name server does not respond, c-ares would wait 80 s. */
const dnsTimeoutMs = 5_000
const dnsTries = 2

/** DNS, connection and TLS together: shorter than an attempt, so that the log distinguishes an unreachable host from a slow one. */
const connectTimeoutMs = 10_000

/** Node's default of 250 ms for each address is too short for a distant receiver. */
const addressTimeoutMs = 2_000

/** The receiver is not on the public internet, or its URL is not allowed. */
export class TargetRefusedError extends Error {}

export type GuardOptions = {
  /** All addresses of a name. */
  resolve?: (hostname: string) => Promise<LookupAddress[]>
  isAllowed?: (address: string) => boolean
}

/** A hint for developers whose shop runs on the same machine. */
const development =
  '(for development, the setting webhookTargets "any" of the service allows http and private addresses)'

/**
 * Why this URL is refused, as the end of a sentence; undefined when webhooks may be posted to it. Checked when a URL is set and
 * before each attempt. The addresses of a name are checked when connecting, because they can change.
 */
export function targetFault(text: string, targets: Targets): string | undefined {
  if (text.length > urlCharsMax) return `must have at most ${urlCharsMax} characters`
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url) return 'must be an absolute URL'
  if (targets === 'any') return /^https?:$/.test(url.protocol) ? undefined : 'must begin with https:// or http://'
  if (url.protocol !== 'https:') return `must begin with https:// ${development}`
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
  // The URL parser has already turned decimal, octal, hex and short notations into the dotted form.
  const host = bareHost(url.hostname)
  if (isIP(host) > 0 ? !isPublicAddress(host) : /(^|\.)localhost\.?$/.test(host))
    return `must be on the public internet ${development}`
  if (!targets.ports.includes(Number(url.port || httpsPort))) {
    return `must have one of the ports ${targets.ports.join(', ')} (the setting webhookPorts of the service)`
  }
  return undefined
}

/** @throws {ValidationError} when webhooks may not be posted to the URL. */
export function verifyTarget(field: 'callbackUrl' | 'url', url: string | null | undefined, targets: Targets): void {
  const fault = url == null ? undefined : targetFault(url, targets)
  if (fault !== undefined) throw new ValidationError(`${field} ${fault}`)
}

/**
 * Kept-alive connections to all receivers, guarded when only public targets are allowed. The number of connections is not
 * limited here, because the dispatcher limits the requests, and two receivers at one origin must not wait for each other.
 */
export function createTargetAgent(targets: Targets, guard: GuardOptions = {}): Agent {
  const options = {
    timeout: connectTimeoutMs,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: addressTimeoutMs,
  }
  return new Agent({
    pipelining: 1,
    connect: targets === 'any' ? buildConnector(options) : guardedConnector(options, guard),
  })
}

/**
 * Checks the address three times: an IP literal before connecting, which needs no lookup; every address of a name in the same
 * lookup that the connection uses, so that a second lookup cannot differ; and the socket's remote address before any HTTP is sent.
 */
function guardedConnector(
  options: buildConnector.BuildOptions,
  { resolve = resolveAddresses, isAllowed = isPublicAddress }: GuardOptions,
): buildConnector.connector {
  const connect = buildConnector({ ...options, lookup: vettedLookup(resolve, isAllowed) })
  return (target, callback) => {
    const host = bareHost(target.hostname)
    if (isIP(host) > 0 && !isAllowed(host)) {
      queueMicrotask(() => callback(refused(host, host), null))
      return
    }
    connect(target, (...[error, socket]) => {
      if (error) return callback(error, null)
      const address = socket.remoteAddress ?? 'an unknown address'
      if (isAllowed(address)) return callback(null, socket)
      socket.destroy()
      callback(refused(host, address), null)
    })
  }
}

function vettedLookup(
  resolve: NonNullable<GuardOptions['resolve']>,
  isAllowed: NonNullable<GuardOptions['isAllowed']>,
): LookupFunction {
  return (hostname, { all }, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses
        const bad = addresses.find(({ address }) => !isAllowed(address))
        if (bad) callback(refused(hostname, bad.address), '')
        else if (!first) callback(refused(hostname, 'no address'), '')
        else if (all) callback(null, addresses)
        else callback(null, first.address, first.family)
      },
      (error: Error) => callback(error, ''),
    )
  }
}

/**
 * Asks the name servers, not the operating system: `getaddrinfo` has no timeout and runs on four threads that the whole
 * process shares, so four names with a hanging server would stop every other webhook. It also reads `/etc/hosts`, where no
 * public receiver is.
 * @throws {Error} when no address was found within 5 s.
 */
export async function resolveAddresses(
  hostname: string,
  { servers, timeoutMs = dnsTimeoutMs }: { servers?: string[]; timeoutMs?: number } = {},
): Promise<LookupAddress[]> {
  const resolver = new dns.Resolver({ timeout: timeoutMs / dnsTries, tries: dnsTries })
  if (servers) resolver.setServers(servers)
  const timer = setTimeout(() => resolver.cancel(), timeoutMs)
  try {
    const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const addresses = [...found(ipv4, 4), ...found(ipv6, 6)]
    if (addresses.length === 0 && ipv4.status === 'rejected') throw ipv4.reason
    return addresses
  } finally {
    clearTimeout(timer)
  }
}

function found(result: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : []
}

const bareHost = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1')

const refused = (host: string, address: string) =>
  new TargetRefusedError(`${host} is not on the public internet: ${address}.`)
