import { type ClientSecrets, clientSecretRequired } from '../../access/callers/client-secret.ts'
import type { Caller } from '../../access/context/caller.ts'
import type { IdempotencyKey } from '../../access/operation/idempotency-key.ts'
import { familyOf } from '../../chain/index.ts'
import { PaymentError, ValidationError } from '../../core/errors.ts'
import { findNetwork, highValueConfirmations, type Network, type Networks } from '../../core/families.ts'
import type { Log } from '../../core/log.ts'
import { type BaseUnits, excess, formatAmount } from '../../core/money.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { Db, Tx } from '../../db/db.ts'
import { loadWallets } from '../../merchant/account-store.ts'
import type { Heads } from '../../network/heads.ts'
import type { Ledger } from '../../payment/ledger.ts'
import {
  initialRefund,
  type MerchantRefund,
  type MerchantRefundId,
  type MerchantRefundStatus,
  type RefundPlace,
  refundableByMerchant,
} from '../../payment/merchant-refund.ts'
import { outcomeOf, type Payment, type PaymentId } from '../../payment/payment.ts'
import {
  listMerchantRefunds,
  loadMerchantRefund,
  refundOfRequest,
  refundRowsPerPaymentMax,
  refundSumsOf,
  refundsOfPayment,
  refundsPerPaymentMax,
} from '../../payment/store/merchant-refund-store.ts'
import { isDepositAddress, loadPayment } from '../../payment/store/payment-store.ts'
import type { ReadRates } from '../../rates/read-rates.ts'
import { isOfCaller } from '../access.ts'
import { idempotencyScope } from '../idempotency-store.ts'
import { paymentNotFound } from '../read/payment-reader.ts'
import { parseRefundAddress } from '../refund-address.ts'
import { allWithTransfers, createMerchantRefundViewer, withTransfers } from './merchant-refund-view.ts'
import { createRefundMoney, type RefundMoneyAsked, refundAmountOf } from './refund-money.ts'
import { openPromptOf } from './refund-prompt-store.ts'

type RefundAsked = RefundMoneyAsked & { address?: string | undefined; reason?: string | undefined }

type Deps = {
  db: Db
  ledger: Ledger
  networks: Networks
  heads: Heads
  readRates: ReadRates
  runtime: Runtime
  log: Log
}

const refundNotFound = (id: string) => new PaymentError('REFUND_NOT_FOUND', `There is no refund ${id}.`)

export type MerchantRefunds = ReturnType<typeof createMerchantRefunds>

