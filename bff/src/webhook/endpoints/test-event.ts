import type { Runtime } from '../../core/runtime.ts'
import { withTimeout } from '../../core/with-timeout.ts'
import type { Vault } from '../../db/vault.ts'
import { eventBody } from '../../payment/store/outbox-store.ts'
import { testEvent } from '../event-types.ts'
import { type AdaptCallback, postWebhook } from '../send/post.ts'
import { newWebhookSecret, signBtcpay, signWebhook } from '../send/sign.ts'
import { createTargetAgent, type Targets, targetFault } from '../send/target.ts'
import type { Endpoint } from './endpoint-store.ts'

/** The time limit of the attempt. */
const timeoutMs = 15_000

/** `adaptCallback`: as for deliveries. */
type Deps = { vault: Vault; runtime: Runtime; targets: Targets; adaptCallback?: AdaptCallback | undefined }

/** The receiver's response; `code` is null when there was none. */
export type TestResponse = { code: number | null; error: string | null; answer: string; tookMs: number }

/**
 * Posts a test event at once, without the outbox: nothing is stored, and the service need not be running. A store's plug-in
 * gets a BTCPay test delivery, for an invoice that the plug-in does not know.
 * @param signature - `forged`: signed with a secret that the receiver cannot know.
 */
export async function postTestEvent(
  { vault, runtime, targets, adaptCallback }: Deps,
  endpoint: Pick<Endpoint, 'id' | 'url' | 'secret' | 'dialect' | 'merchantId'>,
  signature: 'signed' | 'forged',
): Promise<TestResponse> {
  const { url } = endpoint
  const startedAtMs = runtime.nowMs()
  const done = (code: number | null, error: string | null, answer = ''): TestResponse => ({
    code,
    error,
    answer,
    tookMs: runtime.nowMs() - startedAtMs,
  })
  const fault = targetFault(url, targets)
  if (fault !== undefined) return done(null, `url ${fault}`)
  const by = signature === 'signed' ? vault.open(endpoint.secret, endpoint.id) : newWebhookSecret(runtime)
  const { body, signed } =
    endpoint.dialect === 'btcpay'
      ? btcpayTest(endpoint, by, runtime)
      : standardTest(endpoint, by, { runtime, adaptCallback })
  const headers = { 'content-type': 'application/json', 'user-agent': 'stablecoin-checkout', ...signed }
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

function standardTest(
  { url }: Pick<Endpoint, 'url'>,
  secret: string,
  { runtime, adaptCallback }: Pick<Deps, 'runtime' | 'adaptCallback'>,
) {
  const nowMs = runtime.nowMs()
  const event = eventBody(testEvent.type, nowMs, testEvent.example)
  const adapted = adaptCallback?.(url, event)
  const body = adapted?.body ?? event
  const messageId = `msg_${runtime.newUuid()}`
  const sentAtSeconds = Math.floor(nowMs / 1_000)
  const signed = {
    'webhook-id': messageId,
    'webhook-timestamp': String(sentAtSeconds),
    'webhook-signature': signWebhook(secret, messageId, sentAtSeconds, body),
    ...adapted?.headers(secret),
  }
  return { body, signed }
}

/** An event that every plug-in knows and none ships for. Plug-ins recognize a test delivery by the id of its invoice. */
function btcpayTest({ id, merchantId }: Pick<Endpoint, 'id' | 'merchantId'>, secret: string, runtime: Runtime) {
  const deliveryId = `__test__${runtime.newUuid()}__test__`
  const body = JSON.stringify({
    deliveryId,
    webhookId: id,
    originalDeliveryId: deliveryId,
    isRedelivery: false,
    type: 'InvoiceProcessing',
    timestamp: Math.floor(runtime.nowMs() / 1_000),
    storeId: merchantId,
    invoiceId: `__test__${runtime.newUuid()}__test__`,
    metadata: {},
    overPaid: false,
  })
  return { body, signed: { 'btcpay-sig': signBtcpay(secret, body) } }
}
