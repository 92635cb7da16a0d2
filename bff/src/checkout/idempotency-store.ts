import { hash } from 'node:crypto'
import stringify from 'safe-stable-stringify'
import type { Caller } from '../access/context/caller.ts'
import type { IdempotencyKey } from '../access/operation/idempotency-key.ts'
import { PaymentError } from '../core/errors.ts'
import { sql, type Tx } from '../db/db.ts'
import type { CredentialKind } from '../merchant/key-store.ts'
import { lastWindowEndOf } from '../payment/bridge.ts'
import { type Attachments, outcomeOfStatus, type Payment, type PaymentId, type Status } from '../payment/payment.ts'

/**
 * A client may retry for a day, or for as long as the payment's window may be open. An order id never expires, because it is the
 * merchant's own name for the payment.
 */
export const headerKeyMs = 24 * 60 * 60 * 1000

/** Different customers may send the same body, so a body identifies a request only while its client may retry. */
const bodyKeyMs = 5 * 60 * 1000

/** @param asked - The money fields of this request. Those of the first request are not disclosed. */
export function idempotencyMismatch(kind: IdempotencyKey['kind'], asked: string, made = 'payment'): PaymentError {
  const name = kind === 'order' ? 'orderId' : 'Idempotency-Key'
  const message = `This ${name} was used before for another amount, currency, network or mode than ${asked}. Use a new one for a new ${made}.`
  return new PaymentError('IDEMPOTENCY_MISMATCH', message)
}

/** Keys belong to an account and an endpoint; both paths of an endpoint share them, live and test do not. */
export function idempotencyScope(caller: Caller, endpoint: string, key: IdempotencyKey): string {
  return JSON.stringify([caller.merchantId, caller.isTest ? 'test' : 'live', endpoint, key.kind, key.value])
}

type Asked = { [Name in keyof Attachments]?: Attachments[Name] | undefined } & {
  autonomous?: boolean | undefined
  /** The only wallet whose plain transfer pays, for older clients on Solana. */
  senderAddress?: string | undefined
  /** The requested window. */
  expiresIn?: number | undefined
}

/** Digest of all fields of a create, independent of their order. */
export function requestDigest(terms: string, asked: Asked): string {
  const { orderId, customerEmail, callbackUrl, returnUrl, metadata, agentId, agentOwner, autonomous } = asked
  const fields = [orderId, customerEmail, callbackUrl, returnUrl, metadata, agentId, agentOwner, autonomous]
  const { senderAddress, expiresIn } = asked
  // Most requests have neither field, and their stored digests omit both.
  const rare = senderAddress === undefined && expiresIn === undefined ? [] : [senderAddress, expiresIn]
  return hash('sha256', stringify([terms, ...fields, ...rare]), 'base64url')
}

type ResponseRow = {
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
  /** API key and secret of a server, or a public key, which many clients share. */
  credential: CredentialKind
  client: string
  /** The money fields of the request as canonical text. */
  terms: string
  /** The money fields of the request as text for a person. */
  asked: string
  /** Digest of all fields of the request. */
  digest: string
  nowMs: number
}

/**
 * `isSameClient`: the repeat was sent with API key and secret, or from the address of the first request. A public key
 * gets the payment's client secret only with a header key from the same client, because order ids and bodies can be
 * guessed.
 */
export type StoredResponse = { paymentId: PaymentId; json: string; isSameClient: boolean }

/**
 * Finds the stored response to a repeated request.
 *
 * The kind of credential is part of the scope: anyone may use a public key, so a request with a public key neither
 * answers nor rejects a request of the merchant's server, and vice versa.
 *
 * All customers share one public key, and order ids can be guessed. With a public key the scope therefore includes the
 * client's address, and an order id matches only an identical request: otherwise the first user of an order id could
 * make another customer pay a payment that has the first user's callbackUrl or metadata. A header key is a random value
 * that only its sender knows; from another address (a phone that left the Wi-Fi) it matches only an identical request.
 * Every other request creates a new payment and reveals nothing about the first one.
 * @returns the stored response, or undefined for a new request.
 * @throws {PaymentError} IDEMPOTENCY_MISMATCH when the same caller used the key for other money fields.
 */
export async function findResponse(tx: Tx, request: IdempotentRequest): Promise<StoredResponse | undefined> {
  const { scope, kind, credential, client, terms, asked, digest, nowMs } = request
  const anyClient = kind === 'header' && credential === 'public' ? 1 : 0
  const row = await tx.get<ResponseRow>(sql`
      select k.payment_id, k.terms, k.client, k.request_digest, k.answer, p.status,
             p.seen <> '0' or p.late <> '0' as is_touched
        from idempotency_keys k join payments p on p.id = k.payment_id
       where k.scope = ${scope} and k.credential = ${credential}
         and (k.client = ${client} or (${anyClient} = 1 and k.request_digest = ${digest}))
         and (k.expires_at_ms is null or k.expires_at_ms > ${nowMs})
       order by case when k.client = ${client} then 0 else 1 end limit 1`)
  // After a failed payment, a repeat with the same order id or body creates a new payment.
  if (!row || (kind !== 'header' && outcomeOfStatus(row.status) === 'failed')) return undefined
  // A customer must never be shown a payment that another customer has paid.
  if (kind === 'body' && row.is_touched === 1) return undefined
  if (row.terms !== terms) throw idempotencyMismatch(kind, asked)
  if (kind === 'order' && credential === 'public' && row.request_digest !== digest) return undefined
  return { paymentId: row.payment_id as PaymentId, json: row.answer, isSameClient: row.client === client }
}

/** Runs in the unit of work that creates the payment, so that payment and response are stored together. */
export async function saveResponse(
  tx: Tx,
  entry: IdempotentRequest & { payment: Payment; answer: string },
): Promise<void> {
  const { kind, nowMs, payment } = entry
  const timedMs = kind === 'header' ? Math.max(nowMs + headerKeyMs, lastWindowEndOf(payment)) : nowMs + bodyKeyMs
  const expiresAtMs = kind === 'order' ? null : timedMs
  tx.write(sql`
      insert into idempotency_keys (scope, credential, client, terms, request_digest, payment_id, answer, expires_at_ms)
      values (${entry.scope}, ${entry.credential}, ${entry.client}, ${entry.terms}, ${entry.digest}, ${payment.id},
              ${entry.answer}, ${expiresAtMs})
      on conflict (scope, credential, client) do update
         set terms = excluded.terms, request_digest = excluded.request_digest, payment_id = excluded.payment_id,
             answer = excluded.answer, expires_at_ms = excluded.expires_at_ms`)
}

/** Deletes at most `limit` expired keys. */
export async function deleteExpiredKeys(tx: Tx, nowMs: number, limit: number): Promise<number> {
  return await tx.run(sql`
      delete from idempotency_keys where (scope, credential, client) in (
        select scope, credential, client from idempotency_keys where expires_at_ms <= ${nowMs} order by expires_at_ms limit ${limit})`)
}
