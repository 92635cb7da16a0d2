import { bad, type Finding, found, good, warning } from '../../core/finding.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { Db } from '../../db/db.ts'
import type { Vault } from '../../db/vault.ts'
import { loadAccounts } from '../../merchant/account-store.ts'
import { type Endpoint, listEndpoints } from '../../webhook/endpoints/endpoint-store.ts'
import { postTestEvent, type TestResponse } from '../../webhook/endpoints/test-event.ts'
import type { Targets } from '../../webhook/send/target.ts'

/** Maximum merchants whose endpoints are checked. A hanging endpoint takes up to a minute. */
const merchantsMax = 100
/** Maximum endpoints checked concurrently. */
const batchMax = 10

type Deps = { db: Db; vault: Vault; runtime: Runtime; targets: Targets }

/** Posts each enabled endpoint one signed event, and one with an invalid signature, which it must refuse. */
export async function examineWebhooks(deps: Deps): Promise<Finding[]> {
  const endpoints = await deps.db.read(async (tx) => {
    const found: Endpoint[] = []
    for (const { id } of await loadAccounts(tx, merchantsMax)) found.push(...(await listEndpoints(tx, id)))
    return found
  })
  const findings: Finding[] = []
  for (let start = 0; start < endpoints.length; start += batchMax) {
    const batch = endpoints.slice(start, start + batchMax)
    findings.push(...(await Promise.all(batch.map((endpoint) => examineEndpoint(deps, endpoint)))))
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

const isAccepted = ({ code }: TestResponse): boolean => code !== null && code >= 200 && code <= 299
