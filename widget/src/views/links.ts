import { html, nothing, type TemplateResult } from 'lit'
import type { PublicPayment } from '../../../bff/src/api-types.ts'
import { record, webUrl } from '../api/parse-answer.ts'
import type { Answer } from '../payment.ts'

export function viewLink(url: string, label: string): TemplateResult | typeof nothing {
  return url ? html`<a href=${url} target="_blank" rel="noopener noreferrer">${label}</a>` : nothing
}

/** A transaction on the explorer that the service's configuration names; empty where it names none. */
export function explorerLink({ wire }: Answer, txHash: string): string {
  // Solana's explorer distinguishes its clusters by a query, which stays behind the path.
  const { explorerUrl } = record<PublicPayment['Network']>(wire.Network)
  const [base = '', query] = webUrl(explorerUrl).split('?')
  return base && txHash && `${base.replace(/\/+$/, '')}/tx/${txHash}${query ? `?${query}` : ''}`
}
