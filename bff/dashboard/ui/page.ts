import '@awesome.me/webawesome/dist/components/skeleton/skeleton.js'
import { type CSSResultGroup, css, html, LitElement, nothing } from 'lit'
import { query, state } from 'lit/decorators.js'
import { t } from '../locales/locale.ts'
import { faultCallout } from './fault-callout.ts'
import { labelCells } from './label-cells.ts'
import { baseStyles } from './styles.ts'

const layout = css`
  :host {
    display: grid;
    gap: 1rem;
    grid-template-columns: minmax(0, 1fr);
  }
  .heading {
    min-height: 2.5rem;
  }
  .lines {
    display: grid;
    gap: 0.75rem;
  }
`

/**
 * A page: a heading, and the data returned by `load`. While loading, the page shows grey lines or its previous content;
 * a refusal is shown with its fix. `load` of a page without data returns null at once.
 */
export abstract class Page<Data> extends LitElement {
  static override styles: CSSResultGroup = [baseStyles, layout]
  @query('h1') private headingElement!: HTMLElement
  @state() protected data: Data | undefined
  @state() protected fault: unknown
  @state() protected isLoading = false
  private loading: AbortController | null = null

  /** For the heading and the window's title. */
  protected abstract heading(): string

  protected abstract load(signal: AbortSignal): Promise<Data>

  protected abstract renderData(data: Data): unknown

  /** Buttons beside the heading. */
  protected renderActions(): unknown {
    return nothing
  }

  /** Replaces the text of the grey lines while `load` is pending. */
  protected renderLoading(): unknown {
    return html`<span class="visually-hidden">${t('state.loading')}</span>`
  }

  protected isEmpty(_data: Data): boolean {
    return false
  }

  protected renderEmpty(): unknown {
    return html`<div class="card"><p>${t('state.empty')}</p></div>`
  }

  /** Reloads the data. A later request's result replaces an earlier one's, never the reverse. */
  async reload(): Promise<void> {
    this.loading?.abort()
    const loading = new AbortController()
    this.loading = loading
    this.isLoading = true
    try {
      const data = await this.load(loading.signal)
      if (loading.signal.aborted) return
      this.data = data
      this.fault = undefined
    } catch (fault) {
      if (loading.signal.aborted) return
      this.fault = fault
    }
    this.isLoading = false
  }

  override connectedCallback(): void {
    super.connectedCallback()
    void this.reload()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.loading?.abort()
  }

  protected override updated(): void {
    document.title = `${this.heading()} · ${t('app.name')}`
    labelCells(this.renderRoot)
  }

  /** After a page change, so that screen readers announce the new page. */
  focusHeading(): void {
    this.headingElement?.focus()
  }

  private renderBody(): unknown {
    if (this.data !== undefined) return this.isEmpty(this.data) ? this.renderEmpty() : this.renderData(this.data)
    if (this.fault !== undefined) return nothing
    return html`
      <div class="lines" aria-busy="true">
        ${this.renderLoading()} ${[1, 2, 3].map(() => html`<wa-skeleton effect="sheen"></wa-skeleton>`)}
      </div>
    `
  }

  protected override render(): unknown {
    return html`
      <div class="row spread heading">
        <h1 tabindex="-1">${this.heading()}</h1>
        <div class="row">${this.renderActions()}</div>
      </div>
      ${this.fault === undefined ? nothing : faultCallout(this.fault, () => void this.reload())}
      ${this.renderBody()}
    `
  }
}
