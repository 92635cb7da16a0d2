import { bad, type Finding, type Found, found, good, warning } from '../../core/finding.ts'
import { instanceHeader } from '../../system/instance.ts'
import { type Probed, probe } from './probe.ts'

/** ACME clients renew thirty days before expiry: with two weeks left, renewal has been failing for two weeks. */
const certificateDaysMin = 14
const dayMs = 24 * 60 * 60 * 1000

/** A shop's origin, which differs from the service's. */
const origin = 'https://shop.example'

type Asked = {
  /** The URL for customers; null: not configured. */
  publicUrl: string | null
  /** The address the service listens on. */
  ownUrl: string
  trustedProxies: readonly string[]
  nowMs: () => number
  /** The processes on the configured database, by their ids in `/api/health`; null: the database was not read. */
  instances: ReadonlySet<string> | null
  /** For tests: a certificate authority, as PEM. */
  ca?: string | undefined
}

/** Calls the running service as a browser does, at the URL for customers. */
export async function examineService({
  publicUrl,
  ownUrl,
  trustedProxies,
  nowMs,
  instances,
  ca,
}: Asked): Promise<Finding[]> {
  const url = (publicUrl ?? ownUrl).replace(/\/+$/, '')
  let health: Probed
  try {
    health = await probe(`${url}/api/health`, { ca })
  } catch (error) {
    return [unreachable(url, publicUrl !== null, error)]
  }
  if (health.status !== 200 || health.headers['x-api-version'] === undefined) {
    const { status } = health
    const says = `responds ${status}, unlike this service`
    if (publicUrl === null) return [stranger(found('service.stranger', status), url, says)]
    const fix =
      'Configure the proxy to forward /api without a redirect: browsers do not follow redirects of preflights.'
    return [bad(found('public url.stranger', status), url, says, fix)]
  }
  const instance = String(health.headers[instanceHeader.toLowerCase()] ?? '')
  if (instances !== null && !instances.has(instance)) {
    const says = 'is a stablecoin-checkout service with another database'
    if (publicUrl === null) return [stranger(found('service.other'), url, says)]
    const fix = 'Start this service, and configure the proxy to forward to its port.'
    return [bad('public url.other', url, says, fix)]
  }
  return [
    good('public url.good', url, 'is this service'),
    ...examineTls(url, publicUrl, health, nowMs()),
    ...(await examineCors(url, ca)),
    ...examineProxies(publicUrl, ownUrl, trustedProxies),
  ]
}

/** The finding for another program on the port of this service. */
const stranger = (what: Found, url: string, says: string): Finding =>
  bad(what, url, says, 'Stop that program, or set another "port" in the configuration, and start this service.')

function unreachable(url: string, isPublic: boolean, error: unknown): Finding {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no answer'
  if (/CERT|SIGNED|SSL|TLS|ALTNAME/.test(code)) {
    const fix = 'Renew it for this name, including all intermediate certificates.'
    return bad(found('tls.certificate', code), url, `has a certificate that browsers refuse (${code})`, fix)
  }
  if (isPublic) {
    const fix = 'Check that the service runs, that the name resolves to this machine, and that the port is open.'
    return bad(found('public url.unreachable', code), url, `cannot be reached (${code})`, fix)
  }
  const says = `is not running (${code}): the browser's view was not checked`
  return warning(found('service.stopped', code), url, says, 'Start it and run doctor again.')
}

function examineTls(url: string, publicUrl: string | null, { certificateEndsMs }: Probed, nowMs: number): Finding[] {
  if (publicUrl === null) {
    const fix = 'Set publicUrl in the configuration to the https URL for customers, and run doctor again.'
    return [warning('tls.unset', url, 'publicUrl is not set: the URL for customers was not checked', fix)]
  }
  if (certificateEndsMs === null) {
    const fix = 'Put a proxy with TLS in front, such as Caddy.'
    return [bad('tls.plain', url, 'is not https: browsers refuse calls from a shop’s page', fix)]
  }
  const days = Math.floor((certificateEndsMs - nowMs) / dayMs)
  const says = `the certificate is valid for ${days} more days`
  if (days >= certificateDaysMin) return [good(found('tls.good', days), url, says)]
  return [warning(found('tls.ending', days), url, says, 'Renew it: an automatic renewal is overdue.')]
}

const listOf = (headers: Probed['headers'], name: string): string[] =>
  String(headers[name] ?? '')
    .toLowerCase()
    .split(/[\s,]+/)

/** Whether a page of another site may read the response. */
function isReadable(headers: Probed['headers']): boolean {
  const origins = listOf(headers, 'access-control-allow-origin')
  return origins.length === 1 && (origins[0] === '*' || origins[0] === origin)
}

/** Sends a browser's preflight, and checks the response headers. */
async function examineCors(url: string, ca: string | undefined): Promise<Finding[]> {
  const preflightFor = (requested: string) =>
    probe(`${url}/api/v1/deposits/create`, {
      ca,
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': requested },
    })
  const fix =
    "Configure the proxy to forward OPTIONS and the service's Access-Control-* headers unchanged, and to add none."
  const fault = (what: Found, says: string) => [bad(what, url, says, fix)]
  const needed = ['content-type', 'idempotency-key', 'x-public-key']
  const { status, headers } = await preflightFor(needed.join(','))
  if (status < 200 || status > 299)
    return fault(found('cors.preflight', status), `responds to a browser's preflight with ${status}`)
  if (!isReadable(headers)) {
    const origins = listOf(headers, 'access-control-allow-origin').join(', ')
    return fault(found('cors.origins'), `does not allow pages of other sites to call it (${origins || 'no header'})`)
  }
  const allowed = listOf(headers, 'access-control-allow-headers')
  const missing = needed.filter((name) => !allowed.includes(name))
  const names = missing.join(', ')
  if (missing.length > 0) return fault(found('cors.headers', names), `refuses the headers ${names} of a page`)
  const response = await probe(`${url}/api/health`, { ca, headers: { origin } })
  if (!isReadable(response.headers))
    return fault(found('cors.response'), 'responds with a missing or duplicate Access-Control-Allow-Origin header')
  const secret = listOf((await preflightFor('x-api-secret')).headers, 'access-control-allow-headers')
  if (['x-api-key', 'x-api-secret', '*'].some((name) => secret.includes(name))) {
    return fault(found('cors.secret'), 'allows pages to send API key and secret, which must stay on a server')
  }
  return [good('cors.good', url, 'allows pages of any site to call it with a public key, and none with a secret')]
}

function examineProxies(publicUrl: string | null, ownUrl: string, trustedProxies: readonly string[]): Finding[] {
  if (publicUrl === null || trustedProxies.length > 0 || new URL(publicUrl).host === new URL(ownUrl).host) return []
  const fix = 'Set trustedProxies to the proxy\'s address, such as ["127.0.0.1"].'
  return [
    warning('proxy.untrusted', publicUrl, 'no proxy is trusted, so the rate limits count all customers as one', fix),
  ]
}
