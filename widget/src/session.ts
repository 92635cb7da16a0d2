import { identityOf, type Intent } from './terms.ts'

/** What survives a reload of the page: the key the payment was created with, and its id once it is known. */
type Entry = { key: string; paymentId: string | null }

/** Entries when the browser denies storage: a reload then makes a new payment, everything else works. */
const memory = new Map<string, string>()

/** Names in use on this page, so that two elements with the same terms hold two payments. */
const claimed = new Set<string>()

/** The remembered payment of one element, kept for the life of the tab. */
export class Session {
  private readonly name: string

  constructor(intent: Intent) {
    const base = `stablecoin-checkout:${identityOf(intent)}`
    let name = base
    for (let copy = 2; claimed.has(name); copy++) name = `${base}#${copy}`
    claimed.add(name)
    this.name = name
  }

  /** Stored before it is first sent: a page that closes during the create must find the same payment again. */
  get idempotencyKey(): string {
    const entry = load(this.name)
    if (entry) return entry.key
    const key = randomId()
    save(this.name, { key, paymentId: null })
    return key
  }

  get paymentId(): string | null {
    return load(this.name)?.paymentId ?? null
  }

  remember(paymentId: string): void {
    save(this.name, { key: this.idempotencyKey, paymentId })
  }

  forget(): void {
    memory.delete(this.name)
    try {
      sessionStorage.removeItem(this.name)
    } catch {}
  }

  /** Lets another element on this page continue the payment. */
  release(): void {
    claimed.delete(this.name)
  }
}

function load(name: string): Entry | null {
  try {
    const entry = JSON.parse(sessionStorage.getItem(name) ?? memory.get(name) ?? 'null')
    return typeof entry?.key === 'string' ? { key: entry.key, paymentId: entry.paymentId ?? null } : null
  } catch {
    return parseMemory(name)
  }
}

function parseMemory(name: string): Entry | null {
  const text = memory.get(name)
  return text ? JSON.parse(text) : null
}

function save(name: string, entry: Entry): void {
  const text = JSON.stringify(entry)
  try {
    sessionStorage.setItem(name, text)
  } catch {
    memory.set(name, text)
  }
}

/** 128 random bits. Not `crypto.randomUUID`, which is missing on plain http pages. */
function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
