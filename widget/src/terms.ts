import { strings } from './strings.ts'
import { parseWebUrl } from './url.ts'

export type Metadata = Record<string, string | number | boolean | null>

/** The terms of a payment that the element creates itself. */
export type Terms = {
  amount: string
  currency: string
  network: string
  orderId?: string
  customerEmail?: string
  callbackUrl?: string
  metadata?: Metadata
}

/** What the page asks for: a new payment by public key, or one that the merchant's server has made. */
export type Intent =
  | { type: 'create'; apiBase: string; publicKey: string; terms: Terms }
  | { type: 'follow'; apiBase: string; paymentId: string }

/** An attribute that cannot be used, and the rule it breaks. */
export type Problem = { attribute: string; rule: string }

/** The element's properties as the page set them; nothing is trusted yet. */
export type Settings = {
  apiBase: string
  publicKey: string
  amount: string
  currency: string
  network: string
  orderId: string
  customerEmail: string
  callbackUrl: string
  paymentId: string
  metadata: unknown
}

/** The service's own limit. */
const orderIdMax = 100

type Rule = [attribute: string, holds: boolean, rule: string]

/** All problems at once, so that a merchant mends the tag in one go. */
export function parseSettings(settings: Settings): Intent | Problem[] {
  const { rules } = strings
  const apiBase = parseBase(settings.apiBase)
  const follows = settings.paymentId !== ''
  const checked: Rule[] = follows
    ? [['payment-id', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(settings.paymentId), rules.paymentId]]
    : createRules(settings)
  const problems = [['api-base', apiBase !== null, rules.apiBase] satisfies Rule, ...checked]
    .filter(([, holds]) => !holds)
    .map(([attribute, , rule]) => ({ attribute, rule }))
  if (apiBase === null || problems.length > 0) return problems
  if (follows) return { type: 'follow', apiBase, paymentId: settings.paymentId }
  return { type: 'create', apiBase, publicKey: settings.publicKey, terms: termsOf(settings) }
}

function createRules(settings: Settings): Rule[] {
  const { rules } = strings
  const isSecret = /^(sk|ak)_/.test(settings.publicKey)
  return [
    ['public-key', /^pk_\w+$/.test(settings.publicKey), isSecret ? rules.secretKey : rules.publicKey],
    ['amount', /^\d{1,20}(\.\d{1,18})?$/.test(settings.amount) && /[1-9]/.test(settings.amount), rules.amount],
    ['currency', /^\w{2,12}$/.test(settings.currency), rules.currency],
    ['network', /^[\w-]{1,64}$/.test(settings.network), rules.network],
    ['order-id', settings.orderId.length <= orderIdMax, rules.orderId],
    ['customer-email', settings.customerEmail === '' || /^\S+@\S+$/.test(settings.customerEmail), rules.customerEmail],
    ['callback-url', settings.callbackUrl === '' || parseWebUrl(settings.callbackUrl) !== null, rules.callbackUrl],
    ['metadata', isMetadata(settings.metadata), rules.metadata],
  ]
}

function termsOf(settings: Settings): Terms {
  const { amount, currency, network, orderId, customerEmail, callbackUrl, metadata } = settings
  return {
    amount,
    currency,
    network,
    ...(orderId && { orderId }),
    ...(customerEmail && { customerEmail }),
    ...(callbackUrl && { callbackUrl }),
    ...(isMetadata(metadata) && metadata && { metadata }),
  }
}

/** Whether two intents ask for the same payment. What is only told to the merchant (email, metadata) does not count. */
export function isSameIntent(one: Intent, other: Intent): boolean {
  return identityOf(one) === identityOf(other)
}

/** The part of an intent that makes it a payment of its own. */
export function identityOf(intent: Intent): string {
  if (intent.type === 'follow') return JSON.stringify([intent.apiBase, intent.paymentId])
  const { amount, currency, network, orderId = '' } = intent.terms
  return JSON.stringify([intent.apiBase, intent.publicKey, orderId, amount, currency, network])
}

function parseBase(text: string): string | null {
  const url = parseWebUrl(text)
  return url && !url.search && !url.hash ? url.href.replace(/\/+$/, '') : null
}

function isMetadata(value: unknown): value is Metadata | null | undefined {
  if (value === null || value === undefined) return true
  if (typeof value !== 'object' || Array.isArray(value)) return false
  return Object.values(value).every((entry) => entry === null || ['string', 'number', 'boolean'].includes(typeof entry))
}
