/** As long as the service may take; it answers in milliseconds. */
const answerTimeoutMs = 15_000

/** What came of it. `words` are the service's own, for a person; empty when it could not be asked. */
export type Posted = { isDone: true } | { isDone: false; code: string; words: string }

/** Asks the service to do something, once. Never rejects. */
export async function post(url: string, publicKey: string, body: object): Promise<Posted> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      credentials: 'omit',
      headers: { 'Content-Type': 'application/json', 'X-Public-Key': publicKey },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(answerTimeoutMs),
    })
    if (response.ok) return { isDone: true }
    const { code, message } = (await response.json()) as { code?: unknown; message?: unknown }
    return { isDone: false, code: String(code ?? ''), words: String(message ?? '') }
  } catch {
    return { isDone: false, code: '', words: '' }
  }
}
