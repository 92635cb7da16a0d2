import type { PublicAnswer, PublicPayment, Unchecked } from '../../../bff/src/api-types.ts'
import { type Answer, isPositive, type Payment, type QrModules } from '../payment.ts'

type Qr = NonNullable<PublicPayment['qr']>

/**
 * Parses the response of create and of the public read. Extra fields are ignored; unknown values are kept or treated as
 * pending. Only fields that a customer needs to send money are required.
 * @returns null when this is not a payment. Retrying may help: a proxy or a captive portal may have answered.
 */
export function parseAnswer(body: unknown): Answer | null {
  const { payment, serverTime } = record<PublicAnswer>(body)
  const wire = record<PublicPayment>(payment)
  const answer = { payment: parsePayment(wire), serverTimeMs: time(serverTime), wire }
  const { id, amount, currency, depositAddress, expiresAtMs } = answer.payment
  // Payments by wallet call or from another chain may have no deposit address.
  const isPayable = depositAddress || wire.paymentMode !== 'deposit'
  const isWhole = id && isPositive(amount) && currency && isPayable && expiresAtMs && answer.serverTimeMs
  return isWhole ? answer : null
}

function parsePayment(json: Unchecked<PublicPayment>): Payment {
  const settlement = record<PublicPayment['settlement']>(json.settlement)
  const explorer = record<PublicPayment['explorer']>(json.explorer)
  const qr = record<Qr>(json.qr)
  const network = record<PublicPayment['Network']>(json.Network)
  return {
    id: text(json.id),
    outcome: text(json.outcome),
    isFinal: json.isFinal === true,
    isExpired: json.isExpired === true,
    paymentState: text(json.paymentState),
    settlement: { state: text(settlement.state), message: text(settlement.message) },
    amount: amount(json.amount),
    received: amount(json.amountReceived),
    detected: amount(json.amountDetected),
    remaining: amount(json.amountRemaining),
    excess: amount(json.excessOwed),
    currency: text(json.currency),
    network: text(network.name) || text(json.network),
    depositAddress: text(json.depositAddress),
    isContract: json.paymentMode === 'contract',
    chainId:
      network.type === 'evm'
        ? count(network.chainId)
        : json.isTest
          ? 0
          : network.type === 'solana'
            ? -1
            : network.type === 'tron' && window.tron
              ? -2
              : 0,
    confirmations: count(json.confirmations),
    requiredConfirmations: count(json.requiredConfirmations),
    expiresAtMs: time(json.expiresAt),
    transactionHash: text(json.transactionHash),
    isTest: json.isTest === true,
    explorer: { address: webUrl(explorer.address), transaction: webUrl(explorer.transaction) },
    logo: {
      token: webUrl(record<PublicPayment['Token']>(json.Token).logo),
      network: webUrl(network.logo),
    },
    merchant: text(record<PublicPayment['Merchant']>(json.Merchant).businessName),
    qr: { address: parseQr(record(qr.address)), uri: parseQr(record(qr.uri)) },
  }
}

/** A QR code that cannot be drawn completely is not drawn: the address suffices to pay. */
function parseQr(json: Unchecked<Qr['address']>): QrModules | null {
  const size = count(json.size)
  try {
    const modules = Uint8Array.from(atob(text(json.modules)), (character) => character.charCodeAt(0))
    // Codes are 21 to 177 modules wide, in steps of 4.
    return size > 20 && size < 178 && size % 4 === 1 && modules.length === Math.ceil(size ** 2 / 8)
      ? { size, modules }
      : null
  } catch {
    return null
  }
}

export function record<T>(value: unknown): Unchecked<T> {
  return (value ?? {}) as Unchecked<T>
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function matching(value: unknown, pattern: RegExp): string {
  return pattern.test(text(value)) ? text(value) : ''
}

export function amount(value: unknown): string {
  return matching(value, /^\d{1,60}(\.\d{1,36})?$/)
}

/**
 * The customer follows the link with one tap, so only http and https pass: `javascript:` would run in the shop's page.
 */
export function webUrl(value: unknown): string {
  return matching(value, /^https?:\/\//i)
}

export function count(value: unknown): number {
  return Number.isSafeInteger(value) ? Math.max(0, value as number) : 0
}

/** Unix milliseconds; 0 for an invalid date. */
export function time(value: unknown): number {
  return Date.parse(text(value)) || 0
}

declare global {
  interface Window {
    /** Set by a Tron wallet in this browser. */
    readonly tron?: unknown
  }
}
