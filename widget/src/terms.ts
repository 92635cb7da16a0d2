import type { PinSettings } from './pins.ts'

export type Metadata = Record<string, string | number | boolean | null>

/** The terms of a payment created by the element: with an amount, or with a price that the service converts. */
type Terms = {
  amount?: string | undefined
  price?: string | undefined
  priceCurrency?: string | undefined
  currency: string
  network: string
  orderId?: string | undefined
  customerEmail?: string | undefined
  callbackUrl?: string | undefined
  metadata?: Metadata | undefined
}

/** `choice`: the customer has chosen the network or token that the page left open. */
export type CreateIntent = { type: 'create'; apiBase: string; publicKey: string; terms: Terms; choice?: ChooseIntent }

/** The customer chooses the empty terms first. */
export type ChooseIntent = { type: 'choose'; apiBase: string; publicKey: string; terms: Terms }

/**
 * What the page asks for: a new payment by public key, perhaps with open terms, or one created by the merchant's
 * server.
 */
export type Intent =
  | CreateIntent
  | ChooseIntent
  | { type: 'follow'; apiBase: string; paymentId: string; clientSecret?: string }

/** An invalid attribute. `rule` replaces the general rule for the attribute. */
export type Problem = { attribute: string; rule?: string }

/** The element's properties as set by the page, unvalidated. */
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
} & Partial<PinSettings> & { clientSecret?: string }

/** `order-id` for `orderId`. */
export function attributeOf(setting: string): string {
  return setting.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** Page-wide settings for all tags: `<meta name="stablecoin-checkout:api" content="https://…">`. */
export function metaOf(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="stablecoin-checkout:${name}"]`)?.content ?? ''
}

type Rule = [attribute: string, value: string | undefined, pattern: RegExp]

/**
 * Reports all problems at once, so that a merchant can fix the tag in one go. Rules that only the service knows (email,
 * webhook URL, metadata values) are enforced by the service, whose messages are shown too.
 */
export function parseSettings(settings: Settings): Intent | Problem[] {
  const { publicKey, amount, currency, network, paymentId, metadata } = settings
  const apiBase = settings.apiBase.replace(/\/+$/, '')
  const rules: Rule[] = [
    ['api-base', apiBase, /^https?:\/\/[^\s?#]+$/i],
    ['splitter', settings.splitter, /^(0x[\da-f]{40}[\s,]*)*$/i],
    ['merchant-wallet', settings.merchantWallet, /^((0x[\da-f]{40}|[1-9a-z]{32,44})(\s*,\s*|\s+|$))*$/i],
    ['max-fee-bps', settings.maxFeeBps, /^\d{0,4}$/],
    ['token-address', settings.tokenAddress, /^(0x[\da-f]{40}|[1-9a-z]{32,44})?$/i],
    ['client-secret', settings.clientSecret, /^(cs_[\w-]+)?$/],
  ]
  if (paymentId) rules.push(['payment-id', paymentId, /^[\da-f-]{36}$/i])
  else
    rules.push(
      ['public-key', publicKey, /^p[kl]_[\w-]+$/],
      ['amount', amount, /^(?=.*[1-9])(0|[1-9]\d{0,19})(\.\d{1,18})?$/],
      ['currency', currency, /^\w*$/],
      ['network', network, /^[\w-]*$/],
      ['metadata', JSON.stringify(asMetadata(metadata) ?? {}), /^{/],
    )
  const problems = rules.filter(([, value = '', pattern]) => !pattern.test(value)).map(([attribute]) => ({ attribute }))
  if (problems.length > 0) return problems
  const { clientSecret } = settings
  if (paymentId) return { type: 'follow', apiBase, paymentId, ...(clientSecret && { clientSecret }) }
  const terms = termsOf((name) => settings[name])
  return { type: currency && network ? 'create' : 'choose', apiBase, publicKey, terms }
}

/** @param read - Returns a setting by its name. */
export function termsOf(read: (name: keyof Terms & keyof Settings) => unknown): Terms {
  const text = (name: keyof Terms & keyof Settings) => read(name) as string
  return {
    amount: text('amount'),
    currency: text('currency'),
    network: text('network'),
    orderId: text('orderId') || undefined,
    customerEmail: text('customerEmail') || undefined,
    callbackUrl: text('callbackUrl') || undefined,
    metadata: (asMetadata(read('metadata')) as Metadata | null) ?? undefined,
  }
}

/** Vue sets the attribute's text as a property if the tag was upgraded before hydration. */
const asMetadata = (metadata: unknown): unknown => (typeof metadata === 'string' ? parseMetadata(metadata) : metadata)

/** The identity of the page's terms, without the customer's choices. */
export function wishOf(intent: Intent): string {
  if (intent.type === 'follow') return JSON.stringify([intent.apiBase, intent.paymentId])
  return identityOf(intent.type === 'create' && intent.choice ? intent.choice : intent)
}

/** The fields that make an intent a separate payment. Fields for the merchant only (email, metadata) are excluded. */
export function identityOf({ apiBase, publicKey, terms }: Omit<CreateIntent | ChooseIntent, 'type'>): string {
  const { customerEmail, callbackUrl, metadata, ...others } = terms
  return JSON.stringify([apiBase, publicKey, others])
}

/** Text that is not JSON stays text, so that validation reports it. */
export function parseMetadata(text: string | null): unknown {
  try {
    return JSON.parse(text || 'null')
  } catch {
    return text
  }
}
