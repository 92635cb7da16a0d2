import '@awesome.me/webawesome/dist/components/badge/badge.js'
import { html } from 'lit'
import { t, tOrNull } from '../locales/locale.ts'

const variants: Readonly<Record<string, string>> = { paid: 'success', pending: 'brand', failed: 'neutral' }

/** The payment's outcome, as a word and a colour. */
export function outcomeBadge(outcome: string) {
  return html`
    <wa-badge variant=${variants[outcome] ?? 'neutral'} appearance="filled-outlined">
      ${tOrNull(`outcome.${outcome}`) ?? outcome}
    </wa-badge>
  `
}

/** The action that the payment needs. */
export function attentionBadge(attention: string) {
  return html`
    <wa-badge variant="warning" appearance="filled-outlined">
      ${tOrNull(`attention.${attention}`) ?? t('attention.other')}
    </wa-badge>
  `
}
