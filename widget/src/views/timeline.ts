import { html, nothing, type TemplateResult } from 'lit/html.js'
import type { Following } from '../checkout.ts'
import { icon } from '../ui/icon.ts'
import { say, word } from '../words/say.ts'

/** The step each stage is at; a paid one is past them all. */
const currentSteps: Record<string, number> = { underpaid: 1, confirming: 2, paid: 4 }

const steps = [word('stepWaiting'), word('stepSeen'), word('stepConfirming'), word('paid')]

/** Waiting, seen, confirming, paid. The mark and the weight of a step say what its colour says. */
export function viewTimeline({ stage, answer }: Following): TemplateResult {
  const current = currentSteps[stage] ?? 0
  const { confirmations, requiredConfirmations: needed } = answer.payment
  const isConfirming = current === 2 || (current === 1 && confirmations < needed)
  const count = isConfirming ? html`<br />${say('count', Math.min(confirmations, needed), needed)}` : nothing
  return html`<ol aria-label=${say('progress')}>
    ${steps.map((name, step) => {
      const isNow = step === current
      return html`<li class=${step < current ? 'done' : isNow ? 'now' : nothing} aria-current=${isNow ? 'step' : nothing}>
        <span class="mark">${step < current ? icon('check') : nothing}</span>${say(name)}${step === 2 ? count : nothing}
      </li>`
    })}
  </ol>`
}
