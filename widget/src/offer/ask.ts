import { withDeadline } from '../deadline.ts'

/** As long as the payment itself is waited for. */
const answerTimeoutMs = 15_000

/** Reads JSON without a header of our own, so that the browser sends no preflight. Never rejects. */
export async function ask(
  url: string,
  signal: AbortSignal,
): Promise<{ body: unknown } | { code: string; message: string }> {
  try {
    return await withDeadline(answerTimeoutMs, (either) => read(url, either), signal)
  } catch (error) {
    return { code: 'UNREACHABLE', message: String(error) }
  }
}

async function read(url: string, signal: AbortSignal) {
  const response = await fetch(url, { credentials: 'omit', cache: 'no-cache', signal })
  const body = (await response.json()) as { code?: unknown; message?: unknown } | null
  if (response.ok) return { body }
  return { code: String(body?.code ?? response.status), message: String(body?.message ?? '') }
}
