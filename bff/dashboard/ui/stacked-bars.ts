import { css, html, svg, unsafeCSS } from 'lit'
import { formatAmount, formatShortDay } from './format.ts'

/** One part of each bar; `values` are by day, in one unit for all parts. `text` is its sum, for the legend. */
export type BarPart = { label: unknown; name: string; text: string; values: readonly number[] }

/** Colours of the tokens; a ninth and later parts share the last one. */
const colorCount = 8

const partColors = unsafeCSS(
  Array.from({ length: colorCount }, (_, at) => {
    const color = `var(--color-chart-${at + 1})`
    return `.part-${at + 1} { fill: ${color}; background: ${color}; }`
  }).join('\n'),
)

/** Maximum labels below the bars: more would overlap on a phone. */
const labelsMax = 7

/** Width of a bar in its column of width 1. */
const barWidth = 0.6

export const barStyles = css`
  .bars {
    position: relative;
    padding-inline-start: 3.5rem;
    font-size: var(--text-s);
    color: var(--color-muted);
  }
  .bars svg {
    display: block;
    width: 100%;
    height: 11rem;
    overflow: visible;
  }
  .bars line {
    stroke: var(--color-border);
    vector-effect: non-scaling-stroke;
  }
  .scale {
    position: absolute;
    inset-inline-start: 0;
    top: 0;
    display: flex;
    flex-direction: column;
    justify-content: space-between;
    width: 3rem;
    height: 11rem;
    text-align: end;
  }
  .scale span {
    height: 0;
    line-height: 0;
  }
  /* As the drawing above, which no direction of the text mirrors: each day stands below its own bar. */
  .bar-days {
    display: grid;
    direction: ltr;
    grid-auto-columns: minmax(0, 1fr);
    grid-auto-flow: column;
    margin-top: var(--space-2);
    text-align: center;
  }
  /* Each day in its own direction: Arabic marks its dates, and their digits would run together in the direction of the drawing. */
  .bar-days span {
    unicode-bidi: plaintext;
    overflow: visible;
    white-space: nowrap;
  }
  @media (max-width: 30rem) {
    .bar-days span:nth-last-child(even) {
      visibility: hidden;
    }
  }
  .legend {
    display: flex;
    flex-wrap: wrap;
    gap: var(--space-2) var(--space-5);
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .legend li {
    display: flex;
    gap: var(--space-2);
    align-items: center;
  }
  .swatch {
    width: 0.75rem;
    height: 0.75rem;
    border-radius: 3px;
  }
  ${partColors}
`

export const classOf = (at: number): string => `part-${Math.min(at + 1, colorCount)}`

/** The next round number: 1, 2, 2.5 or 5 and zeros. */
function roundUp(value: number): number {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return power * ([1, 2, 2.5, 5, 10].find((step) => step * power >= value) ?? 10)
}

/** Bars by day, stacked by part. Hidden from screen readers: the page has the same figures in a table. */
export function stackedBars(days: readonly string[], parts: readonly BarPart[]) {
  const totals = days.map((_, day) => parts.reduce((sum, { values }) => sum + (values[day] ?? 0), 0))
  const top = roundUp(Math.max(...totals))
  const step = Math.ceil(days.length / labelsMax)
  return html`
    <div class="bars" aria-hidden="true">
      <div class="scale">${[top, top / 2, 0].map((value) => html`<span>${formatAmount(String(value))}</span>`)}</div>
      <svg viewBox="0 0 ${days.length} 100" preserveAspectRatio="none">
        ${[0, 50, 100].map((y) => svg`<line x1="0" x2=${days.length} y1=${y} y2=${y}></line>`)}
        ${days.map((day, at) => bar(day, at, parts, top))}
      </svg>
      <div class="bar-days">
        ${days.map((day, at) => html`<span>${(days.length - 1 - at) % step === 0 ? formatShortDay(day) : ''}</span>`)}
      </div>
    </div>
  `
}

function bar(day: string, at: number, parts: readonly BarPart[], top: number) {
  let y = 100
  const rects = parts.map(({ values }, part) => {
    const height = (100 * (values[at] ?? 0)) / top
    y -= height
    return height === 0
      ? ''
      : svg`<rect class=${classOf(part)} x=${at + (1 - barWidth) / 2} y=${y} width=${barWidth} height=${height}></rect>`
  })
  const sums = parts.flatMap(({ name, values }) =>
    values[at] ? [`${name}: ${formatAmount(values[at].toFixed(2))}`] : [],
  )
  return svg`<g>${rects}<title>${[formatShortDay(day), ...sums].join('\n')}</title></g>`
}

/** The parts with their colours and sums. */
export function barLegend(parts: readonly BarPart[]) {
  return html`<ul class="legend">
    ${parts.map(
      ({ label, text }, at) => html`<li>
        <span class="swatch ${classOf(at)}"></span><span class="quiet">${label}</span> <strong class="number">${text}</strong>
      </li>`,
    )}
  </ul>`
}
