import { z } from 'zod'
import { verifyDepth } from '../access/http/body-limit.ts'
import { attachments } from '../checkout/wire/request-schemas.ts'
import { isCurrency } from '../core/currency-codes.ts'
import { type BaseUnits, formatAmount, numberText } from '../core/money.ts'
import { storeDefaults } from './invoice-view.ts'
import { memberText } from './json-text.ts'
import { refuseField, refuseFields } from './refusal.ts'

/** Below the limit on request bodies, which leaves room for the rest of the request. */
const metadataBytesMax = 32_768

/** Nobody can pay within less than a minute; beyond 30 days, the link is a debt to collect, not a checkout. */
const expirationMinutes = { least: 1, most: 30 * 24 * 60 }

/** 10 %, as for the merchant's own setting: a larger shortfall would be a discount. */
const tolerancePercentMax = 10

const plainNumber = /^\d{1,20}(\.\d{1,20})?$/

/** A number as JSON number or as text; plug-ins send both. */
const decimal = (what: string) =>
  z
    .union([z.string(), z.number()], { error: what })
    .transform((value) => (typeof value === 'number' ? numberText(value) : value.trim()))
    .refine((text) => plainNumber.test(text), what)

const amountRule =
  'must be a plain decimal number above zero, such as 25.00; invoices without an amount are not supported'

const metadata = z.record(z.string(), z.unknown(), { error: 'must be an object' })

const checkout = z.object({
  speedPolicy: z
    .enum(['HighSpeed', 'MediumSpeed', 'LowMediumSpeed', 'LowSpeed'], {
      error: 'must be HighSpeed, MediumSpeed, LowMediumSpeed or LowSpeed',
    })
    .nullish(),
  paymentMethods: z.array(z.string().max(100)).max(100).nullish(),
  expirationMinutes: z
    .number('must be a number of minutes')
    .min(expirationMinutes.least, `must be at least ${expirationMinutes.least}`)
    .max(expirationMinutes.most, `must be at most ${expirationMinutes.most}`)
    .nullish(),
  monitoringMinutes: z.number('must be a number of minutes').min(0).nullish(),
  paymentTolerance: z
    .number('must be a percentage')
    .min(0, 'must be at least 0')
    .max(tolerancePercentMax, `must be at most ${tolerancePercentMax}`)
    .refine((percent) => Number.isInteger(Number((percent * 100).toPrecision(12))), 'must have at most two decimals')
    .nullish(),
  redirectURL: z.string().max(2_048).nullish(),
  redirectAutomatically: z.boolean().nullish(),
  defaultLanguage: z.string().max(20).nullish(),
})

const newInvoice = z.object({
  amount: decimal(amountRule),
  currency: z
    .string('must be an ISO 4217 code such as EUR')
    .trim()
    .max(20)
    .toUpperCase()
    .refine(isCurrency, 'must be an ISO 4217 code such as EUR'),
  metadata: metadata.nullish(),
  checkout: checkout.nullish(),
})

/** Parses the body of a request. @throws {Refusal} 400 when it is not a JSON object. */
export function parseJson(text: string): object {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    body = undefined
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw refuseField('', 'The body must be a JSON object')
  }
  verifyDepth(body)
  return body
}

/** @throws {Refusal} 422 naming each field. */
export function parseFields<Output>(schema: z.ZodType<Output>, body: object): Output {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  throw refuseFields(parsed.error.issues.map(({ path, message }) => ({ path: path.map(String).join('.'), message })))
}

/**
 * The metadata of a body exactly as it was sent. The body must already be validated: `metadata` is an object, null or absent.
 * @throws {Refusal} 422 when the metadata is too large.
 */
export function metadataOf(body: string): string {
  const text = memberText(body, 'metadata') ?? 'null'
  if (text === 'null') return '{}'
  if (new TextEncoder().encode(text).length > metadataBytesMax) {
    throw refuseField('metadata', `must be at most ${metadataBytesMax} bytes`)
  }
  return text
}

/** A member of metadata that is text or a number; null when it is neither, or empty. */
function textOf(metadata: string, name: string): string | null {
  const written = memberText(metadata, name) ?? ''
  if (/^[-\d]/.test(written)) return written
  return written.startsWith('"') ? (JSON.parse(written) as string) || null : null
}

/** The order id in the metadata, by which invoices can be found. @throws {Refusal} 422 when it is too long. */
export function orderIdOf(metadata: string): string | null {
  const orderId = textOf(metadata, 'orderId')
  if (orderId === null || attachments.orderId.safeParse(orderId).success) return orderId
  throw refuseField('metadata.orderId', 'must have at most 255 characters')
}

/** The description that the payment page shows above the amount. */
export const descriptionOf = (metadata: string): string | undefined =>
  textOf(metadata, 'itemDesc')?.trim().slice(0, 500) || undefined

/** Fills in the placeholders that Magento sends. @param id - The invoice's. @throws {Refusal} 422 for an unsafe URL. */
export function redirectUrlOf(given: string, id: string, orderId: string | null): string {
  const url = given
    .replaceAll('{InvoiceId}', encodeURIComponent(id))
    .replaceAll('{OrderId}', encodeURIComponent(orderId ?? ''))
  const parsed = attachments.returnUrl.safeParse(url)
  if (parsed.success && parsed.data !== undefined) return parsed.data
  throw refuseField('checkout.redirectURL', 'must be an https URL without user and password; http only for localhost')
}

/**
 * Rounds to the decimals of the currency, half up, as BTCPay does: shops send totals with up to eight decimals, and
 * compare the invoice's amount with their own rounded total.
 */
function roundPrice(amount: string, currency: string): string {
  const { maximumFractionDigits } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
  const decimals = maximumFractionDigits ?? 2
  const [whole = '', fraction = ''] = amount.split('.')
  if (fraction.length <= decimals) return amount
  const isUp = Number(fraction[decimals]) >= 5
  const units = BigInt(whole + fraction.slice(0, decimals)) + (isUp ? 1n : 0n)
  return formatAmount(units as BaseUnits, decimals)
}

export type NewInvoice = ReturnType<typeof parseNewInvoice>

/**
 * @param ownCurrency - The store's currency, for an invoice that names none, as in BTCPay.
 * @throws {Refusal} 400 or 422.
 */
export function parseNewInvoice(text: string, ownCurrency: string) {
  const given: { currency?: unknown } = parseJson(text)
  const fields = { ...given, currency: given.currency || ownCurrency }
  const { amount, currency, checkout: options } = parseFields(newInvoice, fields)
  return {
    amount: roundPrice(amount, currency),
    currency,
    metadata: metadataOf(text),
    checkout: {
      speedPolicy: options?.speedPolicy ?? null,
      paymentMethods: options?.paymentMethods?.length ? options.paymentMethods : null,
      expirationMinutes: options?.expirationMinutes ?? storeDefaults.expirationMinutes,
      monitoringMinutes: options?.monitoringMinutes ?? null,
      paymentTolerance: options?.paymentTolerance ?? null,
      redirectURL: options?.redirectURL || null,
      redirectAutomatically: options?.redirectAutomatically ?? false,
      defaultLanguage: options?.defaultLanguage ?? null,
    },
  }
}
