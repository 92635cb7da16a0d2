import type { Caller } from '../../access/context/caller.ts'
import { PaymentError } from '../../core/errors.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { Db, Tx } from '../../db/db.ts'
import type { Vault } from '../../db/vault.ts'
import { loadMerchantSecrets, saveMerchantSecrets } from '../../merchant/merchant-store.ts'
import type { MerchantId } from '../../payment/payment.ts'
import {
  deliveryNumber,
  endpointTarget,
  eventBody,
  insertDelivery,
  insertEvent,
} from '../../payment/store/outbox-store.ts'
import { testEvent } from '../event-types.ts'
import { newWebhookSecret } from '../send/sign.ts'
import { type Targets, verifyTarget } from '../send/target.ts'
import {
  disableEndpoint,
  type Endpoint,
  forgetSecrets,
  insertEndpoint,
  listEndpoints,
  loadEndpoint,
  saveEndpoint,
} from './endpoint-store.ts'

/** Endpoints of a merchant, live and test together. Bounded because each event is delivered to each of them. */
export const endpointsMax = 20

/** How long a replaced secret still signs: long enough to update every server of a shop. */
const previousSecretMs = 24 * 60 * 60 * 1000

export const endpointDisabled = (id: string) =>
  new PaymentError('ENDPOINT_DISABLED', `The webhook endpoint ${id} is disabled or deleted. Enable it first.`)

/** @throws {PaymentError} ENDPOINT_NOT_FOUND, also when the endpoint belongs to another merchant. */
export async function ownEndpoint(tx: Tx, merchantId: MerchantId, id: string): Promise<Endpoint> {
  const endpoint = await loadEndpoint(tx, merchantId, id)
  if (!endpoint) throw new PaymentError('ENDPOINT_NOT_FOUND', `There is no webhook endpoint ${id}.`)
  return endpoint
}

/** The fields that a merchant sets. `types` null: all event types. */
export type EndpointTerms = { url: string; description: string; types: readonly string[] | null }

type Deps = { db: Db; runtime: Runtime; vault: Vault; webhookTargets: Targets }

/** The webhook endpoints of a merchant. */
export function createEndpoints({ db, runtime, vault, webhookTargets }: Deps) {
  /** A new secret, and until when the previous secret also signs. */
  function replaced(row: string, current: string, isAtOnce: boolean) {
    const secret = newWebhookSecret(runtime)
    const previousUntilMs = isAtOnce ? null : runtime.nowMs() + previousSecretMs
    return { secret, sealed: vault.seal(secret, row), previous: isAtOnce ? null : current, previousUntilMs }
  }

  return {
    list: (caller: Caller): Promise<Endpoint[]> => db.read((tx) => listEndpoints(tx, caller.merchantId)),

    read: (caller: Caller, id: string): Promise<Endpoint> => db.read((tx) => ownEndpoint(tx, caller.merchantId, id)),

    /** @returns the endpoint and its secret, which is shown once. */
    async create({ merchantId }: Caller, isTest: boolean, terms: EndpointTerms) {
      verifyTarget('url', terms.url, webhookTargets)
      const id = `we_${runtime.newUuid()}`
      const secret = newWebhookSecret(runtime)
      const nowMs = runtime.nowMs()
      const endpoint: Endpoint = {
        id,
        merchantId,
        isTest,
        ...terms,
        dialect: 'standard',
        storeKeyId: null,
        retries: true,
        secret: vault.seal(secret, id),
        previousSecret: null,
        previousSecretUntilMs: null,
        disabledReason: null,
        disabledAtMs: null,
        failingSinceMs: null,
        createdAtMs: nowMs,
        updatedAtMs: nowMs,
      }
      await db.write(async (tx) => {
        if ((await listEndpoints(tx, merchantId)).length >= endpointsMax) {
          const message = `A merchant has at most ${endpointsMax} webhook endpoints: delete one first.`
          throw new PaymentError('TOO_MANY_ENDPOINTS', message)
        }
        await insertEndpoint(tx, endpoint)
      })
      return { endpoint, secret }
    },

    /** Enabling an endpoint clears its failures but sends no missed events; replay them. @returns the endpoint before and after. */
    async change(
      { merchantId }: Caller,
      id: string,
      changes: Partial<EndpointTerms> & { enabled?: boolean | undefined },
    ) {
      const { enabled, ...terms } = changes
      verifyTarget('url', terms.url, webhookTargets)
      return await db.write(async (tx) => {
        const before = await ownEndpoint(tx, merchantId, id)
        const nowMs = runtime.nowMs()
        const enabling = enabled === true && before.disabledReason !== null
        const fresh = { disabledReason: null, disabledAtMs: null, failingSinceMs: null }
        await saveEndpoint(tx, { ...before, ...terms, ...(enabling && fresh), updatedAtMs: nowMs })
        if (enabled === false && before.disabledReason === null) await disableEndpoint(tx, id, 'merchant', nowMs)
        return { before, endpoint: await ownEndpoint(tx, merchantId, id) }
      })
    },

    /** Deletes the endpoint. Its deliveries remain readable. @returns the endpoint as it was. */
    async remove({ merchantId }: Caller, id: string): Promise<Endpoint> {
      return await db.write(async (tx) => {
        const before = await ownEndpoint(tx, merchantId, id)
        await disableEndpoint(tx, id, 'deleted', runtime.nowMs())
        await forgetSecrets(tx, id)
        return before
      })
    },

    /** @param isAtOnce - Ends the old secret at once, because it was exposed. */
    async rotateSecret({ merchantId }: Caller, id: string, isAtOnce: boolean) {
      return await db.write(async (tx) => {
        const before = await ownEndpoint(tx, merchantId, id)
        const next = replaced(id, before.secret, isAtOnce)
        const endpoint: Endpoint = {
          ...before,
          secret: next.sealed,
          previousSecret: next.previous,
          previousSecretUntilMs: next.previousUntilMs,
          updatedAtMs: runtime.nowMs(),
        }
        await saveEndpoint(tx, endpoint)
        return { endpoint, secret: next.secret }
      })
    },

    /** Replaces the secret that signs deliveries to callbackUrls. */
    async rotateMerchantSecret({ merchantId }: Caller, isAtOnce: boolean) {
      return await db.write(async (tx) => {
        const before = await loadMerchantSecrets(tx, merchantId)
        if (!before) throw new Error(`The merchant ${merchantId} of the caller does not exist.`)
        const { secret, sealed, previous, previousUntilMs } = replaced(merchantId, before.current, isAtOnce)
        await saveMerchantSecrets(tx, merchantId, { current: sealed, previous, previousUntilMs })
        return { secret, previousUntilMs }
      })
    },

    /** Queues a test event that belongs to no payment. @returns the number of its delivery. */
    async sendTest({ merchantId }: Caller, id: string): Promise<number> {
      return await db.write(async (tx) => {
        const { url, disabledReason, isTest } = await ownEndpoint(tx, merchantId, id)
        if (disabledReason !== null) throw endpointDisabled(id)
        const atMs = runtime.nowMs()
        const { type, example } = testEvent
        const event = { merchantId, isTest, paymentId: null, sequence: 1, type, createdAtMs: atMs }
        const number = await insertEvent(tx, event, eventBody(type, atMs, example))
        const target = endpointTarget(id, url)
        insertDelivery(tx, number, event, target, atMs)
        return await deliveryNumber(tx, number, target)
      })
    },
  }
}
