import { type CustomTransport, custom, HttpRequestError, RpcRequestError } from 'viem'
import { ResponseTooLargeError, readBounded } from '../core/read-bounded.ts'
import { withTimeout } from '../core/with-timeout.ts'

/** A larger response counts as a refusal, and less is asked for next time. */
const bodyMaxBytes = 10 * 1024 * 1024

/** The status of a response to too many calls, whatever error is in its body: nothing that was asked has been judged. */
const tooManyCalls = 429

/** Of a failed response's text, in the error's message. */
const detailsMaxChars = 300

type Body = { method: string; params?: unknown }
type Answer = { result?: unknown; error?: { code: number; message: string } | null } | null

/**
 * JSON-RPC over HTTP with viem's errors and retries. Unlike viem's `http`, its timeout includes the response's body, and a retry waits no
 * longer because of `Retry-After`.
 * @param rpcUrl - May contain a user and a password.
 * @param fetchFn - By default the global `fetch` at the time of the call.
 */
export function rpcTransport(
  rpcUrl: string,
  { timeoutMs, retryCount, fetchFn }: { timeoutMs: number; retryCount: number; fetchFn: typeof fetch | undefined },
): CustomTransport {
  const { url, headers } = addressOf(rpcUrl)
  let lastId = 0

  async function post(body: Body, signal: AbortSignal): Promise<{ response: Response; text: string }> {
    const text = JSON.stringify({ jsonrpc: '2.0', id: ++lastId, ...body })
    // A hostile node must not send this service's requests into the private network.
    const response = await (fetchFn ?? fetch)(url, { method: 'POST', headers, body: text, signal, redirect: 'error' })
    return { response, text: await readBounded(response, bodyMaxBytes) }
  }

  /** @throws {RpcRequestError} for a refusal, {ResponseTooLargeError}, and {HttpRequestError} for anything else. */
  async function request({ method, params }: Body): Promise<unknown> {
    const body = { method, params }
    try {
      const { response, text } = await withTimeout(timeoutMs, [], (signal) => post(body, signal))
      const answer = parse(text)
      const error = response.status === tooManyCalls ? undefined : answer?.error
      if (error && (response.ok || isRefusal(error))) throw new RpcRequestError({ body, error, url })
      if (answer && response.ok) return answer.result
      const { status, statusText } = response
      // Without the headers, because viem waits before a retry for as long as `Retry-After` says.
      throw new HttpRequestError({ body, details: text.slice(0, detailsMaxChars) || statusText, status, url })
    } catch (cause) {
      if (cause instanceof RpcRequestError || cause instanceof HttpRequestError) throw cause
      if (cause instanceof ResponseTooLargeError) throw cause
      throw new HttpRequestError({ body, cause: cause as Error, url })
    }
  }
  return custom({ request }, { retryCount })
}

const isRefusal = ({ code, message }: { code?: unknown; message?: unknown }): boolean =>
  typeof code === 'number' && typeof message === 'string'

/** Null for what is no JSON. */
function parse(text: string): Answer {
  try {
    return JSON.parse(text) as Answer
  } catch {
    return null
  }
}

/** `fetch` refuses URLs with credentials. */
function addressOf(rpcUrl: string): { url: string; headers: Record<string, string> } {
  const headers = { 'content-type': 'application/json' }
  const url = new URL(rpcUrl)
  const { username, password } = url
  if (username === '') return { url: rpcUrl, headers }
  url.username = ''
  url.password = ''
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { url: url.href, headers: { ...headers, authorization: `Basic ${btoa(credentials)}` } }
}
