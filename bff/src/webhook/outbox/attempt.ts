import type { Dispatcher as Agent } from 'undici'
import type { Runtime } from '../../core/runtime.ts'
import type { Vault } from '../../db/vault.ts'
import type { AdaptCallback, Result } from '../send/post.ts'
import { postWebhook } from '../send/post.ts'
import { sandboxSecret, signBtcpay, signWebhook } from '../send/sign.ts'
import { type Targets, targetFault } from '../send/target.ts'
import type { Delivery } from './delivery-store.ts'

const millisecondsPerSecond = 1_000

/** Decrypted secrets that are cached, because decrypting a secret costs as much as signing. */
const secretsMax = 1_000

/** One attempt to post a delivery, with its result. `signature` is null when nothing was posted. */
export type Attempt = { delivery: Delivery; result: Result; startedAtMs: number; signature: string | null }

/** The headers shared by all attempts of an event. */
export const commonHeaders = (messageId: string) => ({
  'content-type': 'application/json',
  'user-agent': 'stablecoin-checkout',
  'webhook-id': messageId,
})

/** The headers of one attempt. @param sentAtMs - When the attempt started. */
export const signedHeaders = (sentAtMs: number, signature: string) => ({
  'webhook-timestamp': String(Math.floor(sentAtMs / millisecondsPerSecond)),
  'webhook-signature': signature,
})

type Deps = {
  agent: Agent
  runtime: Runtime
  vault: Vault
  targets: Targets
  timeoutMs: number
  /** Undefined: every receiver gets the event unchanged. */
  adaptCallback: AdaptCallback | undefined
}

/** Makes attempts. Each is signed when it starts, with every secret that is valid at that time. An attempt never throws. */
export function createAttempts({ agent, runtime, vault, targets, timeoutMs, adaptCallback }: Deps) {
  const opened = new Map<string, string>()

  function open(sealed: string, row: string): string {
    const known = opened.get(sealed)
    if (known !== undefined) return known
    const secret = vault.open(sealed, row)
    if (opened.size >= secretsMax) opened.clear()
    opened.set(sealed, secret)
    return secret
  }

  /** The secrets that sign: the current one first, then the previous one while it is being replaced. */
  function keysOf({ secrets, isOfPublicSandbox }: Delivery, nowMs: number): [string, ...string[]] {
    const { row, current, previous, previousUntilMs } = secrets
    const keyOf = (sealed: string) => {
      const key = open(sealed, row)
      return isOfPublicSandbox ? sandboxSecret(key) : key
    }
    return previous !== null && (previousUntilMs ?? 0) > nowMs ? [keyOf(current), keyOf(previous)] : [keyOf(current)]
  }

  /** @returns undefined when `drop` ended the attempt before the receiver responded. */
  return async function attempt(delivery: Delivery, drop: AbortSignal): Promise<Attempt | undefined> {
    const startedAtMs = runtime.nowMs()
    const { url, messageId, endpointId } = delivery
    const failed = (error: string): Attempt => ({ delivery, startedAtMs, signature: null, result: { error } })
    const fault = targetFault(url, targets)
    if (fault !== undefined) return failed(`${endpointId === null ? 'callbackUrl' : 'url'} ${fault}`)
    const sentAtSeconds = Math.floor(startedAtMs / millisecondsPerSecond)
    const isBtcpay = delivery.dialect === 'btcpay'
    let signature: string
    let body = delivery.body
    let ofClient: Record<string, string> = {}
    try {
      const keys = keysOf(delivery, startedAtMs)
      const adapted = isBtcpay ? undefined : adaptCallback?.(url, body)
      if (adapted) {
        body = adapted.body
        ofClient = adapted.headers(keys[0])
      }
      signature = isBtcpay
        ? signBtcpay(keys[0], body)
        : keys.map((key) => signWebhook(key, messageId, sentAtSeconds, body)).join(' ')
    } catch (error) {
      return failed(error instanceof Error ? error.message : 'cannot be signed')
    }
    const signed = isBtcpay ? { 'btcpay-sig': signature } : signedHeaders(startedAtMs, signature)
    const headers = { ...commonHeaders(messageId), ...signed, ...ofClient }
    const result = await postWebhook(agent, { url, headers, body }, timeoutMs, drop)
    return result && { delivery, startedAtMs, signature, result }
  }
}
