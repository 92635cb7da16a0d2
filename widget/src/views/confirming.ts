import { html, nothing, type TemplateResult } from 'lit'
import type { Following } from '../checkout.ts'
import type { MessageKey } from '../locales/en.ts'
import { t } from '../locales/locale.ts'
import { seenOf } from '../payment.ts'
import { icon } from '../ui/icon.ts'
import { viewAmount, viewMessage, viewTop } from './frame.ts'
import { viewLink } from './links.ts'
import { viewPrice } from './price-line.ts'
import type { View } from './view.ts'

/** The step of each stage; a paid payment is past all of them. */
const currentSteps: Record<string, number> = { underpaid: 1, confirming: 2, paid: 4 }

/** The step of money that was detected, but not yet at the shop's own address. */
export const detectedStep = 1

const steps: MessageKey[] = ['stepWaiting', 'stepSeen', 'stepConfirming', 'paid']

/**
 * Waiting, detected, confirming, paid. Icon and weight of a step repeat what its colour shows.
 * @param current - The present step, if the stage does not tell it.
 */
export function viewTimeline({ stage, answer }: Following, current: number = currentSteps[stage] ?? 0): TemplateResult {
  const { confirmations, requiredConfirmations: needed } = answer.payment
  const isConfirming = current === 2 || (stage === 'underpaid' && confirmations < needed)
  const count = isConfirming ? html`<br />${t('count', Math.min(confirmations, needed), needed)}` : nothing
  return html`<ol aria-label=${t('progress')}>
    ${steps.map((name, step) => {
      const isNow = step === current
      return html`<li class=${step < current ? 'done' : isNow ? 'now' : nothing} aria-current=${isNow ? 'step' : nothing}>
        <span class="mark">${step < current ? icon('check') : nothing}</span>${t(name)}${step === 2 ? count : nothing}
      </li>`
    })}
  </ol>`
}

/** The full amount is detected; the network is confirming it. Hides the address, so that nobody pays twice. */
export function viewConfirming({ following }: View): TemplateResult {
  const { payment } = following.answer
  const { confirmations, requiredConfirmations, explorer } = payment
  const more = html`${viewAmount(seenOf(payment), payment)} ${viewPrice(following.answer)}
    <progress max=${requiredConfirmations} value=${confirmations} aria-label=${t('progress')}></progress>`
  return html`${viewTop(payment)} ${viewMessage('clock', t('confirming'), t('confirmingText'), more)}
    ${viewLink(explorer.transaction, t('viewTransaction'))} ${viewTimeline(following)}`
}
