import { type Caller, tillOf } from '../../access/context/caller.ts'
import type { RequestInfo } from '../../access/context/env.ts'
import type { IdempotencyKey } from '../../access/operation/idempotency-key.ts'
import type { FailPayment } from '../../checkout/fail-payment.ts'
import type { LinkId } from '../../checkout/link/link.ts'
import type { Links } from '../../checkout/link/manage-links.ts'
import { receiptPath } from '../../checkout/pay-page/receipt/receipt.ts'
import { qrCode } from '../../checkout/qr.ts'
import type { PaymentViewer, PublicView } from '../../checkout/read/payment-view.ts'
import { PaymentError } from '../../core/errors.ts'
import type { Log } from '../../core/log.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { Db } from '../../db/db.ts'
import { loadPayments } from '../../payment/store/payment-store.ts'
import { countSales, insertSale, listSales, loadSale, openPaymentsOf, type SaleRow } from './sale-store.ts'
import { loadTill } from './till-store.ts'

const minuteMs = 60_000

/** Time to pay a sale: the customer is at the counter. */
const saleMs = 15 * minuteMs

/** Maximum sales of one till within `saleMs`; no counter sells more than one every five seconds. */
const salesMax = 180

/** Maximum sales per response. */
const listMax = 200

/** Maximum payments that a cancellation ends; a link has at most as many open ones. */
const openMax = 200

export const saleStates = ['open', 'partial', 'detected', 'paid', 'cancelled', 'expired'] as const
export type SaleState = (typeof saleStates)[number]

const saleNotFound = (id: string) => new PaymentError('NOT_FOUND', `This till has no sale ${id}.`)

/** `partial`: less than the amount has arrived. `detected`: the whole amount has arrived and is unconfirmed. */
function saleStateOf(
  { endedAtMs, expiresAtMs }: Pick<SaleRow, 'endedAtMs' | 'expiresAtMs'>,
  payment: Pick<PublicView, 'outcome' | 'amountDetected' | 'amountRemaining'> | null,
  nowMs: number,
): SaleState {
  if (payment?.outcome === 'paid') return 'paid'
  if (payment?.outcome === 'pending' && payment.amountDetected !== null) {
    return /[1-9]/.test(payment.amountRemaining) ? 'partial' : 'detected'
  }
  if (endedAtMs !== null) return 'cancelled'
  // A payment that the customer started in time has its own window.
  const isOver = expiresAtMs !== null && expiresAtMs <= nowMs
  return isOver && payment?.outcome !== 'pending' ? 'expired' : 'open'
}

type Deps = {
  db: Db
  runtime: Runtime
  log: Log
  links: Links
  viewer: PaymentViewer
  failPayment: FailPayment
}

export type Sales = ReturnType<typeof createSales>
type SaleView = Awaited<ReturnType<Sales['read']>>

