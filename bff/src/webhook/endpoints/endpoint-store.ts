import { sql, type Tx } from '../../db/db.ts'
import type { MerchantId } from '../../payment/payment.ts'

/** `merchant`: disabled by the merchant; `gone`: the endpoint responded 410; `failing`: every attempt of five days failed. */
export const disabledReasons = ['merchant', 'gone', 'failing'] as const
export type DisabledReason = (typeof disabledReasons)[number]

/** A merchant's own receiver. */
export type Endpoint = {
  id: string
  merchantId: MerchantId
  /** Whether the endpoint receives events of test payments, or of live ones. */
  isTest: boolean
  url: string
  description: string
  /** Null: all. */
  types: readonly string[] | null
  /** Sealed for `id`. */
  secret: string
  previousSecret: string | null
  previousSecretUntilMs: number | null
  /** Null: enabled. */
  disabledReason: DisabledReason | null
  disabledAtMs: number | null
  failingSinceMs: number | null
  createdAtMs: number
  updatedAtMs: number
}

type EndpointRow = {
  id: string
  merchant_id: MerchantId
  is_test: number
  url: string
  description: string
  types: string | null
  secret: string
  previous_secret: string | null
  previous_secret_until_ms: number | null
  disabled_reason: DisabledReason | null
  disabled_at_ms: number | null
  failing_since_ms: number | null
  created_at_ms: number
  updated_at_ms: number
}

function fromRow(row: EndpointRow): Endpoint {
  return {
    id: row.id,
    merchantId: row.merchant_id,
    isTest: row.is_test === 1,
    url: row.url,
    description: row.description,
    types: row.types === null ? null : (JSON.parse(row.types) as string[]),
    secret: row.secret,
    previousSecret: row.previous_secret,
    previousSecretUntilMs: row.previous_secret_until_ms,
    disabledReason: row.disabled_reason,
    disabledAtMs: row.disabled_at_ms,
    failingSinceMs: row.failing_since_ms,
    createdAtMs: row.created_at_ms,
    updatedAtMs: row.updated_at_ms,
  }
}

/** Undefined when the merchant has no such endpoint, or deleted it. */
export async function loadEndpoint(tx: Tx, merchantId: MerchantId, id: string): Promise<Endpoint | undefined> {
  const row = await tx.get<EndpointRow>(sql`
      select * from webhook_endpoints
       where id = ${id} and merchant_id = ${merchantId} and disabled_reason is distinct from 'deleted'`)
  return row && fromRow(row)
}

/** Oldest first. The number of a merchant's endpoints is bounded. */
export async function listEndpoints(tx: Tx, merchantId: MerchantId): Promise<Endpoint[]> {
  const rows = await tx.all<EndpointRow>(sql`
      select * from webhook_endpoints
       where merchant_id = ${merchantId} and disabled_reason is distinct from 'deleted'
       order by created_at_ms, id`)
  return rows.map(fromRow)
}

export async function insertEndpoint(tx: Tx, endpoint: Endpoint): Promise<void> {
  await tx.run(sql`
      insert into webhook_endpoints (id, merchant_id, is_test, url, description, types, secret, created_at_ms, updated_at_ms)
      values (${endpoint.id}, ${endpoint.merchantId}, ${endpoint.isTest ? 1 : 0}, ${endpoint.url},
              ${endpoint.description}, ${endpoint.types && JSON.stringify(endpoint.types)}, ${endpoint.secret},
              ${endpoint.createdAtMs}, ${endpoint.updatedAtMs})`)
}

/** Stores what a merchant can change. What is due goes to the new URL. */
export async function saveEndpoint(tx: Tx, endpoint: Endpoint): Promise<void> {
  await tx.run(sql`
      update webhook_endpoints
         set url = ${endpoint.url}, description = ${endpoint.description},
             types = ${endpoint.types && JSON.stringify(endpoint.types)}, secret = ${endpoint.secret},
             previous_secret = ${endpoint.previousSecret}, previous_secret_until_ms = ${endpoint.previousSecretUntilMs},
             disabled_reason = ${endpoint.disabledReason}, disabled_at_ms = ${endpoint.disabledAtMs},
             failing_since_ms = ${endpoint.failingSinceMs}, updated_at_ms = ${endpoint.updatedAtMs}
       where id = ${endpoint.id}`)
  await tx.run(sql`
      update deliveries set url = ${endpoint.url}
       where receiver_key = ${endpoint.id} and state = 'due' and url <> ${endpoint.url}`)
}

/** No delivery is made to a disabled endpoint. Its due deliveries fail, and can be replayed once the endpoint is enabled again. */
export async function disableEndpoint(
  tx: Tx,
  id: string,
  reason: DisabledReason | 'deleted',
  atMs: number,
): Promise<void> {
  await tx.run(sql`
      update webhook_endpoints set disabled_reason = ${reason}, disabled_at_ms = ${atMs}, updated_at_ms = ${atMs}
       where id = ${id}`)
  const error = `the endpoint was ${reason === 'deleted' ? 'deleted' : 'disabled'}`
  await tx.run(sql`
      update deliveries set state = 'failed', last_error = ${error}, done_at_ms = ${atMs}
       where receiver_key = ${id} and state = 'due'`)
}

/** Deletes the secrets of an endpoint, so that nobody can read them in the database. */
export async function forgetSecrets(tx: Tx, id: string): Promise<void> {
  await tx.run(sql`
      update webhook_endpoints set secret = '', previous_secret = null, previous_secret_until_ms = null where id = ${id}`)
}

export async function noteSuccess(tx: Tx, id: string): Promise<void> {
  await tx.run(sql`
      update webhook_endpoints set failing_since_ms = null where id = ${id} and failing_since_ms is not null`)
}

/** @returns since when the endpoint has been failing; undefined when it is disabled already. */
export async function noteFailure(tx: Tx, id: string, atMs: number): Promise<{ sinceMs: number } | undefined> {
  await tx.run(sql`
      update webhook_endpoints set failing_since_ms = ${atMs}
       where id = ${id} and failing_since_ms is null and disabled_reason is null`)
  return await tx.get<{ sinceMs: number }>(sql`
      select failing_since_ms as "sinceMs" from webhook_endpoints where id = ${id} and disabled_reason is null`)
}
