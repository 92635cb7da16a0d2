import type { Runtime } from '../core/runtime.ts'
import type { Db, Tx } from '../db/db.ts'
import type { Vault } from '../db/vault.ts'
import type { MerchantId } from '../payment/payment.ts'
import { endpointsMax } from '../webhook/endpoints/endpoint.ts'
import {
  disableEndpoint,
  type Endpoint,
  forgetSecrets,
  insertEndpoint,
  listEndpoints,
  loadEndpoint,
  saveEndpoint,
} from '../webhook/endpoints/endpoint-store.ts'
import { type Targets, verifyTarget } from '../webhook/send/target.ts'
import { deliveryIdOf, parseDeliveryId, queueDelivery } from './invoice-outbox.ts'
import { loadInvoice, saveInvoice } from './invoice-store.ts'
import { memberText, Verbatim } from './json-text.ts'
import { asRefusal, refuse } from './refusal.ts'
import { loadStoreKey, type StoreKey } from './store-key-store.ts'
import {
  type ListedDelivery,
  listStoreDeliveries,
  loadStoreDelivery,
  type StoreDelivery,
} from './store-webhook-store.ts'

/** 160 bits, written as text that fits into any plug-in's field. */
const secretBytes = 20

export type WebhookTerms = {
  url: string
  /** Null: a new webhook gets a new secret, and an existing one keeps its own. */
  secret: string | null
  enabled: boolean
  retries: boolean
  /** Null: all. */
  types: readonly string[] | null
}

type Deps = { db: Db; runtime: Runtime; vault: Vault; webhookTargets: Targets }

export type StoreWebhooks = ReturnType<typeof createStoreWebhooks>

const missing = () => refuse(404, 'webhook-not-found', 'The webhook was not found')

