import { answerTimeoutMs, createPath, initFor, type Received, receive } from './api/client.ts'
import { claimName, keepKey, load } from './session.ts'
import { attributeOf, identityOf, metaOf, termsOf } from './terms.ts'

/** A create that left before the tag was an element, for the terms of this identity. */
export type EarlyCreate = { identity: string; key: string; received: Promise<Received> }

/** What a script has set on a tag before it is an element is a property of its own. */
type Tag = HTMLElement & Partial<Record<string, unknown>> & { earlyCreate?: EarlyCreate }

/**
 * Sends the creates of the tags that make their payment at once, while the element is still loading. The element takes the response
 * where it would ask for the same terms. It asks by the same idempotency key, so that one payment is made.
 */
export function createEarly(): void {
  for (const tag of document.querySelectorAll<Tag>('stablecoin-checkout:not(:defined)')) {
    const read = (name: string) => (tag[name] ?? tag.getAttribute(attributeOf(name)) ?? '') as string
    const terms = termsOf(read)
    const publicKey = read('publicKey') || metaOf('public-key')
    const apiBase = (read('apiBase') || metaOf('api') || scriptOrigin()).replace(/\/+$/, '')
    const isMadeLater = read('paymentId') || !['', 'inline'].includes(read('display'))
    const isWhole = apiBase && publicKey && terms.amount && terms.currency && terms.network
    if (!isWhole || isMadeLater) continue
    const identity = identityOf({ apiBase, publicKey, terms })
    const name = claimName(identity)
    if (load(name)?.paymentId) continue
    const key = keepKey(name)
    const init = initFor({ publicKey, idempotencyKey: key, body: terms })
    const signal = AbortSignal.timeout(answerTimeoutMs)
    const received = receive(apiBase, createPath, { ...init, signal })
    // The element says so when the service cannot be reached.
    received.catch(() => {})
    tag.earlyCreate = { identity, key, received }
  }
}

/** A tag that names no service is served by its script's. Not by `import.meta`, which a classic script may not hold. */
function scriptOrigin(): string {
  const script = document.querySelector<HTMLScriptElement>('script[src*="/stablecoin-checkout."]')
  return script ? new URL(script.src).origin : ''
}
