import type { PinSettings } from './pins.ts'

export type Metadata = Record<string, string | number | boolean | null>

/** The terms of a payment that the element creates itself: with an amount, or with a price that the service converts. */
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

/** `choice`: where the page left the network or the token to the customer, who has chosen. */
export type CreateIntent = { type: 'create'; apiBase: string; publicKey: string; terms: Terms; choice?: ChooseIntent }

/** The customer chooses first: what is empty among the terms. */
export type ChooseIntent = { type: 'choose'; apiBase: string; publicKey: string; terms: Terms }

/** What the page asks for: a new payment by public key, perhaps on terms to choose, or one that the merchant's server has made. */
export type Intent =
  | CreateIntent
  | ChooseIntent
  | { type: 'follow'; apiBase: string; paymentId: string; clientSecret?: string }

/** An attribute that cannot be used. `rule` is said where the list of rules by attribute does not say it better. */
export type Problem = { attribute: string; rule?: string }

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
} & Partial<PinSettings> & { clientSecret?: string }

/** `order-id` for `orderId`. */
export function attributeOf(setting: string): string {
  return setting.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** What a page says once for all its tags: `<meta name="stablecoin-checkout:api" content="https://…">`. */
export function metaOf(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="stablecoin-checkout:${name}"]`)?.content ?? ''
}

type Rule = [attribute: string, value: string | undefined, pattern: RegExp]

/**
 * All problems at once, so that a merchant mends the tag in one go. What the service alone judges (the email, the
 * webhook's address, the values of the metadata) it refuses by itself, with words that are shown too.
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

/** @param read - Gives a setting by its name. */
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

/** Vue sets the text of an attribute as the property, where the tag was an element before hydration. */
const asMetadata = (metadata: unknown): unknown => (typeof metadata === 'string' ? parseMetadata(metadata) : metadata)

/** The identity of what the page asked for, whatever the customer has chosen since. */
export function wishOf(intent: Intent): string {
  if (intent.type === 'follow') return JSON.stringify([intent.apiBase, intent.paymentId])
  return identityOf(intent.type === 'create' && intent.choice ? intent.choice : intent)
}

/** What makes an intent a payment of its own. What only the merchant gets (email, metadata) does not count. */
export function identityOf({ apiBase, publicKey, terms }: Omit<CreateIntent | ChooseIntent, 'type'>): string {
  const { customerEmail, callbackUrl, metadata, ...others } = terms
  return JSON.stringify([apiBase, publicKey, others])
}

/** Text that is not JSON stays text, for the configuration check to name. */
export function parseMetadata(text: string | null): unknown {
  try {
    return JSON.parse(text || 'null')
  } catch {
    return text
  }
}
