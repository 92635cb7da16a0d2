import { sql, type Tx } from '../db/db.ts'
import { PaymentError, ValidationError } from '../errors.ts'
import type { CredentialKind } from '../merchant/merchant-store.ts'
import type { PaymentId, Status } from '../payment/payment.ts'
import type { Caller } from './env.ts'

/** What a caller names a request by: the first of header and order id that is there; else, on one endpoint, its whole body. */
export type IdempotencyKey = { kind: 'header' | 'order' | 'body'; value: string }

/** A client may retry for a day; an order id stays taken, because it is the merchant's own name for the payment. */
const headerKeyMs = 24 * 60 * 60 * 1000

/** Two shoppers may buy the same thing with the same words: a body names a request only for as long as a client retries. */
const bodyKeyMs = 5 * 60 * 1000

const headerLengthMax = 200

class IdempotencyMismatchError extends PaymentError {
  constructor(message: string) {
    super('IDEMPOTENCY_MISMATCH', message, { status: 400, error: 'Idempotency mismatch' })
  }
}

/** @throws {ValidationError} when the header is empty, too long or holds control characters. */
export function idempotencyKey(header: string | undefined, orderId: string | undefined): IdempotencyKey | undefined {
  if (header === undefined) return orderId === undefined ? undefined : { kind: 'order', value: orderId }
  // RFC 8941 quotes strings; most clients do not.
  const value = header.replace(/^"(.*)"$/, '$1')
  if (value.length === 0 || header.length > headerLengthMax || !/^[\x20-\x7e]+$/.test(value)) {
    throw new ValidationError(`Idempotency-Key must be 1 to ${headerLengthMax} printable ASCII characters`)
  }
  return { kind: 'header', value }
}

/** Keys belong to an account and an endpoint; both paths of an endpoint share them, live and test do not. */
export function idempotencyScope(caller: Caller, endpoint: string, key: IdempotencyKey): string {
  return JSON.stringify([caller.merchantId, caller.isTest ? 'test' : 'live', endpoint, key.kind, key.value])
}

type AnswerRow = {
  payment_id: string
  terms: string
  credential: CredentialKind
  answer: string
  status: Status
  is_touched: number
}

const failedStatuses: ReadonlySet<Status> = new Set(['expired', 'cancelled', 'failed'])

/** `terms` are the money fields of the request in one canonical text. */
export type IdempotentRequest = {
  scope: string
  kind: IdempotencyKey['kind']
  terms: string
  credential: CredentialKind
  nowMs: number
}

/**
 * The stored answer when the request is a repeat, undefined when it is new.
 * @throws {IdempotencyMismatchError} when the key was used for other money, or by a weaker credential: whoever holds only
 *   the public key must not be able to put a cheap payment under an order id that the merchant's server will use.
 */
export async function findAnswer(
  tx: Tx,
  { scope, kind, terms, credential, nowMs }: IdempotentRequest,
): Promise<{ paymentId: PaymentId; json: string } | undefined> {
  const row = await tx.get<AnswerRow>(sql`
      select k.payment_id, k.terms, k.credential, k.answer, p.status, p.seen <> '0' or p.late <> '0' as is_touched
        from idempotency_keys k join payments p on p.id = k.payment_id
       where k.scope = ${scope} and (k.expires_at_ms is null or k.expires_at_ms > ${nowMs})`)
  // The same order is paid again after its first payment came to nothing.
  if (!row || (kind !== 'header' && failedStatuses.has(row.status))) return undefined
  // The next shopper must never be shown a payment that somebody has paid for.
  if (kind === 'body' && row.is_touched === 1) return undefined
  if (row.terms !== terms) {
    throw new IdempotencyMismatchError(
      `This key was used for another payment (${row.terms}), now it comes with ${terms}.`,
    )
  }
  if (row.credential === 'public' && credential === 'api') {
    throw new IdempotencyMismatchError(
      'This key was used with a public key; a payment made so never answers an API key.',
    )
  }
  return { paymentId: row.payment_id as PaymentId, json: row.answer }
}

/** Stored in the unit of work that creates the payment, so that there is never one without the other. */
export async function saveAnswer(
  tx: Tx,
  entry: IdempotentRequest & { paymentId: PaymentId; answer: string },
): Promise<void> {
  const expiresAtMs = entry.kind === 'order' ? null : entry.nowMs + (entry.kind === 'header' ? headerKeyMs : bodyKeyMs)
  await tx.run(sql`
      insert into idempotency_keys (scope, terms, credential, payment_id, answer, expires_at_ms)
      values (${entry.scope}, ${entry.terms}, ${entry.credential}, ${entry.paymentId}, ${entry.answer}, ${expiresAtMs})
      on conflict (scope) do update
         set terms = excluded.terms, credential = excluded.credential, payment_id = excluded.payment_id,
             answer = excluded.answer, expires_at_ms = excluded.expires_at_ms`)
}

/** Forgets at most `limit` keys that have expired. */
export async function deleteExpiredKeys(tx: Tx, nowMs: number, limit: number): Promise<number> {
  return await tx.run(sql`
      delete from idempotency_keys where scope in (
        select scope from idempotency_keys where expires_at_ms <= ${nowMs} order by expires_at_ms limit ${limit})`)
}
