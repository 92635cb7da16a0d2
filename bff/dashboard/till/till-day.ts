import { html, nothing } from 'lit'
import { formatSum } from '../ui/format.ts'
import { isUnderWay } from './current-sale.ts'
import type { Day, Sale } from './till-api.ts'
import { formatClock } from './till-format.ts'
import { s } from './till-locale.ts'
import { sumOf } from './till-sale.ts'

type Actions = { back: () => void; resume: (sale: Sale) => void }

/** Today's sales of this till, with the sums of those that are paid. A sale that is under way is continued by a tap. */
export function renderDay(day: Day | null, { back, resume }: Actions) {
  if (day === null) return nothing
  return html`
    <div class="total">
      <h2>${day.isComplete ? s('day.total') : s('day.newest', day.sales.length)}</h2>
      ${
        day.totals.length === 0
          ? html`<p class="quiet">${day.sales.length === 0 ? s('day.empty') : '–'}</p>`
          : day.totals.map(
              ({ currency, amount, sales }) =>
                html`<p class="amount"><bdi>${formatSum(amount, currency)}</bdi> <small>× ${sales}</small></p>`,
            )
      }
    </div>
    <ul class="sales">
      ${day.sales.map((sale) => html`<li>${renderLine(sale, resume)}</li>`)}
    </ul>
    <div class="row"><button type="button" class="first" @click=${back}>${s('back')}</button></div>
  `
}

function renderLine(sale: Sale, resume: (sale: Sale) => void) {
  const line = html`
    <span>${formatClock(sale.createdAt)}</span>
    <strong><bdi>${sumOf(sale, '')}</bdi></strong>
    <span class="state ${sale.state}">${s(`state.${sale.state}`)}</span>
  `
  if (isUnderWay(sale)) return html`<button type="button" @click=${() => resume(sale)}>${line}</button>`
  if (sale.receiptUrl === null) return html`<div>${line}</div>`
  return html`<a href=${sale.receiptUrl} target="_blank" rel="noreferrer">${line}</a>`
}
