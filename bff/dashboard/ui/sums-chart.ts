import { css, html, LitElement, unsafeCSS } from 'lit'
import { customElement, property, query } from 'lit/decorators.js'
import uPlot from 'uplot'
import chartStyles from 'uplot/dist/uPlot.min.css?inline'

/** Line colours, reused after the last. Each is readable on the light and the dark card. */
const colors = ['#2f7de1', '#d97706', '#0d9488', '#b45cd6', '#dc4c64', '#6b8e23']

const heightPx = 220

/** A line's values, one per day. Only drawn: the exact amounts are in the table beside the chart. */
export type ChartLine = { label: string; values: readonly number[] }

const styles = css`
  :host {
    display: grid;
    gap: 0.5rem;
    min-width: 0;
  }
  .plot {
    min-width: 0;
    overflow: hidden;
  }
  ul {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem 1rem;
    margin: 0;
    padding: 0;
    list-style: none;
    font-size: 0.875rem;
  }
  li {
    display: flex;
    gap: 0.375rem;
    align-items: center;
  }
  svg {
    width: 0.75rem;
    height: 0.75rem;
  }
`

/** @summary Lines by day. Hidden from screen readers: pages show the same figures in a table. */
@customElement('sums-chart')
export class SumsChart extends LitElement {
  static override styles = [unsafeCSS(chartStyles), styles]
  @query('.plot') private plotElement!: HTMLElement
  /** Labels below the values, in the reader's format. */
  @property({ attribute: false }) days: readonly string[] = []
  @property({ attribute: false }) lines: readonly ChartLine[] = []
  private plot: uPlot | null = null
  private readonly sizes = new ResizeObserver(() => this.fit())
  private readonly themes = new MutationObserver(() => this.draw())

  override connectedCallback(): void {
    super.connectedCallback()
    this.sizes.observe(this)
    this.themes.observe(document.documentElement, { attributeFilter: ['class'] })
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.sizes.disconnect()
    this.themes.disconnect()
    this.plot?.destroy()
    this.plot = null
  }

  protected override updated(): void {
    this.draw()
  }

  private fit(): void {
    if (this.plot && this.clientWidth > 0) this.plot.setSize({ width: this.clientWidth, height: heightPx })
  }

  private draw(): void {
    if (!this.isConnected) return
    this.plot?.destroy()
    const style = getComputedStyle(document.documentElement)
    const stroke = style.getPropertyValue('--wa-color-text-quiet').trim() || 'gray'
    const grid = { stroke: style.getPropertyValue('--wa-color-surface-border').trim() || 'silver', width: 1 }
    const dayOf = (place: number) => (Number.isInteger(place) ? (this.days[place] ?? '') : '')
    const options: uPlot.Options = {
      width: this.clientWidth || 300,
      height: heightPx,
      legend: { show: false },
      cursor: { show: false },
      scales: { x: { time: false }, y: { range: (_, __, max) => [0, max > 0 ? max * 1.1 : 1] } },
      axes: [
        { stroke, grid: { show: false }, values: (_, places) => places.map(dayOf) },
        { stroke, grid, size: 60 },
      ],
      series: [
        {},
        ...this.lines.map(({ label }, at) => ({
          label,
          stroke: colorOf(at),
          width: 2,
          points: { show: this.days.length < 32, size: 5, fill: colorOf(at) },
        })),
      ],
    }
    const data = [this.days.map((_, at) => at), ...this.lines.map(({ values }) => [...values])]
    this.plot = new uPlot(options, data as uPlot.AlignedData, this.plotElement)
  }

  protected override render(): unknown {
    return html`
      <div class="plot" aria-hidden="true"></div>
      <ul aria-hidden="true">
        ${this.lines.map(
          ({ label }, at) =>
            html`<li><svg viewBox="0 0 12 12"><circle cx="6" cy="6" r="6" fill=${colorOf(at)}></circle></svg>${label}</li>`,
        )}
      </ul>
    `
  }
}

const colorOf = (at: number): string => colors[at % colors.length] ?? 'gray'