/** Webhooks that plug-ins register: endpoints like the merchant's own, but with BTCPay's events and signature. */
export function createStoreWebhooks({ db, runtime, vault, webhookTargets }: Deps) {
  async function own(tx: Tx, merchantId: MerchantId, id: string): Promise<Endpoint> {
    const endpoint = await loadEndpoint(tx, merchantId, id, 'btcpay')
    if (!endpoint) throw missing()
    return endpoint
  }

  /** Reads the key again within the commit: unpairing deletes its webhooks, and no request may create one afterwards. */
  async function verifyPairing(tx: Tx, { id, merchantId }: Pick<StoreKey, 'id' | 'merchantId'>): Promise<void> {
    const key = await loadStoreKey(tx, merchantId, id)
    if (key?.revokedAtMs !== null) throw refuse(401, 'unauthenticated', 'The pairing of this store has ended.')
  }

  function verifyUrl(url: string): void {
    try {
      verifyTarget('url', url, webhookTargets)
    } catch (error) {
      throw asRefusal(error, 'url')
    }
  }

  async function ownDelivery(tx: Tx, merchantId: MerchantId, id: string, deliveryId: string) {
    const endpoint = await own(tx, merchantId, id)
    const parts = parseDeliveryId(deliveryId)
    const delivery = parts && (await loadStoreDelivery(tx, endpoint.id, parts.invoiceId, parts.sequence))
    if (!delivery) throw refuse(404, 'delivery-not-found', 'The delivery was not found')
    return { endpoint, delivery }
  }

  return {
    list: (merchantId: MerchantId) => db.read((tx) => listEndpoints(tx, merchantId, 'btcpay')),

    read: (merchantId: MerchantId, id: string) => db.read((tx) => own(tx, merchantId, id)),

    /** @param within - Runs in the same commit. @returns the webhook and its secret: the plug-in's, or a new one. */
    async create(
      key: Pick<StoreKey, 'id' | 'merchantId'>,
      terms: WebhookTerms,
      within?: (tx: Tx, endpoint: Endpoint) => Promise<void>,
    ) {
      const { id: storeKeyId, merchantId } = key
      verifyUrl(terms.url)
      const id = `we_${runtime.newUuid().replaceAll('-', '')}`
      const secret = terms.secret ?? Buffer.from(runtime.randomBytes(secretBytes)).toString('base64url')
      const nowMs = runtime.nowMs()
      const endpoint: Endpoint = {
        id,
        merchantId,
        isTest: false,
        url: terms.url,
        description: '',
        dialect: 'btcpay',
        storeKeyId,
        retries: terms.retries,
        types: terms.types,
        secret: vault.seal(secret, id),
        previousSecret: null,
        previousSecretUntilMs: null,
        disabledReason: terms.enabled ? null : 'merchant',
        disabledAtMs: terms.enabled ? null : nowMs,
        failingSinceMs: null,
        createdAtMs: nowMs,
        updatedAtMs: nowMs,
      }
      await db.write(async (tx) => {
        await verifyPairing(tx, key)
        if ((await listEndpoints(tx, merchantId, 'btcpay')).length >= endpointsMax) {
          throw refuse(400, 'too-many-webhooks', `A store has at most ${endpointsMax} webhooks: delete one first.`)
        }
        await insertEndpoint(tx, endpoint)
        await within?.(tx, endpoint)
      })
      return { endpoint, secret }
    },

    /** The secret is shown to its creator alone: as in BTCPay, no response to a change contains it. */
    async change(key: Pick<StoreKey, 'id' | 'merchantId'>, id: string, terms: WebhookTerms): Promise<Endpoint> {
      const { id: storeKeyId, merchantId } = key
      verifyUrl(terms.url)
      return await db.write(async (tx) => {
        await verifyPairing(tx, key)
        const before = await own(tx, merchantId, id)
        const nowMs = runtime.nowMs()
        const isEnabling = terms.enabled && before.disabledReason !== null
        const enabled = isEnabling ? { disabledReason: null, disabledAtMs: null, failingSinceMs: null } : {}
        const secret = terms.secret === null ? before.secret : vault.seal(terms.secret, id)
        const { url, retries, types } = terms
        const changed = { url, retries, types, secret, storeKeyId, updatedAtMs: nowMs }
        await saveEndpoint(tx, { ...before, ...enabled, ...changed })
        if (!terms.enabled && before.disabledReason === null) await disableEndpoint(tx, id, 'merchant', nowMs)
        return await own(tx, merchantId, id)
      })
    },

    async remove(merchantId: MerchantId, id: string): Promise<void> {
      await db.write(async (tx) => {
        await own(tx, merchantId, id)
        await disableEndpoint(tx, id, 'deleted', runtime.nowMs())
        await forgetSecrets(tx, id)
      })
    },

    deliveries: (merchantId: MerchantId, id: string, limit: number): Promise<ListedDelivery[]> =>
      db.read(async (tx) => await listStoreDeliveries(tx, merchantId, (await own(tx, merchantId, id)).id, limit)),

    delivery: (merchantId: MerchantId, id: string, deliveryId: string): Promise<StoreDelivery> =>
      db.read(async (tx) => (await ownDelivery(tx, merchantId, id, deliveryId)).delivery),

    /** Queues the event again, as a new delivery. @returns the new delivery's id. */
    async redeliver(merchantId: MerchantId, id: string, deliveryId: string): Promise<string> {
      return await db.write(async (tx) => {
        const { endpoint, delivery } = await ownDelivery(tx, merchantId, id, deliveryId)
        if (endpoint.disabledReason !== null) throw refuse(400, 'webhook-disabled', 'Enable the webhook first.')
        const invoice = await loadInvoice(tx, String(delivery.paymentId))
        if (!invoice) throw missing()
        const sequence = invoice.sequence + 1
        const original = JSON.parse(delivery.body) as { type: string } & Record<string, unknown>
        const again = deliveryIdOf(invoice.linkId, sequence)
        const metadata = new Verbatim(memberText(delivery.body, 'metadata') ?? '{}')
        const body = { ...original, deliveryId: again, isRedelivery: true, metadata }
        await queueDelivery(tx, { ...invoice, sequence }, endpoint, body, runtime.nowMs())
        await saveInvoice(tx, { ...invoice, sequence })
        tx.notify(invoice.linkId)
        return again
      })
    },
  }
}
