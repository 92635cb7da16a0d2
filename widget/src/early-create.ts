import { answerTimeoutMs, createPath, initFor, type Received, receive } from './api/client.ts'
import { claimName, keepKey, load } from './session.ts'
import { attributeOf, identityOf, metaOf, termsOf } from './terms.ts'

/** A create sent before the tag was upgraded to an element, for the terms of this identity. */
export type EarlyCreate = { identity: string; key: string; received: Promise<Received> }

/** A value that a script sets on a tag before its upgrade is an own property. */
type Tag = HTMLElement & Partial<Record<string, unknown>> & { earlyCreate?: EarlyCreate }

/**
 * Sends the creates of tags that create their payment at once, while the element is still loading. The element takes
 * the response if it asks for the same terms. It uses the same idempotency key, so that only one payment is created.
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
    // The element reports an unreachable service.
    received.catch(() => {})
    tag.earlyCreate = { identity, key, received }
  }
}

/**
 * Without a configured service, the tag uses its script's origin. Not `import.meta`, which a classic script may not
 * contain.
 */
function scriptOrigin(): string {
  const script = document.querySelector<HTMLScriptElement>('script[src*="/stablecoin-checkout."]')
  return script ? new URL(script.src).origin : ''
}
