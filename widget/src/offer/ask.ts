/** As long as the payment itself is waited for. */
const answerTimeoutMs = 15_000

/** Reads JSON without a header of our own, so that the browser sends no preflight. Never rejects. */
export async function ask(
  url: string,
  signal: AbortSignal,
): Promise<{ body: unknown } | { code: string; message: string }> {
  try {
    const either = AbortSignal.any([signal, AbortSignal.timeout(answerTimeoutMs)])
    const response = await fetch(url, { credentials: 'omit', cache: 'no-cache', signal: either })
    const body = (await response.json()) as { code?: unknown; message?: unknown } | null
    if (response.ok) return { body }
    return { code: String(body?.code ?? response.status), message: String(body?.message ?? '') }
  } catch (error) {
    return { code: 'UNREACHABLE', message: String(error) }
  }
}
