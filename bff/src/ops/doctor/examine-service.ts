import { bad, type Finding, good, warning } from './finding.ts'
import { type Probed, probe } from './probe.ts'

/** Renewal by ACME happens thirty days before the end; at two weeks it has failed for long. */
const certificateDaysMin = 14
const dayMs = 24 * 60 * 60 * 1000

/** A shop on another origin than the service. */
const origin = 'https://shop.example'

type Asked = {
  /** Where customers reach it; null: not said. */
  publicUrl: string | null
  /** Where it listens. */
  ownUrl: string
  trustedProxies: readonly string[]
  nowMs: () => number
  /** A certificate authority of one's own, as PEM. */
  ca?: string | undefined
}

/** Looks at the running service as a browser does, from where customers reach it. */
export async function examineService({ publicUrl, ownUrl, trustedProxies, nowMs, ca }: Asked): Promise<Finding[]> {
  const url = (publicUrl ?? ownUrl).replace(/\/+$/, '')
  let health: Probed
  try {
    health = await probe(`${url}/api/health`, { ca })
  } catch (error) {
    return [unreachable(url, publicUrl !== null, error)]
  }
  if (health.status !== 200 || health.headers['x-api-version'] === undefined) {
    const says = `answers with ${health.status}, and not as this service does`
    return [
      bad(
        'public url',
        url,
        says,
        'Does the proxy pass /api to the service? A redirect does not count: customers’ calls fail by it.',
      ),
    ]
  }
  return [
    good('public url', url, 'is this service'),
    ...examineTls(url, publicUrl, health, nowMs()),
    ...(await examineCors(url, ca)),
    ...examineProxies(publicUrl, ownUrl, trustedProxies),
  ]
}

function unreachable(url: string, isPublic: boolean, error: unknown): Finding {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no answer'
  if (/CERT|SIGNED|SSL|TLS|ALTNAME/.test(code)) {
    return bad(
      'tls',
      url,
      `has a certificate that browsers refuse (${code})`,
      'Renew it, for this name, with all its intermediates.',
    )
  }
  if (isPublic) {
    return bad(
      'public url',
      url,
      `cannot be reached (${code})`,
      'Is the service running, does the name lead here, is the port open?',
    )
  }
  return warning(
    'service',
    url,
    `is not running (${code}): what browsers see was not checked`,
    'Start it and run this again.',
  )
}

function examineTls(url: string, publicUrl: string | null, { certificateEndsMs }: Probed, nowMs: number): Finding[] {
  if (publicUrl === null) {
    const fix = 'Set publicUrl in the configuration to the https address that customers reach, and run this again.'
    return [warning('tls', url, 'publicUrl is not set: what customers reach was not checked', fix)]
  }
  if (certificateEndsMs === null) {
    return [
      bad(
        'tls',
        url,
        'is not https: a page of a shop may not call it',
        'Put a proxy with TLS in front, such as Caddy.',
      ),
    ]
  }
  const days = Math.floor((certificateEndsMs - nowMs) / dayMs)
  const says = `the certificate is good for ${days} more days`
  if (days >= certificateDaysMin) return [good('tls', url, says)]
  return [warning('tls', url, says, 'Renew it: a renewal that runs by itself would have done so by now.')]
}

const allowed = (headers: Probed['headers'], name: string): string[] =>
  String(headers[name] ?? '')
    .toLowerCase()
    .split(/[\s,]+/)

/** What a browser asks before a page's call goes out, and what it looks for in the answer. */
async function examineCors(url: string, ca: string | undefined): Promise<Finding[]> {
  const ask = (requested: string) =>
    probe(`${url}/api/v1/deposits/create`, {
      ca,
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': requested },
    })
  const fix = 'Let the proxy pass OPTIONS and the Access-Control-* headers of the service as they are, and add none.'
  const preflight = await ask('content-type,idempotency-key,x-public-key')
  const origins = allowed(preflight.headers, 'access-control-allow-origin')
  const missing = ['content-type', 'idempotency-key', 'x-public-key'].filter(
    (name) => !allowed(preflight.headers, 'access-control-allow-headers').includes(name),
  )
  if (preflight.status < 200 || preflight.status > 299) {
    return [bad('cors', url, `answers a browser's preflight with ${preflight.status}`, fix)]
  }
  if (origins.length !== 1 || (origins[0] !== '*' && origins[0] !== origin)) {
    return [bad('cors', url, `does not let pages of other sites call it (${origins.join(', ') || 'no header'})`, fix)]
  }
  if (missing.length > 0) return [bad('cors', url, `refuses the headers ${missing.join(', ')} of a page`, fix)]
  const secret = await ask('x-api-secret')
  const leaks = ['x-api-key', 'x-api-secret', '*'].some((name) =>
    allowed(secret.headers, 'access-control-allow-headers').includes(name),
  )
  const answer = await probe(`${url}/api/health`, { ca, headers: { origin } })
  const answered = allowed(answer.headers, 'access-control-allow-origin')
  if (answered.length !== 1 || (answered[0] !== '*' && answered[0] !== origin)) {
    return [bad('cors', url, 'answers without the header that lets a page read it, or with two of it', fix)]
  }
  if (leaks) return [bad('cors', url, 'lets pages send API key and secret, which must stay on a server', fix)]
  return [good('cors', url, 'pages of any site can call it with a public key, and none with a secret')]
}

function examineProxies(publicUrl: string | null, ownUrl: string, trustedProxies: readonly string[]): Finding[] {
  if (publicUrl === null || trustedProxies.length > 0 || new URL(publicUrl).host === new URL(ownUrl).host) return []
  const fix = 'Set trustedProxies to the address of the proxy, such as ["127.0.0.1"].'
  return [
    warning('proxy', publicUrl, 'no proxy is trusted, so all customers behind it count as one for the limits', fix),
  ]
}
