import type { Caller } from '../access/context/caller.ts'
import type { Link, LinkId } from '../checkout/link/link.ts'
import { endLink, loadLink } from '../checkout/link/link-store.ts'
import type { Links } from '../checkout/link/manage-links.ts'
import { PaymentError } from '../core/errors.ts'
import type { Networks } from '../core/families.ts'
import type { Runtime } from '../core/runtime.ts'
import type { Db, Tx } from '../db/db.ts'
import type { Ledger } from '../payment/ledger.ts'
import { isUntouched, type MerchantId, outcomeOf } from '../payment/payment.ts'
import { descriptionOf, type NewInvoice, orderIdOf, redirectUrlOf } from './invoice-body.ts'
import { nothingReported } from './invoice-events.ts'
import { type InvoiceStatus, type MarkStatus, marksOf, stateOf } from './invoice-state.ts'
import {
  type InvoiceFilter,
  insertInvoice,
  listInvoices,
  loadInvoice,
  loadInvoicePayments,
  nthNewestAtMs,
  type StoredInvoice,
  saveInvoice,
} from './invoice-store.ts'
import type { ReadInvoice } from './invoice-view.ts'
import { findMethod, methodsOf, tokenOf } from './payment-methods.ts'
import { asRefusal, refuse, refuseField } from './refusal.ts'

/** Invoices that a list reads to filter by status, which is not stored. */
const scanMax = 500

/** Invoices that are read in one turn of the event loop, with up to 32 kB of metadata each. */
const stepMax = 20

const minuteMs = 60_000

/** Invoices of one merchant per minute. No shop sells as much, and each keeps up to 32 kB of metadata for good. */
const perMinuteMax = 600

const tooMany = () =>
  new PaymentError('RATE_LIMITED', `A store creates at most ${perMinuteMax} invoices a minute.`, {
    retryAfterSeconds: minuteMs / 1000,
  })

/** The invoice with all that decides its status. */
export async function readInvoice(tx: Tx, invoice: StoredInvoice, nowMs: number): Promise<ReadInvoice> {
  const link = await loadLink(tx, invoice.linkId)
  if (!link) throw new Error(`The invoice ${invoice.linkId} has no payment link.`)
  const payments = await loadInvoicePayments(tx, link.id)
  const { marked, markedAtMs, reported } = invoice
  const facts = {
    link,
    payments,
    marked: marked === null ? null : { as: marked, atMs: markedAtMs ?? 0 },
    wasSettled: reported.status === 'Settled' || (reported.status === 'Invalid' && marked === null),
  }
  return { invoice, link, payments, state: stateOf(facts, nowMs) }
}

type Deps = { db: Db; ledger: Ledger; networks: Networks; runtime: Runtime; links: Links }

export type Invoices = ReturnType<typeof createInvoices>

