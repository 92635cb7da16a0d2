/** Survives a reload of the page: the idempotency key, and the payment's id once known. */
type Entry = { key: string; paymentId: string }

/** Fallback when the browser denies storage: a reload then creates a new payment, everything else works. */
const memory = new Map<string, string>()

/** Names in use on this page, so that two elements with the same terms hold two payments. */
const claimed = new Set<string>()

/** A storage name that no other element on the page uses. */
export function claimName(identity: string): string {
  let name = `stablecoin-checkout:${identity}`
  while (claimed.has(name)) name += '+'
  claimed.add(name)
  return name
}

/**
 * The idempotency key, stored before it is first sent: a page that closes during the create must find the same payment
 * again.
 * @param fresh - Used if the tab has none.
 */
export function keepKey(name: string, fresh = randomId()): string {
  const { key = fresh, paymentId = '' } = load(name) ?? {}
  save(name, { key, paymentId })
  return key
}

/** One element's remembered payment, kept for the life of the tab. */
export class Session {
  readonly identity: string
  private readonly name: string

  /** @param sentKey - The key of a create already sent: the browser may not have stored it. */
  constructor(identity: string, sentKey?: string) {
    this.identity = identity
    this.name = claimName(identity)
    if (sentKey) keepKey(this.name, sentKey)
  }

  get idempotencyKey(): string {
    return keepKey(this.name)
  }

  /** Empty until the service has answered. */
  get paymentId(): string {
    return load(this.name)?.paymentId ?? ''
  }

  remember(paymentId: string): void {
    save(this.name, { key: this.idempotencyKey, paymentId })
  }

  forget(): void {
    save(this.name, null)
  }

  /** Allows another element on this page to continue the payment. */
  release(): void {
    claimed.delete(this.name)
  }
}

/** The storage name under which the wallet code records its wallet requests. */
export const walletEntryOf = (paymentId: string): string => `stablecoin-checkout:wallet:${paymentId}`

export const secretEntryOf = (paymentId: string): string => `stablecoin-checkout:secret:${paymentId}`

/** A payment's client secret: proves that this customer created the payment, or received its link. */
export function keepClientSecret(paymentId: string, clientSecret: unknown): void {
  if (typeof clientSecret === 'string' && /^cs_[\w-]+$/.test(clientSecret))
    save(secretEntryOf(paymentId), { clientSecret })
}

/** Null when missing or unreadable. */
export function load<Kept = Entry>(name: string): Kept | null {
  try {
    return JSON.parse(memory.get(name) ?? sessionStorage.getItem(name) ?? 'null')
  } catch {
    return null
  }
}

export function save(name: string, entry: object | null): void {
  memory.set(name, JSON.stringify(entry))
  try {
    sessionStorage.setItem(name, JSON.stringify(entry))
  } catch {}
}

/** 128 random bits. Not `crypto.randomUUID`, which is missing on plain http pages. */
function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return bytes.reduce((text, byte) => text + byte.toString(16).padStart(2, '0'), '')
}
