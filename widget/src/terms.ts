import type { PinSettings } from './wallet/pins.ts'

export type Metadata = Record<string, string | number | boolean | null>

/** The terms of a payment that the element creates itself. */
type Terms = {
  amount: string
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
} & Partial<PinSettings> & { clientSecret?: string }

type Rule = [attribute: string, value: string, pattern: RegExp]

/**
 * All problems at once, so that a merchant mends the tag in one go. What the service alone judges (the email, the
 * webhook's address, the values of the metadata) it refuses by itself, with words that are shown too.
 * @param amount - In place of the one in the settings.
 */
export function parseSettings(settings: Settings, amount = settings.amount): Intent | Problem[] {
  const { publicKey, currency, network, orderId, customerEmail, callbackUrl, paymentId, metadata } = settings
  const apiBase = settings.apiBase.replace(/\/+$/, '')
  const rules: Rule[] = [['api-base', apiBase, /^https?:\/\/[^\s?#]+$/i]]
  rules.push(
    ['splitter', settings.splitter ?? '', /^(0x[\da-f]{40}[\s,]*)*$/i],
    ['merchant-wallet', settings.merchantWallet ?? '', /^((0x[\da-f]{40}|[1-9a-z]{32,44})(\s*,\s*|\s+|$))*$/i],
    ['max-fee-bps', settings.maxFeeBps ?? '', /^\d{0,4}$/],
    ['token-address', settings.tokenAddress ?? '', /^(0x[\da-f]{40}|[1-9a-z]{32,44})?$/i],
    ['client-secret', settings.clientSecret ?? '', /^(cs_[\w-]+)?$/],
  )
  if (paymentId) rules.push(['payment-id', paymentId, /^[\da-f-]{36}$/i])
  else
    rules.push(
      ['public-key', publicKey, /^pk_[\w-]+$/],
      ['amount', amount, /^(?=.*[1-9])(0|[1-9]\d{0,19})(\.\d{1,18})?$/],
      ['currency', currency, /^\w*$/],
      ['network', network, /^[\w-]*$/],
      ['metadata', JSON.stringify(metadata ?? {}), /^{/],
    )
  const problems = rules
    .filter(([, value, pattern]) => !pattern.test(value))
    .map(([attribute]) => ({ attribute, rule: '' }))
  if (problems.length > 0) return problems
  const { clientSecret } = settings
  if (paymentId) return { type: 'follow', apiBase, paymentId, ...(clientSecret && { clientSecret }) }
  const terms: Terms = {
    amount,
    currency,
    network,
    orderId: orderId || undefined,
    customerEmail: customerEmail || undefined,
    callbackUrl: callbackUrl || undefined,
    metadata: (metadata as Metadata | null) ?? undefined,
  }
  return { type: currency && network ? 'create' : 'choose', apiBase, publicKey, terms }
}

/** The identity of what the page asked for, whatever the customer has chosen since. */
export function wishOf(intent: Intent): string {
  return identityOf(intent.type === 'create' && intent.choice ? intent.choice : intent)
}

/** What makes an intent a payment of its own. What is only told to the merchant (email, metadata) does not count. */
export function identityOf(intent: Intent): string {
  if (intent.type === 'follow') return JSON.stringify([intent.apiBase, intent.paymentId])
  const { amount, currency, network, orderId } = intent.terms
  return JSON.stringify([intent.apiBase, intent.publicKey, orderId, amount, currency, network])
}

/** Text that is not JSON stays text, for the configuration check to name. */
export function parseMetadata(text: string | null): unknown {
  try {
    return JSON.parse(text || 'null')
  } catch {
    return text
  }
}
