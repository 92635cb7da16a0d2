import { withDeadline } from '../deadline.ts'
import { pace, sleep } from '../wallet/pace.ts'

/** The transaction that the wallet is to sign, or why there is none. */
export type HandedOut = { transaction: Uint8Array } | { code: string; message: string }

const timeoutMs = 20_000
const triesMax = 3

/** Asks the service for the payment as a transaction of that account. Never rejects. */
export async function askTransaction(apiBase: string, paymentId: string, account: string): Promise<HandedOut> {
  const answer = await post(`${apiBase}/api/v1/payments/solana-pay/${paymentId}`, { account })
  const { transaction, code, message } = answer.body
  if (answer.status !== 200) return { code: String(code ?? ''), message: String(message ?? '') }
  try {
    return { transaction: Uint8Array.from(atob(String(transaction)), (character) => character.charCodeAt(0)) }
  } catch (error) {
    return { code: 'BAD_ANSWER', message: String(error) }
  }
}

type Reply = { status: number; body: Record<string, unknown> }

async function post(url: string, body: object): Promise<Reply> {
  for (let tries = 1; ; tries++) {
    const reply = await postOnce(url, body)
    const isPassing = reply.status === 0 || reply.status === 429 || reply.status > 499
    if (!isPassing || tries === triesMax) return reply
    await sleep(pace.retryMs)
  }
}

async function postOnce(url: string, body: object): Promise<Reply> {
  try {
    const headers = { 'Content-Type': 'application/json' }
    const init: RequestInit = { method: 'POST', credentials: 'omit', headers, body: JSON.stringify(body) }
    return await withDeadline(timeoutMs, async (signal) => {
      const response = await fetch(url, { ...init, signal })
      return { status: response.status, body: (await response.json()) as Reply['body'] }
    })
  } catch (error) {
    return { status: 0, body: { code: 'UNREACHABLE', message: String(error) } }
  }
}