/** Invoices of plug-ins. Each is a payment link for one payment; the customer chooses network and token. */
export function createInvoices({ db, ledger, networks, runtime, links }: Deps) {
  async function ownIn(tx: Tx, merchantId: MerchantId, id: string): Promise<StoredInvoice> {
    const invoice = await loadInvoice(tx, id)
    if (invoice?.merchantId !== merchantId) throw refuse(404, 'invoice-not-found', 'The invoice was not found')
    return invoice
  }

  /** The link's tokens for the methods that the plug-in names. @throws {Refusal} 422 for a method that the merchant cannot take. */
  function choicesOf(caller: Caller, ids: readonly string[] | null) {
    if (ids === null) return { choices: undefined, paymentMethods: null }
    const known = methodsOf(networks, caller.wallets)
    const chosen = ids.map((id, index) => {
      const method = findMethod(known, id)
      if (method) return method
      const names = known.map((one) => one.id).join(', ') || 'none'
      throw refuseField(
        `checkout.paymentMethods[${index}]`,
        `"${id.slice(0, 60)}" is not a payment method of this store. Known: ${names}`,
      )
    })
    return { choices: chosen.map(tokenOf), paymentMethods: chosen.map(({ id }) => id) }
  }

  /** The last list of each merchant that waits or is read. */
  const lists = new Map<MerchantId, Promise<unknown>>()

  /** The lists of one merchant are read one after another, because each may hold some megabytes. */
  async function inTurn<List>(merchantId: MerchantId, read: () => Promise<List>): Promise<List> {
    const before = lists.get(merchantId)
    const own = Promise.resolve(before?.catch(() => undefined)).then(read)
    lists.set(merchantId, own)
    try {
      return await own
    } finally {
      if (lists.get(merchantId) === own) lists.delete(merchantId)
    }
  }

  return {
    /** Always creates: a plug-in makes several invoices for one order, so an order id does not identify an invoice. */
    async create(caller: Caller, storeKeyId: string, given: NewInvoice): Promise<ReadInvoice> {
      const { metadata, checkout } = given
      const orderId = orderIdOf(metadata)
      const { choices, paymentMethods } = choicesOf(caller, checkout.paymentMethods)
      const nowMs = runtime.nowMs()
      const id = links.newId()
      const { redirectURL, paymentTolerance } = checkout
      const terms = {
        price: given.amount,
        priceCurrency: given.currency,
        choices,
        toleranceBps: paymentTolerance === null ? undefined : Math.round(paymentTolerance * 100),
        description: descriptionOf(metadata),
        maxPayments: 1,
        expiresAt: new Date(nowMs + checkout.expirationMinutes * minuteMs).toISOString(),
        orderId: orderId ?? undefined,
        returnUrl: redirectURL === null ? undefined : redirectUrlOf(redirectURL, id, orderId),
        isTest: false,
      }
      const stored = (link: Link): StoredInvoice => ({
        linkId: link.id,
        merchantId: caller.merchantId,
        storeKeyId,
        orderId,
        metadata,
        checkout: { ...checkout, paymentMethods },
        isArchived: false,
        marked: null,
        markedAtMs: null,
        reported: nothingReported,
        sequence: 0,
        dueAtMs: nowMs,
        createdAtMs: nowMs,
      })
      const within = async (tx: Tx, link: Link) => {
        const oldestMs = await nthNewestAtMs(tx, caller.merchantId, perMinuteMax)
        if (oldestMs !== undefined && oldestMs > nowMs - minuteMs) throw tooMany()
        await insertInvoice(tx, stored(link))
        tx.notify(link.id)
      }
      await links
        .create({ caller, key: undefined }, terms, () => ({}), { id, within })
        .catch((error: unknown) => {
          throw asRefusal(error, 'amount')
        })
      return await this.read(caller.merchantId, id)
    },

    /** @throws {Refusal} 404 when the store has no such invoice. */
    read: (merchantId: MerchantId, id: string): Promise<ReadInvoice> =>
      db.read(async (tx) => await readInvoice(tx, await ownIn(tx, merchantId, id), runtime.nowMs())),

    /** For the pages that customers open: finds the invoice of any merchant; undefined when there is none. */
    find: (id: string) => db.read(async (tx) => await loadInvoice(tx, id)),

    /** Newest first. With `statuses`, searches only the newest {@link scanMax} invoices. @param left - Ends the reading early. */
    list: (
      merchantId: MerchantId,
      filter: InvoiceFilter & { statuses: readonly InvoiceStatus[] | null; take: number; skip: number },
      left?: AbortSignal,
    ): Promise<ReadInvoice[]> =>
      inTurn(merchantId, async () => {
        const { statuses, take, skip } = filter
        const found: ReadInvoice[] = []
        let passed = 0
        let next: number | undefined = Number.MAX_SAFE_INTEGER
        for (let scanned = 0; next !== undefined && found.length < take && scanned < scanMax; scanned += stepMax) {
          // SQLite answers synchronously: without turns, a long list would hold up every other request.
          await new Promise((resolve) => setImmediate(resolve))
          if (left?.aborted) break
          const before: number = next
          const page =
            statuses === null
              ? { limit: Math.min(stepMax, take - found.length), offset: scanned === 0 ? skip : 0, before }
              : { limit: stepMax, before }
          const step = await db.read(async (tx) => {
            const rows = await listInvoices(tx, merchantId, filter, page)
            const read: ReadInvoice[] = []
            for (const row of rows) read.push(await readInvoice(tx, row, runtime.nowMs()))
            return { read, next: rows.length < page.limit ? undefined : rows.at(-1)?.number }
          })
          next = step.next
          for (const one of step.read) {
            const isWanted = statuses === null || statuses.includes(one.state.status)
            if (isWanted && found.length < take && (statuses === null || passed++ >= skip)) found.push(one)
          }
        }
        return found
      }),

    async setMetadata(merchantId: MerchantId, id: string, metadata: string): Promise<ReadInvoice> {
      const orderId = orderIdOf(metadata)
      return await db.write(async (tx) => {
        const invoice = { ...(await ownIn(tx, merchantId, id)), metadata, orderId }
        await saveInvoice(tx, invoice)
        return await readInvoice(tx, invoice, runtime.nowMs())
      })
    },

    /** @throws {Refusal} 400 when an invoice that is not archived is to be unarchived. */
    async archive(merchantId: MerchantId, id: string, isArchived: boolean): Promise<ReadInvoice> {
      return await db.write(async (tx) => {
        const before = await ownIn(tx, merchantId, id)
        if (!isArchived && !before.isArchived) {
          throw refuse(400, 'already-unarchived', 'The invoice is not archived')
        }
        const invoice = { ...before, isArchived }
        await saveInvoice(tx, invoice)
        return await readInvoice(tx, invoice, runtime.nowMs())
      })
    },

    /** Sets the status by hand. The link takes no new payment, and payments without money end. Money on its way still counts. */
    async mark(merchantId: MerchantId, id: string, as: MarkStatus): Promise<ReadInvoice> {
      return await db.write(async (tx) => {
        const nowMs = runtime.nowMs()
        const invoice = await ownIn(tx, merchantId, id)
        const { state, payments } = await readInvoice(tx, invoice, nowMs)
        if (!marksOf(state).includes(as)) {
          throw refuseField('status', `An invoice that is ${state.status} cannot be marked as ${as}`)
        }
        await endLink(tx, id as LinkId, nowMs)
        for (const { payment } of payments) {
          if (outcomeOf(payment) !== 'pending' || !isUntouched(payment)) continue
          await ledger.applyIn(tx, payment.id, { type: 'payment.closed', as: 'cancelled', atMs: nowMs })
        }
        const marked = { ...invoice, marked: as, markedAtMs: nowMs, dueAtMs: nowMs }
        await saveInvoice(tx, marked)
        tx.notify(id)
        return await readInvoice(tx, marked, nowMs)
      })
    },
  }
}
