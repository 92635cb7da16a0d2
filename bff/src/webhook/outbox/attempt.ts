import type { Dispatcher as Agent } from 'undici'
import type { Runtime } from '../../core/runtime.ts'
import type { Vault } from '../../merchant/vault.ts'
import type { Result } from './delivery-retry.ts'
import type { Delivery } from './delivery-store.ts'
import { postWebhook } from './post.ts'
import { signWebhook } from './sign.ts'
import { type Targets, targetFault } from './target.ts'

const millisecondsPerSecond = 1_000

/** Secrets that are remembered opened: opening one costs as much as signing. */
const secretsMax = 1_000

/** What was posted, when, and what came of it. */
export type Attempt = { delivery: Delivery; result: Result; startedAtMs: number }

type Deps = { agent: Agent; runtime: Runtime; vault: Vault; targets: Targets; timeoutMs: number }

/** @returns tries a delivery once: signed at that moment, with every secret that is valid then. Never throws. */
export function createTry({ agent, runtime, vault, targets, timeoutMs }: Deps) {
  const opened = new Map<string, string>()

  function open(sealed: string, row: string): string {
    const known = opened.get(sealed)
    if (known !== undefined) return known
    const secret = vault.open(sealed, row)
    if (opened.size >= secretsMax) opened.clear()
    opened.set(sealed, secret)
    return secret
  }

  /** The list that the header is: while a secret is being replaced, one signature by each. */
  function signatures({ secrets, messageId, body }: Delivery, sentAtSeconds: number, nowMs: number): string {
    const { row, current, previous, previousUntilMs } = secrets
    const valid = [current, ...(previous !== null && (previousUntilMs ?? 0) > nowMs ? [previous] : [])]
    return valid.map((sealed) => signWebhook(open(sealed, row), messageId, sentAtSeconds, body)).join(' ')
  }

  /** @returns undefined when `drop` ended it before the receiver answered. */
  return async function tryOnce(delivery: Delivery, drop: AbortSignal): Promise<Attempt | undefined> {
    const startedAtMs = runtime.nowMs()
    const { url, body, messageId } = delivery
    const failed = (error: string): Attempt => ({ delivery, startedAtMs, result: { error } })
    const fault = targetFault(url, targets)
    if (fault !== undefined) return failed(`${delivery.endpointId === null ? 'callbackUrl' : 'url'} ${fault}`)
    const sentAtSeconds = Math.floor(startedAtMs / millisecondsPerSecond)
    let signature: string
    try {
      signature = signatures(delivery, sentAtSeconds, startedAtMs)
    } catch (error) {
      return failed(error instanceof Error ? error.message : 'cannot be signed')
    }
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'stablecoin-checkout',
      'webhook-id': messageId,
      'webhook-timestamp': String(sentAtSeconds),
      'webhook-signature': signature,
    }
    const result = await postWebhook(agent, { url, headers, body }, timeoutMs, drop)
    return result && { delivery, startedAtMs, result }
  }
}
