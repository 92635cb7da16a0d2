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

/** The customer stands at the counter. */
const saleMs = 15 * minuteMs

/** Sales that one till may create within `saleMs`: more than one in five seconds is no counter. */
const salesMax = 180

/** Sales of one answer. */
const listMax = 200

/** Payments that a cancel ends: a link has at most as many open ones. */
const openMax = 200

export const saleStates = ['open', 'partial', 'detected', 'paid', 'cancelled', 'expired'] as const
export type SaleState = (typeof saleStates)[number]

const saleNotFound = (id: string) => new PaymentError('NOT_FOUND', `This till has no sale ${id}.`)

/** `partial`: less than was asked for has come. `detected`: the whole amount has come and is not confirmed. */
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
  // A payment that the customer began in time has a window of its own.
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

/** Sales of a till: each is a payment link for one payment, whose customer is at the counter. */
export function createSales({ db, runtime, log, links, viewer, failPayment }: Deps) {
  /** @param origin - This service's origin for customers; null: unknown. */
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

  /** @throws {PaymentError} NOT_FOUND: also for a sale of another till. */
  async function read(caller: Caller, id: string, origin: string | null) {
    const row = await db.read((tx) => loadSale(tx, tillOf(caller).id, id as LinkId))
    const [view] = row ? await viewsOf([row], origin) : []
    if (!view) throw saleNotFound(id)
    return view
  }

  /** A payment in what the till asks for first. Without one the customer chooses by the link. */
  async function payFirst(
    caller: Caller,
    id: LinkId,
    request: RequestInfo,
    till: { network: string; currency: string },
  ) {
    const link = await links.read(id)
    const visitor = await links.visitor(link, tillOf(caller).address)
    try {
      // Customers know the id of the sale: with a key of their endpoint they would get the client secret.
      await links.pay(link, visitor, request, till, { kind: 'header', value: id }, 'till/sales')
    } catch (error) {
      if (!(error instanceof PaymentError)) throw error
      log.warn(
        { till: tillOf(caller).id, code: error.code },
        'The till cannot ask for its own token now; the customer chooses',
      )
    }
  }

  return {
    read,

    /**
     * A repeat with the same key returns the same sale.
     * @param asked - Decimal text in the till's currency.
     * @throws {PaymentError} RATE_LIMITED; VALIDATION_FAILED for what is no amount.
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
      const { response } = await links.create({ caller, key }, terms, ({ id }) => ({ id }))
      await db.write((tx) => insertSale(tx, tillId, response.id, nowMs))
      const { network, currency } = till
      if (network !== null && currency !== null) await payFirst(caller, response.id, request, { network, currency })
      return await read(caller, response.id, request.origin)
    },

    /** Newest first, with the sums of those that are paid. */
    async list(caller: Caller, sinceMs: number, origin: string | null) {
      const rows = await db.read((tx) => listSales(tx, tillOf(caller).id, sinceMs, listMax))
      const sales = await viewsOf(rows, origin)
      return { sales, totals: totalsOf(sales), isComplete: rows.length < listMax }
    },

    /** Ends the sale. A payment that money has come for goes on: it is the customer's. */
    async cancel(caller: Caller, id: string, origin: string | null) {
      await read(caller, id, origin)
      await links.end(caller, id as LinkId)
      const open = await db.read((tx) => openPaymentsOf(tx, id as LinkId, openMax))
      for (const payment of open) {
        // As the customer: with the merchant's rights it would also end a payment that is half paid.
        const customer = { caller: null, hasClientSecret: true }
        await failPayment(customer, payment, { as: 'cancelled', reason: 'cancelled at the till' })
      }
      return await read(caller, id, origin)
    },
  }
}

/** Of paid sales, by currency: what was asked for in money, else what came in tokens. Exact. */
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

/** More decimals than any token of the service has. */
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
