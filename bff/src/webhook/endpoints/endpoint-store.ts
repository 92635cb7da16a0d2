import { sql, type Tx } from '../../db/db.ts'
import { fixed, flag, integer, json, orNull, table, text, type ValuesOf } from '../../db/table.ts'
import type { MerchantId } from '../../payment/payment.ts'

/** `merchant`: disabled by the merchant; `gone`: the endpoint responded 410; `failing`: every attempt of five days failed. */
export const disabledReasons = ['merchant', 'gone', 'failing'] as const
export type DisabledReason = (typeof disabledReasons)[number]

/**
 * `standard`: Standard Webhooks with payment events, for the merchant's own endpoints. `btcpay`: BTCPay's events and
 * signature, for a store's plug-in.
 */
export type Dialect = 'standard' | 'btcpay'

const endpoints = table('webhook_endpoints', {
  id: fixed(text()),
  merchantId: fixed(text<MerchantId>()),
  /** Whether the endpoint receives events of test payments, or of live ones. */
  isTest: fixed(flag()),
  url: text(),
  description: text(),
  dialect: fixed(text<Dialect>()),
  /** The pairing whose key last registered or changed the endpoint. Null: the merchant's own endpoint. */
  storeKeyId: orNull(text()),
  /** Whether failed deliveries are retried. */
  retries: flag(),
  /** Null: all event types. */
  types: orNull(json<readonly string[]>()),
  /** Sealed for the row `id`. */
  secret: text(),
  previousSecret: orNull(text()),
  previousSecretUntilMs: orNull(integer()),
  /** Null: enabled. */
  disabledReason: orNull(text<DisabledReason>()),
  disabledAtMs: orNull(integer()),
  failingSinceMs: orNull(integer()),
  createdAtMs: fixed(integer()),
  updatedAtMs: integer(),
})

/** A receiver that a merchant or a store's plug-in registered. */
export type Endpoint = ValuesOf<typeof endpoints>

/** Undefined when the merchant has no such endpoint, or deleted it. */
export async function loadEndpoint(
  tx: Tx,
  merchantId: MerchantId,
  id: string,
  dialect: Dialect = 'standard',
): Promise<Endpoint | undefined> {
  const row = await tx.get<object>(sql`
      select * from webhook_endpoints
       where id = ${id} and merchant_id = ${merchantId} and dialect = ${dialect}
         and disabled_reason is distinct from 'deleted'`)
  return row && endpoints.parse(row)
}

/** Oldest first. The number of a merchant's endpoints is bounded. */
export async function listEndpoints(
  tx: Tx,
  merchantId: MerchantId,
  dialect: Dialect = 'standard',
): Promise<Endpoint[]> {
  const rows = await tx.all<object>(sql`
      select * from webhook_endpoints
       where merchant_id = ${merchantId} and dialect = ${dialect} and disabled_reason is distinct from 'deleted'
       order by created_at_ms, id`)
  return rows.map(endpoints.parse)
}

export async function insertEndpoint(tx: Tx, endpoint: Endpoint): Promise<void> {
  await tx.run(sql`
      insert into webhook_endpoints (${endpoints.names}) values (${endpoints.values(endpoint)})`)
}

/** Stores what a merchant can change. Due deliveries go to the new URL. */
export async function saveEndpoint(tx: Tx, endpoint: Endpoint): Promise<void> {
  await tx.run(sql`update webhook_endpoints set ${endpoints.set(endpoint)} where id = ${endpoint.id}`)
  await tx.run(sql`
      update deliveries set url = ${endpoint.url}
       where receiver_key = ${endpoint.id} and state = 'due' and url <> ${endpoint.url}`)
}

/** Stops deliveries to the endpoint. Due deliveries fail, and can be replayed once the endpoint is enabled again. */
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

/** Deletes the secrets of an endpoint from its row. */
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
