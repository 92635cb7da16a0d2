import { html, nothing, type TemplateResult } from 'lit'
import type { PublicPayment } from '../../../bff/src/api-types.ts'
import { explorerPage } from '../../../bff/src/core/explorer-page.ts'
import { record, webUrl } from '../api/parse-answer.ts'
import type { Answer } from '../payment.ts'

export function viewLink(url: string, label: string): TemplateResult | typeof nothing {
  return url ? html`<a href=${url} target="_blank" rel="noopener noreferrer">${label}</a>` : nothing
}

/** A transaction on the configured explorer; empty without one. */
export function explorerLink({ wire }: Answer, txHash: string): string {
  const { explorerUrl, type } = record<PublicPayment['Network']>(wire.Network)
  const url = webUrl(explorerUrl)
  return url && txHash && explorerPage(url, type, 'tx', txHash)
}
