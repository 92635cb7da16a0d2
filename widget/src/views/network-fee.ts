import { html, nothing, type TemplateResult } from 'lit'
import { t } from '../locales/locale.ts'
import type { Answer } from '../payment.ts'

/** Network fees for one transfer that may exceed what customers expect. The higher number applies to a new address. */
const fees: Readonly<Record<string, string>> = { tron: '7–14 TRX' }

export function viewNetworkFee({ wire }: Answer): TemplateResult | typeof nothing {
  const { type } = (wire.Network ?? {}) as { type?: unknown }
  const fee = fees[String(type)]
  return fee ? html`<p class="label" part="network-fee">${t('networkFee', fee)}</p>` : nothing
}
