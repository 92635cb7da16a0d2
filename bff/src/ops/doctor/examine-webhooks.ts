import { bad, type Finding, found, good, warning } from '../../core/finding.ts'
import type { Db } from '../../db/db.ts'
import { loadAccounts } from '../../merchant/account-store.ts'
import { type Endpoint, listEndpoints } from '../../webhook/endpoints/endpoint-store.ts'
import { postTestEvent, type TestResponse } from '../../webhook/endpoints/test-event.ts'

/** Maximum merchants whose endpoints are checked. A hanging endpoint takes up to a minute. */
const merchantsMax = 100
/** Maximum endpoints checked concurrently. */
const batchMax = 10

type Deps = Parameters<typeof postTestEvent>[0] & { db: Db }

/**
 * Posts one signed event to each enabled endpoint, and one with an invalid signature to the merchant's own endpoints, which
 * must refuse it. Plug-ins of stores are not tested for this: many answer 200 to a forged event and ignore it.
 */
export async function examineWebhooks(deps: Deps): Promise<Finding[]> {
  const endpoints = await deps.db.read(async (tx) => {
    const found: Endpoint[] = []
    for (const { id } of await loadAccounts(tx, merchantsMax)) {
      found.push(...(await listEndpoints(tx, id)), ...(await listEndpoints(tx, id, 'btcpay')))
    }
    return found
  })
  const findings: Finding[] = []
  for (let start = 0; start < endpoints.length; start += batchMax) {
    const batch = endpoints.slice(start, start + batchMax)
    findings.push(
      ...(await Promise.all(
        batch.map((one) => (one.dialect === 'btcpay' ? examineStore(deps, one) : examineEndpoint(deps, one))),
      )),
    )
  }
  return findings
}

async function examineEndpoint(deps: Deps, endpoint: Endpoint): Promise<Finding> {
  const { id, url, disabledReason } = endpoint
  const subject = `${id} (${new URL(url).host})`
  if (disabledReason !== null) {
    const fix = 'Fix the receiver, then enable the endpoint: PATCH /webhooks/endpoints/{id} with { "enabled": true }.'
    return warning(
      found('webhook.disabled', disabledReason),
      subject,
      `is disabled (${disabledReason}): no events are posted to it`,
      fix,
    )
  }
  const signed = await postTestEvent(deps, endpoint, 'signed')
  if (!isAccepted(signed)) {
    const { code, error } = signed
    const response = code === null ? (error ?? 'no answer') : `it responded ${code}`
    const fix = 'It must respond 2xx within 15 seconds.'
    return bad(found('webhook.refused', response), subject, `does not accept a signed event: ${response}`, fix)
  }
  if (isAccepted(await postTestEvent(deps, endpoint, 'forged'))) {
    const says = 'accepts an unsigned event: anyone could forge a paid payment'
    const fix = 'Verify webhook-signature over the raw body before anything else: docs/webhooks.md.'
    return bad('webhook.forged', subject, says, fix)
  }
  return good('webhook.good', subject, `accepted a signed event within ${signed.tookMs} ms, and refused a forged one`)
}

/** The webhook of a store's plug-in. Without its notice, a store does not ship a paid order, or cancels it. */
async function examineStore(deps: Deps, endpoint: Endpoint): Promise<Finding> {
  const { id, url, disabledReason, failingSinceMs } = endpoint
  const subject = `${id} (${new URL(url).host})`
  if (disabledReason !== null) {
    const says = `is disabled (${disabledReason}): the store is not notified of payments`
    const fix = "Fix the store, then save its plug-in's settings again or connect it anew on the page Stores."
    return warning(found('store.disabled', disabledReason), subject, says, fix)
  }
  const { code, error, tookMs } = await postTestEvent(deps, endpoint, 'signed')
  if (code === null) {
    const response = error ?? 'no answer'
    const fix = 'Let this service through the firewall of the store, and have its address answer within 15 seconds.'
    return bad(found('store.silent', response), subject, `does not answer a test delivery: ${response}`, fix)
  }
  if (code < 200 || code > 299) {
    // Some plug-ins refuse unknown invoices, so a refusal alone does not prove that deliveries fail.
    const says = `does not accept a test delivery: it responded ${code}`
    const fix =
      "Look at the log of the store's plug-in: its secret may be another one, or a firewall may block this service."
    return warning(found('store.refused', code), subject, says, fix)
  }
  if (failingSinceMs !== null) {
    const since = new Date(failingSinceMs).toISOString()
    const fix = "Look at the log of the store's plug-in, then send the failed deliveries again from there."
    return warning(found('store.failing', since), subject, `accepts a test, but refuses deliveries since ${since}`, fix)
  }
  return good('store.good', subject, `accepted a signed test delivery within ${tookMs} ms`)
}

const isAccepted = ({ code }: TestResponse): boolean => code !== null && code >= 200 && code <= 299
