import type { Runtime } from '../../core/runtime.ts'
import { withTimeout } from '../../core/with-timeout.ts'
import type { Vault } from '../../db/vault.ts'
import { eventBody } from '../../payment/store/outbox-store.ts'
import { testEvent } from '../event-types.ts'
import { postWebhook } from '../send/post.ts'
import { newWebhookSecret, signWebhook } from '../send/sign.ts'
import { createTargetAgent, type Targets, targetFault } from '../send/target.ts'
import type { Endpoint } from './endpoint-store.ts'

/** The time that a delivery attempt has. */
const timeoutMs = 15_000

type Deps = { vault: Vault; runtime: Runtime; targets: Targets }

/** The receiver's response; `code` is null where there was none. */
export type TestResponse = { code: number | null; error: string | null; answer: string; tookMs: number }

/**
 * Posts a test event at once and not through the outbox: nothing is stored, and the service need not run.
 * @param signature - `forged`: signed with a secret that the receiver cannot know.
 */
export async function postTestEvent(
  { vault, runtime, targets }: Deps,
  { id, url, secret }: Pick<Endpoint, 'id' | 'url' | 'secret'>,
  signature: 'signed' | 'forged',
): Promise<TestResponse> {
  const startedAtMs = runtime.nowMs()
  const done = (code: number | null, error: string | null, answer = ''): TestResponse => ({
    code,
    error,
    answer,
    tookMs: runtime.nowMs() - startedAtMs,
  })
  const fault = targetFault(url, targets)
  if (fault !== undefined) return done(null, `url ${fault}`)
  const body = eventBody(testEvent.type, startedAtMs, testEvent.example)
  const messageId = `msg_${runtime.newUuid()}`
  const sentAtSeconds = Math.floor(startedAtMs / 1_000)
  const by = signature === 'signed' ? vault.open(secret, id) : newWebhookSecret(runtime)
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'stablecoin-checkout',
    'webhook-id': messageId,
    'webhook-timestamp': String(sentAtSeconds),
    'webhook-signature': signWebhook(by, messageId, sentAtSeconds, body),
  }
  const agent = createTargetAgent(targets)
  try {
    const post = { url, headers, body }
    const result = await withTimeout(2 * timeoutMs, [], (signal) => postWebhook(agent, post, timeoutMs, signal))
    if (result === undefined || 'error' in result) return done(null, result?.error ?? 'no answer')
    return done(result.code, null, result.text)
  } finally {
    await agent.close()
  }
}
