import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { Agent } from 'undici'

type Received = { url: string; headers: IncomingHttpHeaders; body: Buffer }

export type HttpReceiver = Awaited<ReturnType<typeof openHttpReceiver>>

/**
 * Stands in for every https host: `agent` leads there without TLS. Returns 201 unless the test sets another status. For tests.
 */
export async function openHttpReceiver() {
  const received: Received[] = []
  const codes: number[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const url = `https://${request.headers.host}${request.url}`
      received.push({ url, headers: request.headers, body: Buffer.concat(chunks) })
      response.writeHead(codes.shift() ?? 201).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const agent = new Agent({
    connect: (_, callback) => {
      const socket = connect(port, '127.0.0.1', () => callback(null, socket))
      socket.once('error', (error) => callback(error, null))
    },
  })
  return {
    agent,
    received,
    /** Statuses of the next responses. */
    answer: (...next: number[]) => codes.push(...next),
    async close() {
      await agent.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A browser's push subscription, which can decrypt what is sent to it (RFC 8291). For tests. */
export function newPushBrowser(endpoint: string) {
  const ecdh = createECDH('prime256v1')
  ecdh.generateKeys()
  const auth = randomBytes(16)
  const subscription = {
    endpoint,
    keys: { p256dh: ecdh.getPublicKey('base64url'), auth: auth.toString('base64url') },
  }

  function decrypt(body: Buffer): Record<string, string> {
    const salt = body.subarray(0, 16)
    const sender = body.subarray(21, 21 + (body[20] ?? 0))
    const record = body.subarray(21 + sender.length)
    const shared = ecdh.computeSecret(sender)
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender])
    const key = Buffer.from(hkdfSync('sha256', shared, auth, info, 32))
    const cek = Buffer.from(hkdfSync('sha256', key, salt, 'Content-Encoding: aes128gcm\0', 16))
    const nonce = Buffer.from(hkdfSync('sha256', key, salt, 'Content-Encoding: nonce\0', 12))
    const decipher = createDecipheriv('aes-128-gcm', cek, nonce)
    decipher.setAuthTag(record.subarray(-16))
    const plain = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
    return JSON.parse(plain.subarray(0, plain.lastIndexOf(2)).toString()) as Record<string, string>
  }

  return { subscription, decrypt }
}

/**
 * Verifies the header that identifies the sender to a push service (RFC 8292). @returns its claims; undefined if not signed by
 * that key.
 */
export function vapidClaims(header: string, publicKey: string): Record<string, unknown> | undefined {
  const [, token = '', key] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(header) ?? []
  if (key !== publicKey) return undefined
  const point = Buffer.from(publicKey, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  const jwk = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }, format: 'jwk' })
  const [head, claims = '', signature = ''] = token.split('.')
  const signed = Buffer.from(`${head}.${claims}`)
  const isGood = verify('sha256', signed, { key: jwk, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'))
  return isGood ? (JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>) : undefined
}
