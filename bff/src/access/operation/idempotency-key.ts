import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import stringify from 'safe-stable-stringify'
import { ValidationError } from '../../core/errors.ts'
import type { Env } from '../context/env.ts'
import type { Declared } from '../context/operation.ts'
import { verifyDepth } from '../http/body-limit.ts'

/** What identifies a request: the header `Idempotency-Key`, else the order id, else, on one endpoint, the whole body. */
export type IdempotencyKey = { kind: 'header' | 'order' | 'body'; value: string }

type Sent = { header?: string | undefined; orderId?: string | undefined }

const headerLengthMax = 200

/**
 * @returns the key of a request to the operation; undefined when a repeat counts as a new request.
 * @throws {ValidationError} when the header is empty, too long or contains control characters.
 */
export function idempotencyKey(
  { idempotency }: Pick<Declared, 'idempotency'>,
  { header, orderId }: Sent,
): IdempotencyKey | undefined {
  if (idempotency === undefined) return undefined
  if (header === undefined) {
    return orderId === undefined || idempotency === 'key' ? undefined : { kind: 'order', value: orderId }
  }
  // RFC 8941 quotes strings; most clients do not.
  const value = header.replace(/^"(.*)"$/, '$1')
  if (header.length > headerLengthMax || !/^[\x20-\x7e]+$/.test(value)) {
    throw new ValidationError(`Idempotency-Key must be 1 to ${headerLengthMax} printable ASCII characters`)
  }
  return { kind: 'header', value }
}

/** The request's key, as its operation declares. @param orderId - The body's. */
export async function requestKey(c: Context<Env>, orderId?: string): Promise<IdempotencyKey | undefined> {
  const operation = c.get('operation')
  const key = idempotencyKey(operation, { header: c.req.header('idempotency-key'), orderId })
  return key ?? (operation.idempotency === 'body' ? await bodyKey(c) : undefined)
}

/**
 * A fingerprint of the whole body, regardless of the order of keys and the spelling of amounts. With a public key it includes the
 * client's headers, so that two shoppers who buy the same thing do not share a payment. The headers can be forged, but a forger
 * gains nothing.
 */
async function bodyKey(c: Context<Env>): Promise<IdempotencyKey> {
  const body = c.get('bodyAsSent') ?? (JSON.parse(await c.req.text()) as Record<string, unknown>)
  verifyDepth(body)
  const { id, kind } = c.get('caller')
  const sender = kind === 'public' ? [c.req.header('x-forwarded-for'), c.req.header('user-agent')] : []
  const value = createHash('sha256')
    .update(stringify([id, ...sender, { ...body, ...plainMoney(body) }]))
    .digest('hex')
  return { kind: 'body', value }
}

/** The money fields of a body, each in one spelling. */
function plainMoney(body: Record<string, unknown>): Record<string, string> {
  const named = ['amount', 'price'].filter((name) => body[name] !== undefined)
  return Object.fromEntries(named.map((name) => [name, plainAmount(String(body[name]))]))
}

/** One spelling of an amount: 25, "25.00" and "025.0" become "25". */
const plainAmount = (text: string): string =>
  text
    .replace(/^0+(?=\d)/, '')
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '')
