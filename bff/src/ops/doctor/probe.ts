import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { TLSSocket } from 'node:tls'

const timeoutMs = 10_000

export type Probed = {
  status: number
  headers: IncomingHttpHeaders
  /** The certificate's expiry; null without TLS. */
  certificateEndsMs: number | null
}

type Options = { method?: string; headers?: Record<string, string>; ca?: string | undefined }

/**
 * Sends one request without following redirects.
 * @throws {Error} whose `code` identifies the problem.
 */
export function probe(url: string, { method = 'GET', headers = {}, ca }: Options = {}): Promise<Probed> {
  return new Promise((resolve, reject) => {
    const send = url.startsWith('https:') ? httpsRequest : httpRequest
    const options = { method, headers, timeout: timeoutMs, ...(ca !== undefined && { ca }) }
    const request = send(url, options, (response) => {
      const { socket } = response
      const ends = 'getPeerCertificate' in socket ? (socket as TLSSocket).getPeerCertificate().valid_to : undefined
      response.resume()
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        certificateEndsMs: ends === undefined ? null : Date.parse(ends),
      })
    })
    request.on('timeout', () => request.destroy(Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' })))
    request.on('error', reject)
    request.end()
  })
}