/** Requests, reads and cancels refunds that the merchant's wallet pays. */
function createMerchantRefunds(deps: Deps) {
  const { db, ledger, networks, heads, runtime, log } = deps
  const moneyOf = createRefundMoney(deps)

  /** @throws {PaymentError} 404, also for another merchant's refund. */
  async function ownIn(tx: Tx, caller: Caller, id: string): Promise<{ refund: MerchantRefund; payment: Payment }> {
    const found = await loadWithPayment(tx, id)
    if (!isOfCaller(caller, found.payment)) throw refundNotFound(id)
    return found
  }

  /**
   * Requests a refund. Reads the sums and stores the refund in one commit, so that concurrent requests never exceed what was
   * received.
   * @param key - A repeat returns the first refund. Undefined: each request creates another refund.
   * @throws {PaymentError} with the reason.
   */
  async function request(caller: Caller, id: PaymentId, asked: RefundAsked, key: IdempotencyKey | undefined) {
    const terms = JSON.stringify([
      asked.amount,
      asked.price,
      asked.priceCurrency,
      asked.rate,
      asked.address,
      asked.reason,
    ])
    const requestKey = key ? idempotencyScope(caller, `payments/${id}/refunds`, key) : null
    const earlier = requestKey === null ? undefined : await db.read((tx) => repeatOf(tx, requestKey, terms))
    if (earlier) return { refund: earlier, isReplay: true }
    const known = await db.read((tx) => loadPayment(tx, id))
    if (!isOfCaller(caller, known)) throw paymentNotFound(id)
    // Before the commit: the current rate may have to be fetched.
    const money = await moneyOf(known, asked)
    return await db.write(async (tx) => {
      const repeated = requestKey === null ? undefined : await repeatOf(tx, requestKey, terms)
      if (repeated) return { refund: repeated, isReplay: true }
      const payment = await loadPayment(tx, id)
      if (!isOfCaller(caller, payment)) throw paymentNotFound(id)
      const left = await refundableIn(tx, payment)
      const refund = newRefund(payment, refundAmountOf(payment, money.amount, left), {
        price: money.price,
        reason: asked.reason || null,
        requestedBy: caller.session?.personName ?? null,
      })
      const place = asked.address === undefined ? null : await placeOf(tx, refund, payment, asked.address)
      const status: MerchantRefundStatus = place === null ? 'awaiting_address' : 'to_pay'
      const stored = { ...refund, place, status, addressNamedAtMs: place && refund.createdAtMs }
      await ledger.merchantRefunds.createIn(tx, stored, { key: requestKey, terms })
      tx.afterCommit(() =>
        log.info({ paymentId: id, refundId: stored.id, caller: caller.id }, 'A merchant refund was requested'),
      )
      return { refund: stored, isReplay: false }
    })
  }

  /** The maximum amount of another refund. @throws {PaymentError} if no (further) refund is possible. */
  async function refundableIn(tx: Tx, payment: Payment): Promise<BaseUnits> {
    if (outcomeOf(payment) === 'pending')
      throw new PaymentError('NOTHING_TO_REFUND', `Payment ${payment.id} is not paid; end it instead.`)
    const { count, rows, reserved } = await refundSumsOf(tx, payment.id)
    if (count >= refundsPerPaymentMax)
      throw new PaymentError('TOO_MANY_REFUNDS', `A payment has at most ${refundsPerPaymentMax} refunds.`)
    if (rows >= refundRowsPerPaymentMax) {
      const message = `A payment has at most ${refundRowsPerPaymentMax} refunds, cancelled ones included.`
      throw new PaymentError('TOO_MANY_REFUNDS', message)
    }
    const left = excess(refundableByMerchant(payment), reserved as BaseUnits)
    if (left === 0n) {
      const message = `Nothing of payment ${payment.id} is left to refund: everything that you received is refunded or in an open refund.`
      throw new PaymentError('NOTHING_TO_REFUND', message)
    }
    return left
  }

  function newRefund(
    payment: Payment,
    amount: BaseUnits,
    { price, reason, requestedBy }: Pick<MerchantRefund, 'price' | 'reason' | 'requestedBy'>,
  ): MerchantRefund {
    const { network, currency, tokenAddress, tokenDecimals, merchantId, isTest } = payment
    const configured = findNetwork(networks, network)
    return {
      id: runtime.newUuid() as MerchantRefundId,
      paymentId: payment.id,
      merchantId,
      isTest,
      network,
      currency,
      tokenAddress,
      tokenDecimals,
      amount,
      price,
      reason,
      confirmations: configured ? highValueConfirmations(configured, amount, payment) : null,
      afterBlock: heads.get(network)?.number ?? 0,
      createdAtMs: runtime.nowMs(),
      ...initialRefund,
      requestedBy,
    }
  }

  /** @throws {ValidationError} with the reason why the address cannot be the customer's. */
  async function placeOf(tx: Tx, refund: MerchantRefund, payment: Payment, text: string): Promise<RefundPlace> {
    const network = findNetwork(networks, refund.network)
    if (!network) throw new ValidationError(`network "${refund.network}" is no longer configured`)
    const address = parseRefundAddress(text, payment, refund.network, networks)
    if (await isDepositAddress(tx, address))
      throw new ValidationError('address must not be a deposit address of this service')
    const own = await walletOf(tx, refund, network)
    if (own !== undefined && familyOf(network).isSameAddress(own, address))
      throw new ValidationError("address must not be the merchant's own settlement wallet")
    return familyOf(network).refundPlace(network, refund, address)
  }

  /**
   * Sets the customer's address, once.
   * @param hasClientSecret - Whether the request has the client secret of the refund's page; otherwise the caller must be the
   * merchant.
   */
  async function nameAddress(
    { caller, hasClientSecret }: { caller: Caller | null; hasClientSecret: boolean },
    id: MerchantRefundId,
    text: string,
  ): Promise<MerchantRefund> {
    return await db.write(async (tx) => {
      const { refund, payment } = await loadWithPayment(tx, id)
      if (caller !== null && !isOfCaller(caller, payment)) throw refundNotFound(id)
      if (!hasClientSecret && caller?.kind !== 'api') throw clientSecretRequired()
      const place = await placeOf(tx, refund, payment, text)
      // A repeat changes nothing.
      if (refund.place?.address === place.address) return refund
      if (refund.cancelledAtMs !== null) throw new PaymentError('REFUND_ENDED', `Refund ${id} was cancelled.`)
      if (refund.place !== null)
        throw new PaymentError(
          'REFUND_HAS_ADDRESS',
          'The address of a refund is named once: money may be on its way to it.',
        )
      const atMs = runtime.nowMs()
      const after = await ledger.merchantRefunds.applyIn(tx, id, { type: 'address.named', place, atMs })
      tx.afterCommit(() =>
        log.info({ refundId: id, address: place.address }, 'The address of a merchant refund was named'),
      )
      return after ?? refund
    })
  }

  /** @throws {PaymentError} while a wallet may be paying the refund. */
  async function cancel(caller: Caller, id: MerchantRefundId) {
    return await db.write(async (tx) => {
      const { refund } = await ownIn(tx, caller, id)
      if (refund.cancelledAtMs !== null) return { refund, isUnchanged: true }
      if (refund.seen > 0n)
        throw new PaymentError('REFUND_STARTED', `Refund ${id} is being paid or is paid; it cannot be cancelled.`)
      if (await openPromptOf(tx, id))
        throw new PaymentError('REFUND_PROMPTED', `A wallet was asked to pay refund ${id}, and may still send.`)
      const after = await ledger.merchantRefunds.applyIn(tx, id, { type: 'refund.cancelled', atMs: runtime.nowMs() })
      return { refund: after ?? refund, isUnchanged: false }
    })
  }

  async function repeatOf(tx: Tx, requestKey: string, terms: string): Promise<MerchantRefund | undefined> {
    const found = await refundOfRequest(tx, requestKey)
    if (found && found.terms !== terms)
      throw new PaymentError('IDEMPOTENCY_MISMATCH', 'The Idempotency-Key belongs to a refund with other terms.')
    return found?.refund
  }

  return {
    request,
    nameAddress,
    cancel,
    /** @throws {PaymentError} 404, also for another merchant's refund. */
    own: (caller: Caller, id: string) => db.read((tx) => ownIn(tx, caller, id)),
    /** A refund with its transfers and payment, for anyone who knows its id. */
    byId: (id: string) =>
      db.read(async (tx) => {
        const { refund, payment } = await loadWithPayment(tx, id)
        return { ...(await withTransfers(tx, refund)), payment }
      }),
    /** The refunds of a payment, oldest first, and the maximum amount of another one. */
    ofPayment: (payment: Payment) =>
      db.read(async (tx) => {
        const found = await refundsOfPayment(tx, payment.id)
        const refunds = await allWithTransfers(
          tx,
          found.map((refund) => ({ refund })),
        )
        const { reserved } = await refundSumsOf(tx, payment.id)
        const left = excess(refundableByMerchant(payment), reserved as BaseUnits)
        return { refunds, refundable: formatAmount(left, payment.tokenDecimals) }
      }),
    /** Newest first, at most `limit`. */
    list: (
      { merchantId }: Caller,
      asked: { isTest: boolean; statuses: readonly MerchantRefundStatus[]; before: number; limit: number },
    ) =>
      db.read(async (tx) => allWithTransfers(tx, await listMerchantRefunds(tx, { merchantId, ...asked }, asked.limit))),
  }
}

/** Dependencies of the refund routes. `refundsOf`: a payment's refunds, as the payment's views show them. */
export function openMerchantRefunds(deps: Deps & { clientSecrets: ClientSecrets }) {
  const merchantRefunds = createMerchantRefunds(deps)
  const refundViewer = createMerchantRefundViewer(deps)
  return {
    merchantRefunds,
    refundViewer,
    async refundsOf(payment: Payment) {
      const { refunds } = await merchantRefunds.ofPayment(payment)
      return refunds.map((shown) => refundViewer.public(shown, payment.merchantName))
    },
  }
}

/** @throws {PaymentError} 404. */
async function loadWithPayment(tx: Tx, id: string): Promise<{ refund: MerchantRefund; payment: Payment }> {
  const refund = await loadMerchantRefund(tx, id)
  const payment = refund && (await loadPayment(tx, refund.paymentId))
  if (!refund || !payment) throw refundNotFound(id)
  return { refund, payment }
}

async function walletOf(tx: Tx, { merchantId }: MerchantRefund, { shortName }: Network): Promise<string | undefined> {
  return (await loadWallets(tx, merchantId)).find(({ network }) => network === shortName)?.address
}
