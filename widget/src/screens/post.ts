import { withDeadline } from '../deadline.ts'

/** As long as the service may take; it answers in milliseconds. */
const answerTimeoutMs = 15_000

/** What came of it. `words` are the service's own, for a person; empty when it could not be asked. */
export type Posted = { isDone: true } | { isDone: false; code: string; words: string }

/** Asks the service to do something, once. Never rejects. */
export async function post(url: string, publicKey: string, body: object): Promise<Posted> {
  try {
    return await withDeadline(answerTimeoutMs, (signal) => postOnce(url, publicKey, body, signal))
  } catch {
    return { isDone: false, code: '', words: '' }
  }
}

async function postOnce(url: string, publicKey: string, body: object, signal: AbortSignal): Promise<Posted> {
  const headers = { 'Content-Type': 'application/json', ...(publicKey && { 'X-Public-Key': publicKey }) }
  const init: RequestInit = { method: 'POST', credentials: 'omit', headers, body: JSON.stringify(body), signal }
  const response = await fetch(url, init)
  if (response.ok) return { isDone: true }
  const { code, message } = (await response.json()) as { code?: unknown; message?: unknown }
  return { isDone: false, code: String(code ?? ''), words: String(message ?? '') }
}