/** A till's sales: each is a payment link for one payment by a customer at the counter. */
export function createSales({ db, runtime, log, links, viewer, failPayment }: Deps) {
  /** @param origin - The service's origin for customers; null if unknown. */
  function viewOf(sale: SaleRow, payment: PublicView | null, origin: string | null) {
    const url = origin === null ? null : `${origin}/pay/${sale.id}`
    const receipt = payment?.outcome === 'paid' && origin !== null ? origin + receiptPath(payment.id) : null
    const address = payment?.outcome === 'pending' ? payment.depositAddress : null
    return {
      id: sale.id as string,
      state: saleStateOf(sale, payment, runtime.nowMs()),
      amount: sale.amount,
      price: sale.price,
      priceCurrency: sale.priceCurrency,
      description: sale.description,
      createdAt: new Date(sale.createdAtMs).toISOString(),
      url,
      qr: url === null ? null : qrCode(url),
      receiptUrl: receipt,
      receiptQr: receipt === null ? null : qrCode(receipt),
      payment: payment && {
        id: payment.id as string,
        currency: payment.currency,
        networkName: payment.Network.name,
        amount: payment.amount,
        amountReceived: payment.amountDetected ?? '0.00',
        amountRemaining: payment.amountRemaining,
        confirmations: payment.confirmations,
        requiredConfirmations: payment.requiredConfirmations,
        address,
        addressQr: address === null ? null : qrCode(address),
      },
    }
  }

  async function viewsOf(rows: readonly SaleRow[], origin: string | null) {
    const ids = rows.flatMap(({ paymentId }) => (paymentId === null ? [] : [paymentId]))
    const payments = ids.length === 0 ? new Map() : await db.read((tx) => loadPayments(tx, ids))
    return await Promise.all(
      rows.map(async (row) => {
        const payment = row.paymentId === null ? undefined : await payments.get(row.paymentId)
        return viewOf(row, payment ? viewer.public(payment, origin) : null, origin)
      }),
    )
  }

  /** @throws {PaymentError} NOT_FOUND, also for another till's sale. */
  async function read(caller: Caller, id: string, origin: string | null) {
    const row = await db.read((tx) => loadSale(tx, tillOf(caller).id, id as LinkId))
    const [view] = row ? await viewsOf([row], origin) : []
    if (!view) throw saleNotFound(id)
    return view
  }

  /** Creates a payment in the till's preferred token. If that fails, the customer chooses one through the link. */
  async function payFirst(
    caller: Caller,
    id: LinkId,
    request: RequestInfo,
    till: { network: string; currency: string },
  ) {
    const link = await links.read(id)
    const visitor = await links.visitor(link, tillOf(caller).address)
    try {
      // The scope keeps the key apart: customers know the sale's id, and a key in their endpoint's scope would return the client
      // secret.
      await links.pay(link, visitor, request, till, { kind: 'header', value: id }, 'till/sales')
    } catch (error) {
      if (!(error instanceof PaymentError)) throw error
      log.warn(
        { till: tillOf(caller).id, code: error.code },
        "Creating a payment in the till's token failed; the customer chooses a token",
      )
    }
  }

  return {
    read,

    /**
     * Creates a sale. A repeat with the same key returns the same sale.
     * @param asked - Decimal text in the till's currency.
     * @throws {PaymentError} RATE_LIMITED; VALIDATION_FAILED for an invalid amount.
     */
    async create(
      caller: Caller,
      request: RequestInfo,
      { amount, description }: { amount: string; description: string | undefined },
      key: IdempotencyKey | undefined,
    ) {
      const { id: tillId } = tillOf(caller)
      const nowMs = runtime.nowMs()
      const { till, recent } = await db.read(async (tx) => ({
        till: await loadTill(tx, caller.merchantId, tillId),
        recent: await countSales(tx, tillId, nowMs - saleMs),
      }))
      if (!till) throw saleNotFound(tillId)
      if (recent >= salesMax) {
        const message = `A till creates at most ${salesMax} sales in ${saleMs / minuteMs} minutes.`
        throw new PaymentError('RATE_LIMITED', message, { retryAfterSeconds: 60 })
      }
      const money = till.priceCurrency === null ? { amount } : { price: amount, priceCurrency: till.priceCurrency }
      const terms = {
        ...money,
        description,
        maxPayments: 1,
        expiresAt: new Date(nowMs + saleMs).toISOString(),
        isTest: till.isTest,
      }
      const { response } = await links.create({ caller, key }, terms, ({ id }) => ({ id }), {
        within: (tx, { id }) => insertSale(tx, tillId, id, nowMs),
      })
      const { network, currency } = till
      if (network !== null && currency !== null) await payFirst(caller, response.id, request, { network, currency })
      return await read(caller, response.id, request.origin)
    },

    /** Newest first, with the totals of paid sales. */
    async list(caller: Caller, sinceMs: number, origin: string | null) {
      const rows = await db.read((tx) => listSales(tx, tillOf(caller).id, sinceMs, listMax))
      const sales = await viewsOf(rows, origin)
      return { sales, totals: totalsOf(sales), isComplete: rows.length < listMax }
    },

    /** Ends the sale. A payment that has received money continues: it is the customer's. */
    async cancel(caller: Caller, id: string, origin: string | null) {
      await read(caller, id, origin)
      await links.end(caller, id as LinkId)
      const open = await db.read((tx) => openPaymentsOf(tx, id as LinkId, openMax))
      for (const payment of open) {
        // With the customer's rights: the merchant's would also end a partly paid payment.
        const customer = { caller: null, hasClientSecret: true }
        await failPayment(customer, payment, { as: 'cancelled', reason: 'cancelled at the till' })
      }
      return await read(caller, id, origin)
    },
  }
}

/** Exact totals of paid sales by currency: the requested price, or else the payment's amount in tokens. */
function totalsOf(sales: readonly SaleView[]): { currency: string; amount: string; sales: number }[] {
  const totals = new Map<string, { scaled: bigint; sales: number }>()
  for (const { state, price, priceCurrency, payment } of sales) {
    if (state !== 'paid' || payment === null) continue
    const [amount, currency] =
      price !== null && priceCurrency !== null ? [price, priceCurrency] : [payment.amount, payment.currency]
    const total = totals.get(currency) ?? { scaled: 0n, sales: 0 }
    totals.set(currency, { scaled: total.scaled + scaledOf(amount), sales: total.sales + 1 })
  }
  return [...totals].map(([currency, { scaled, sales: count }]) => ({ currency, amount: textOf(scaled), sales: count }))
}

/** At least as many decimals as any token has. */
const decimals = 18

function scaledOf(amount: string): bigint {
  const [whole = '', fraction = ''] = amount.split('.')
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

function textOf(scaled: bigint): string {
  const digits = String(scaled).padStart(decimals + 1, '0')
  const fraction = digits.slice(-decimals).replace(/0+$/, '').padEnd(2, '0')
  return `${digits.slice(0, -decimals)}.${fraction}`
}
