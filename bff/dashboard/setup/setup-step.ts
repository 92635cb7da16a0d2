import '@awesome.me/webawesome/dist/components/button/button.js'
import '@awesome.me/webawesome/dist/components/callout/callout.js'
import '@awesome.me/webawesome/dist/components/icon/icon.js'
import { css, html, LitElement, nothing } from 'lit'
import { property, state } from 'lit/decorators.js'
import { baseStyles } from '../ui/styles.ts'
import { faultSentence, SetupFault, type SetupState } from './setup-api.ts'

const styles = css`
  .error {
    color: var(--wa-color-danger-on-quiet);
    font-size: 0.875rem;
    font-weight: 400;
  }
  fieldset {
    display: grid;
    gap: 0.75rem;
    grid-template-columns: minmax(0, 1fr);
    min-width: 0;
    margin: 0;
    padding: 0;
    border: 0;
  }
  /* Fields beside each other, where there is room. */
  .pair {
    display: grid;
    gap: 1rem;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 13rem), 1fr));
    align-items: start;
  }
  .with-qr {
    display: flex;
    flex-wrap: wrap;
    gap: 1.25rem;
    align-items: center;
  }
  .with-qr > .stack {
    flex: 1 1 14rem;
    min-width: 0;
  }
  .qr {
    flex: none;
    width: 10rem;
    max-width: 100%;
    border-radius: 0.5rem;
  }
  dl {
    align-items: center;
  }
  legend {
    margin-bottom: 0.5rem;
    padding: 0;
    font-weight: 600;
  }
  .stack > .error {
    margin-top: -0.75rem;
  }
  .error::before {
    content: '! ';
    font-weight: 700;
  }
  input[aria-invalid='true'] {
    border-color: var(--wa-color-danger-border-loud);
  }
`

/**
 * One question of the set-up. A refused answer stays in its field, with the reason below it.
 * @event setup-answered - The service has accepted the answer.
 */
export abstract class SetupStep extends LitElement {
  static override styles = [baseStyles, styles]
  @property({ attribute: false }) setup!: SetupState
  @state() protected isBusy = false
  @state() protected fault: unknown

  override connectedCallback(): void {
    super.connectedCallback()
    // The refusal applied to the field's previous value.
    this.addEventListener('input', () => {
      if (this.fault instanceof SetupFault && this.fault.field !== null) this.fault = undefined
    })
  }

  /** Runs one request; a refusal is kept for its field. */
  protected async attempt(work: () => Promise<void>): Promise<void> {
    if (this.isBusy) return
    this.isBusy = true
    this.fault = undefined
    try {
      await work()
    } catch (fault) {
      this.fault = fault
      await this.updateComplete
      this.renderRoot.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    }
    this.isBusy = false
  }

  protected answered(): void {
    this.dispatchEvent(new Event('setup-answered', { bubbles: true, composed: true }))
  }

  protected isWrong(field: string): boolean {
    return this.fault instanceof SetupFault && this.fault.field === field
  }

  /** The reason below a field. */
  protected errorOf(field: string) {
    return this.isWrong(field)
      ? html`<span class="error" id="error-${field}" role="alert">${faultSentence(this.fault)}</span>`
      : nothing
  }

  /** A refusal that belongs to none of the fields. */
  protected renderFault(...fields: readonly string[]) {
    if (this.fault === undefined || fields.some((field) => this.isWrong(field))) return nothing
    return html`<wa-callout variant="danger" role="alert">${faultSentence(this.fault)}</wa-callout>`
  }
}
