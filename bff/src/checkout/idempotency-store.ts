import { createHash } from 'node:crypto'
import stringify from 'safe-stable-stringify'
import { PaymentError, ValidationError } from '../core/errors.ts'
import { sql, type Tx } from '../db/db.ts'
import type { Caller } from '../merchant/caller.ts'
import type { CredentialKind } from '../merchant/merchant-store.ts'
import { type Attachments, outcomeOfStatus, type PaymentId, type Status } from '../payment/payment.ts'

/** What a caller names a request by: the first of header and order id that is there; else, on one endpoint, its whole body. */
export type IdempotencyKey = { kind: 'header' | 'order' | 'body'; value: string }

/** A client may retry for a day; an order id stays taken, because it is the merchant's own name for the payment. */
const headerKeyMs = 24 * 60 * 60 * 1000

/** Two shoppers may buy the same thing with the same words: a body names a request only for as long as a client retries. */
const bodyKeyMs = 5 * 60 * 1000

const headerLengthMax = 200

class IdempotencyMismatchError extends PaymentError {
  /** @param asked - What this request asks for. What the first one asked for is not named. */
  constructor(kind: IdempotencyKey['kind'], asked: string) {
    const name = kind === 'order' ? 'orderId' : 'Idempotency-Key'
    const message = `This ${name} was used before for another amount, currency, network or mode than ${asked}. Use a new one for a new payment.`
    super('IDEMPOTENCY_MISMATCH', message, { status: 400, error: 'Idempotency mismatch' })
  }
}

/** @throws {ValidationError} when the header is empty, too long or holds control characters. */
export function idempotencyKey(header: string | undefined, orderId: string | undefined): IdempotencyKey | undefined {
  if (header === undefined) return orderId === undefined ? undefined : { kind: 'order', value: orderId }
  // RFC 8941 quotes strings; most clients do not.
  const value = header.replace(/^"(.*)"$/, '$1')
  if (header.length > headerLengthMax || !/^[\x20-\x7e]+$/.test(value)) {
    throw new ValidationError(`Idempotency-Key must be 1 to ${headerLengthMax} printable ASCII characters`)
  }
  return { kind: 'header', value }
}

/** Keys belong to an account and an endpoint; both paths of an endpoint share them, live and test do not. */
export function idempotencyScope(caller: Caller, endpoint: string, key: IdempotencyKey): string {
  return JSON.stringify([caller.merchantId, caller.isTest ? 'test' : 'live', endpoint, key.kind, key.value])
}

type Asked = { [Name in keyof Attachments]?: Attachments[Name] | undefined } & { autonomous?: boolean | undefined }

/** Digest of everything that a create asks for, whatever the order of its fields. */
export function requestDigest(terms: string, asked: Asked): string {
  const { orderId, customerEmail, callbackUrl, metadata, agentId, agentOwner, autonomous } = asked
  const fields = [orderId, customerEmail, callbackUrl, metadata, agentId, agentOwner, autonomous]
  return createHash('sha256')
    .update(stringify([terms, ...fields]))
    .digest('base64url')
}

type AnswerRow = {
  payment_id: string
  terms: string
  client: string
  request_digest: string
  answer: string
  status: Status
  is_touched: number
}

export type IdempotentRequest = {
  scope: string
  kind: IdempotencyKey['kind']
  /** Who asks: the server with API key and secret, or one of the many clients that hold a public key. */
  credential: CredentialKind
  client: string
  /** The money fields of the request in one canonical text. */
  terms: string
  /** The same as a person writes it. */
  asked: string
  /** Of all that it asks for. */
  digest: string
  nowMs: number
}

/**
 * `isSameClient`: the repeat comes with API key and secret, or from the address that the first request came from. Without it,
 * and by an order id or a body, which can be guessed, a public key must not be handed the payment's client secret.
 */
export type StoredAnswer = { paymentId: PaymentId; json: string; isSameClient: boolean }

/**
 * The stored answer when the request is a repeat, undefined when it is new.
 *
 * The kind of credential is part of the scope: a public key is in everybody's hands, so what it was used for neither answers
 * nor refuses the merchant's server, and the other way round.
 *
 * Two shoppers hold the same public key, and order ids can be guessed. So with a public key the client's address is part of
 * the scope too, and an order id answers only a request that asks for exactly the same: otherwise whoever uses an order id
 * first could have another shopper pay for a payment with a callbackUrl or metadata of his own. A header key is a random
 * value that nobody else knows; from another address (a phone that has left the Wi-Fi) it answers exactly the same request.
 * Everyone else gets a payment of their own, and no sign of the first one.
 * @throws {IdempotencyMismatchError} when the same caller used the key for other money.
 */
export async function findAnswer(tx: Tx, request: IdempotentRequest): Promise<StoredAnswer | undefined> {
  const { scope, kind, credential, client, terms, asked, digest, nowMs } = request
  const anyClient = kind === 'header' && credential === 'public' ? 1 : 0
  const row = await tx.get<AnswerRow>(sql`
      select k.payment_id, k.terms, k.client, k.request_digest, k.answer, p.status,
             p.seen <> '0' or p.late <> '0' as is_touched
        from idempotency_keys k join payments p on p.id = k.payment_id
       where k.scope = ${scope} and k.credential = ${credential}
         and (k.client = ${client} or (${anyClient} = 1 and k.request_digest = ${digest}))
         and (k.expires_at_ms is null or k.expires_at_ms > ${nowMs})
       order by case when k.client = ${client} then 0 else 1 end limit 1`)
  // The same order is paid again after its first payment came to nothing.
  if (!row || (kind !== 'header' && outcomeOfStatus(row.status) === 'failed')) return undefined
  // The next shopper must never be shown a payment that somebody has paid for.
  if (kind === 'body' && row.is_touched === 1) return undefined
  if (row.terms !== terms) throw new IdempotencyMismatchError(kind, asked)
  if (kind === 'order' && credential === 'public' && row.request_digest !== digest) return undefined
  return { paymentId: row.payment_id as PaymentId, json: row.answer, isSameClient: row.client === client }
}

/** Stored in the unit of work that creates the payment, so that there is never one without the other. */
export async function saveAnswer(
  tx: Tx,
  entry: IdempotentRequest & { paymentId: PaymentId; answer: string },
): Promise<void> {
  const expiresAtMs = entry.kind === 'order' ? null : entry.nowMs + (entry.kind === 'header' ? headerKeyMs : bodyKeyMs)
  await tx.run(sql`
      insert into idempotency_keys (scope, credential, client, terms, request_digest, payment_id, answer, expires_at_ms)
      values (${entry.scope}, ${entry.credential}, ${entry.client}, ${entry.terms}, ${entry.digest}, ${entry.paymentId},
              ${entry.answer}, ${expiresAtMs})
      on conflict (scope, credential, client) do update
         set terms = excluded.terms, request_digest = excluded.request_digest, payment_id = excluded.payment_id,
             answer = excluded.answer, expires_at_ms = excluded.expires_at_ms`)
}

/** Forgets at most `limit` keys that have expired. */
export async function deleteExpiredKeys(tx: Tx, nowMs: number, limit: number): Promise<number> {
  return await tx.run(sql`
      delete from idempotency_keys where (scope, credential, client) in (
        select scope, credential, client from idempotency_keys where expires_at_ms <= ${nowMs} order by expires_at_ms limit ${limit})`)
}
