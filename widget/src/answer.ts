import type { Answer, Payment, QrModules } from './payment.ts'
import { parseWebUrl } from './url.ts'

/** The service's answer lacks what the first screen needs. Retrying may help: a proxy or portal may have answered. */
export class BadAnswerError extends Error {}

type Json = Record<string, unknown>

/**
 * Reads the answer of create and of the public read. Extra fields are ignored and unknown words are kept or waited on;
 * only what a customer would send money by must be there.
 * @throws {BadAnswerError}
 */
export function parseAnswer(body: unknown): Answer {
  const answer = record(body)
  const payment = record(answer['payment'])
  const serverTimeMs = time(answer['serverTime'])
  if (answer['success'] !== true || serverTimeMs === null) throw new BadAnswerError('The answer is not a payment.')
  return { payment: parsePayment(payment), serverTimeMs }
}

function parsePayment(json: Json): Payment {
  const network = record(json['Network'])
  const settlement = record(json['settlement'])
  const explorer = record(json['explorer'])
  const qr = record(json['qr'])
  const outcome = json['outcome']
  return {
    id: required(json, 'id'),
    outcome: outcome === 'paid' || outcome === 'failed' ? outcome : 'pending',
    isFinal: json['isFinal'] === true,
    paymentState: text(json['paymentState']) ?? '',
    settlement: { state: text(settlement['state']) ?? '', message: text(settlement['message']) ?? '' },
    amount: amount(json['amount']) ?? required({}, 'amount'),
    received: amount(json['amountReceived']),
    detected: amount(json['amountDetected']),
    remaining: amount(json['amountRemaining']),
    excess: amount(json['excessOwed']),
    currency: required(json, 'currency'),
    network: text(network['name']) ?? required(json, 'network'),
    depositAddress: required(json, 'depositAddress'),
    confirmations: count(json['confirmations']),
    requiredConfirmations: count(json['requiredConfirmations']),
    expiresAtMs: time(json['expiresAt']) ?? Number(required({}, 'expiresAt')),
    transactionHash: text(json['transactionHash']),
    isTest: json['isTest'] === true,
    explorer: { address: webUrl(explorer['address']), transaction: webUrl(explorer['transaction']) },
    merchant: text(record(json['Merchant'])['businessName']) ?? '',
    qr: { address: parseQr(qr['address']), uri: parseQr(qr['uri']) },
  }
}

/** The smallest and largest QR codes that exist (versions 1 and 40); each version adds four modules a side. */
const [qrSizeMin, qrSizeMax, qrSizeStep] = [21, 177, 4]

/** A QR code that cannot be drawn whole is not drawn at all: the address beside it is enough to pay. */
function parseQr(value: unknown): QrModules | null {
  const json = record(value)
  const size = count(json['size'])
  const encoded = text(json['modules'])
  if (!encoded || size < qrSizeMin || size > qrSizeMax || (size - qrSizeMin) % qrSizeStep !== 0) return null
  try {
    const modules = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0))
    return modules.length === Math.ceil((size * size) / 8) ? { size, modules } : null
  } catch {
    return null
  }
}

function record(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {}
}

function required(json: Json, name: string): string {
  const value = text(json[name])
  if (value === null) throw new BadAnswerError(`The payment has no ${name}.`)
  return value
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function amount(value: unknown): string | null {
  return typeof value === 'string' && /^\d{1,60}(\.\d{1,36})?$/.test(value) ? value : null
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0
}

function time(value: unknown): number | null {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(ms) ? null : ms
}

function webUrl(value: unknown): string | null {
  return parseWebUrl(text(value) ?? '')?.href ?? null
}
