import { html, nothing, type TemplateResult } from 'lit'
import type { Following } from '../checkout.ts'
import { t } from '../locales/locale.ts'

/**
 * For phones whose browser has no Tron wallet: opens the service's page of the payment in TronLink's own browser, which has one. The client
 * secret is not in the link.
 * @see https://github.com/TronLink/docs/blob/main/docs/mobile/deeplink.en.md
 */
export function viewTronLink({ intent, answer }: Following): TemplateResult | typeof nothing {
  const { payment, wire } = answer
  const { type } = (wire.Network ?? {}) as { type?: unknown }
  if (type !== 'tron' || payment.isTest || window.tron || navigator.maxTouchPoints < 2) return nothing
  const url = `${intent.apiBase}/pay/${payment.id}`
  const param = JSON.stringify({ url, action: 'open', protocol: 'TronLink', version: '1.0' })
  const href = `tronlinkoutside://pull.activity?param=${encodeURIComponent(param)}`
  return html`<p class="label">${t('openInWallet')} <a href=${href} rel="noopener">TronLink</a></p>`
}
