import { html, nothing, type TemplateResult } from 'lit'
import type { PublicPayment } from '../../../bff/src/api-types.ts'
import { record, webUrl } from '../api/parse-answer.ts'
import type { Answer } from '../payment.ts'

export function viewLink(url: string, label: string): TemplateResult | typeof nothing {
  return url ? html`<a href=${url} target="_blank" rel="noopener noreferrer">${label}</a>` : nothing
}

/** A transaction on the configured explorer; empty without one. */
export function explorerLink({ wire }: Answer, txHash: string): string {
  // Solana's explorer selects a cluster by a query, which stays after the path.
  const { explorerUrl } = record<PublicPayment['Network']>(wire.Network)
  const [base = '', query] = webUrl(explorerUrl).split('?')
  return base && txHash && `${base.replace(/\/+$/, '')}/tx/${txHash}${query ? `?${query}` : ''}`
}
