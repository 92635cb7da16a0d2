import { baseUnits, formatAmount } from '../../core/money.ts'
import type { HistoryCode } from '../../core/record-codes.ts'
import { iso } from '../../core/runtime.ts'
import type { Db } from '../../db/db.ts'
import type { Payment } from '../../payment/payment.ts'
import { type AttemptLine, loadHistory } from '../../payment/store/history-store.ts'

/** `says` as a code with its values, for a sentence in another language. */
type Sentence = { code: HistoryCode; values: string[] }

/** One entry of a payment's history. `at` is ISO 8601; `says` is a sentence; the other fields hold its values. */
export type HistoryEntry = { at: string; kind: string; says: string; sentence: Sentence } & Record<string, unknown>

const sentence = (code: HistoryCode, ...values: string[]): Sentence => ({ code, values })

/** Reads a payment's whole history in chronological order: transfers, webhook events, our transactions, requests. */
export async function readHistory(db: Db, payment: Payment): Promise<HistoryEntry[]> {
  const found = await db.read((tx) => loadHistory(tx, payment.id))
  const amountOf = (text: string) => `${formatAmount(baseUnits(text), payment.tokenDecimals)} ${payment.currency}`
  // The store reads newest first. What happened within one millisecond keeps its order, because sorting is stable.
  const events = found.events.toReversed().map(({ atMs, ...event }) => ({
    atMs,
    at: iso(atMs),
    kind: 'event',
    ...event,
    says: event.type,
    sentence: sentence(`event.${event.type}`),
  }))
  // A transfer precedes its effects, even at the same time.
  const created = events.findIndex(({ type }) => type === 'payment.created') + 1
  const entries: (HistoryEntry & { atMs: number })[] = [
    ...events.slice(0, created),
    ...found.transfers.toReversed().map(({ atMs, ...transfer }) => ({
      // Block times have no fraction of a second, and so may precede the creation of the payment.
      atMs: Math.max(atMs, payment.createdAtMs),
      at: iso(atMs),
      kind: 'transfer',
      ...transfer,
      isLate: transfer.isLate === 1,
      amount: formatAmount(baseUnits(transfer.amount), payment.tokenDecimals),
      says: `${amountOf(transfer.amount)} from ${transfer.payer}, ${transfer.state}${transfer.isLate === 1 ? ', late' : ''} (${transfer.txId})`,
      sentence: sentence(
        `${transfer.isLate === 1 ? 'lateTransfer' : 'transfer'}.${transfer.state}`,
        amountOf(transfer.amount),
        transfer.payer,
        transfer.txId,
      ),
    })),
    ...events.slice(created),
    ...found.attempts.toReversed().map(({ atMs, ...attempt }) => ({
      atMs,
      at: iso(atMs),
      kind: 'webhook',
      ...attempt,
      says: `${attempt.type} to ${attempt.url}: ${attempt.code ?? attempt.error ?? 'no answer'}`,
      sentence: attemptSentence(attempt),
    })),
    ...found.transactions.toReversed().map(({ atMs, sentAtMs, ...transaction }) => ({
      atMs,
      at: iso(atMs),
      kind: 'transaction',
      ...transaction,
      sentAt: iso(sentAtMs),
      says: `${transaction.purpose} ${transaction.txId}, nonce ${transaction.nonce}, ${transaction.state}`,
      sentence: sentence(`${transaction.purpose}.${transaction.state}`, transaction.txId, String(transaction.nonce)),
    })),
    ...found.requests.toReversed().map(({ atMs, ...request }) => ({
      atMs,
      at: iso(atMs),
      kind: 'refund request',
      ...request,
      says: `refund to ${request.address}, said by ${request.callerKind === 'api' ? 'the merchant' : 'the customer'}`,
      sentence: sentence(
        request.callerKind === 'api' ? 'refundAddress.merchant' : 'refundAddress.customer',
        request.address,
      ),
    })),
  ]
  return entries.sort((a, b) => a.atMs - b.atMs).map(({ atMs: _, ...entry }) => entry)
}

function attemptSentence({ type, url, code, error }: Omit<AttemptLine, 'atMs'>): Sentence {
  if (code !== null) return sentence('webhook.answered', type, url, String(code))
  return error === null ? sentence('webhook.unanswered', type, url) : sentence('webhook.failed', type, url, error)
}
