import { clientSecretRequired } from '../../access/callers/client-secret.ts'
import { familyOf } from '../../chain/index.ts'
import { PaymentError, ValidationError } from '../../core/errors.ts'
import { findNetwork, type Network, type Networks } from '../../core/families.ts'
import type { Log } from '../../core/log.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { Db } from '../../db/db.ts'
import type { Ledger } from '../../payment/ledger.ts'
import { type DepositPayment, outcomeOf, type Payment, type PaymentId } from '../../payment/payment.ts'
import { refundableOf } from '../../payment/payment-sums.ts'
import { isLateHeld } from '../../payment/refund.ts'
import { isDepositAddress, loadPayment } from '../../payment/store/payment-store.ts'
import { isOfRequester, type Requester } from '../access.ts'
import { paymentNotFound } from '../read/payment-reader.ts'
import { parseRefundAddress } from '../refund-address.ts'
import { insertRefundRequest } from './refund-request-store.ts'

type Deps = { db: Db; ledger: Ledger; networks: Networks; runtime: Runtime; log: Log }

type RefundRequested = { payment: DepositPayment; before: string | null; address: string; isChanged: boolean }

export type RequestRefund = ReturnType<typeof createRefundRequests>

export function createRefundRequests({ db, ledger, networks, runtime, log }: Deps) {
  /**
   * Stores the address for the payment's refund, including refunds of later transfers. A repeat changes nothing.
   * If the payment owes no refund, the address applies only to its unmatched transfers.
   * @param networkName - Network of unmatched transfers sent there by mistake. Default: the payment's own network.
   * @returns the payment afterwards, with the address before and after. Refunds already sent keep their address.
   * @throws {PaymentError} with the reason.
   */
  return async function requestRefund(
    requester: Requester,
    id: PaymentId,
    text: string,
    networkName?: string,
  ): Promise<RefundRequested> {
    if (requester.caller === null && !requester.hasClientSecret) throw clientSecretRequired()
    const isMerchant = requester.caller?.kind === 'api'
    const requested = await db.write(async (tx) => {
      const known = await loadPayment(tx, id)
      if (!isOfRequester(requester, known)) throw paymentNotFound(id)
      if (!isMerchant && !requester.hasClientSecret) throw clientSecretRequired()
      const deposit = verifyRefundable(known)
      const network = networkName?.toLowerCase() ?? deposit.network
      const address = parseRefundAddress(text, deposit, network, networks)
      if (await isDepositAddress(tx, address)) {
        throw new ValidationError('address must not be a deposit address of this service')
      }
      const isOfPayment = network === deposit.network && hasRefund(deposit)
      const before = isOfPayment ? deposit.refundAddress : returnAddressOn(deposit, network)
      const unchanged = { payment: deposit, before: address, address, isChanged: false }
      // The merchant's address replaces an earlier one for all unmatched transfers on the network.
      const isOther = deposit.unmatched.some((one) => one.network === network && (one.address ?? address) !== address)
      const isForUnmatched = !isOfPayment || (isMerchant && isOther)
      const isReturn = isOfPayment && isMerchant && isReturned(deposit, findNetwork(networks, network))
      if (before === address && !(isOfPayment && isForUnmatched) && !isReturn) return unchanged
      if (!isOfPayment && !hasUnmatchedOn(deposit, network)) {
        throw new PaymentError('NOTHING_OWED', `Payment ${id} has no refund due.`)
      }
      // The client secret allows only the first address, because the payment link may have been shared.
      if (!isMerchant && before !== null) {
        const message = 'A refund address is already set. Only the merchant, with API key and secret, can change it.'
        throw new PaymentError('REFUND_ALREADY_REQUESTED', message)
      }
      const atMs = runtime.nowMs()
      const { caller } = requester
      await insertRefundRequest(tx, { paymentId: id, network: isOfPayment ? null : network, address, caller, atMs })
      const event = { type: 'refund.requested', address, atMs } as const
      let next = isOfPayment ? await ledger.applyIn(tx, id, event) : undefined
      if (isReturn) next = await ledger.applyIn(tx, id, { type: 'late.returned', atMs })
      if (isForUnmatched) next = await ledger.applyIn(tx, id, { ...event, network })
      return next?.mode === 'deposit' ? { payment: next, before, address, isChanged: true } : unchanged
    })
    const { before, address } = requested
    const caller = isMerchant ? 'api' : 'client secret'
    if (before !== address) log.info({ paymentId: id, caller, before, address }, 'A refund was requested')
    return requested
  }
}

/** @throws {PaymentError} when the service never holds the payment's money. */
function verifyRefundable(payment: Payment): DepositPayment {
  if (payment.mode === 'deposit' && !payment.isDirect) return payment
  const message = 'The money of this payment went directly to the merchant. Ask the merchant for a refund.'
  throw new PaymentError('REFUND_BY_MERCHANT', message)
}

/** Whether an address set by the merchant returns the full late amount. */
const isReturned = (deposit: DepositPayment, network: Network | undefined): boolean =>
  network !== undefined && familyOf(network).returnsLateMoney && isLateHeld(deposit)

/** The return address of unmatched transfers on the network; null: none. */
function returnAddressOn(payment: DepositPayment, network: string): string | null {
  const named = payment.unmatched.find((transfer) => transfer.network === network)?.address ?? null
  return named ?? (network === payment.network ? payment.refundAddress : null)
}

/** Whether the payment has unmatched or returned transfers on the network. They are owed regardless of its outcome. */
const hasUnmatchedOn = (payment: DepositPayment, network: string): boolean =>
  payment.unmatched.some(
    (transfer) => transfer.network === network && (transfer.balance > 0n || transfer.refunded > 0n),
  )

/** Whether the payment owes a refund, or has sent one. */
const hasRefund = (payment: DepositPayment): boolean =>
  outcomeOf(payment) !== 'pending' && (refundableOf(payment) > 0n || payment.refunded > 0n)
