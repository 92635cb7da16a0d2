import { css, html, LitElement, nothing } from 'lit'
import { customElement, property, query, state } from 'lit/decorators.js'
import { formatLocale, t } from '../locales/locale.ts'
import { formatAmount, withCents } from './format.ts'
import { parseAmount } from './parse-amount.ts'
import { baseStyles } from './styles.ts'

/** Shown in the reader's format if the text is not an amount. */
const examples = ['1250.00', '0.50'] as const

/**
 * @summary A form field for an amount in the reader's format. Below it, the parsed amount or how to write one. The form gets the amount in
 * the service's format, and is not sent while the text is not an amount.
 */
@customElement('amount-input')
export class AmountInput extends LitElement {
  static readonly formAssociated = true
  static override styles = [
    baseStyles,
    css`
      .refused {
        color: var(--wa-color-danger-on-quiet);
      }
    `,
  ]
  private readonly internals = this.attachInternals()
  @query('input') private input!: HTMLInputElement
  @state() private text = ''
  /** Whether the person has left the field, because a half-typed amount is not refused. */
  @state() private isLeft = false
  @property() label = ''
  /** The initial amount in the service's format; empty for none. */
  @property() value = ''
  @property({ type: Boolean }) required = false
  @property({ type: Boolean }) disabled = false
  /** What the amount means, such as `Customers pay 1,250.00 USDC`. Receives the amount in the reader's format. */
  @property({ attribute: false }) describe: (amount: string) => string = (amount) => `= ${amount}`
  /** Why the form may not be sent with this amount; empty if it may. Receives the amount in the service's format. */
  @property({ attribute: false }) verify: (amount: string) => string = () => ''

  get form(): HTMLFormElement | null {
    return this.internals.form
  }

  get name(): string {
    return this.getAttribute('name') ?? ''
  }

  checkValidity(): boolean {
    return this.internals.checkValidity()
  }

  reportValidity(): boolean {
    return this.internals.reportValidity()
  }

  formResetCallback(): void {
    this.show(this.value)
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (changed.has('value')) this.show(this.value)
  }

  protected override updated(): void {
    const amount = this.amount
    this.internals.setFormValue(this.disabled ? null : (amount ?? ''))
    if (this.text.trim() === '' && this.required) {
      this.internals.setValidity({ valueMissing: true }, t('amount.missing'), this.input)
    } else {
      const { problem } = this
      this.internals.setValidity({ customError: problem !== '' }, problem, this.input)
    }
  }

  private show(amount: string): void {
    this.text = amount === '' ? '' : formatAmount(amount)
    this.isLeft = false
  }

  /** In the service's format. Null if the text is not an amount. */
  get amount(): string | null {
    return this.text.trim() === '' ? '' : parseAmount(this.text, formatLocale())
  }

  /** Why the form is not sent; empty if it is. */
  private get problem(): string {
    const { amount } = this
    if (amount === null) return t('amount.invalid', ...examples.map(formatAmount))
    return amount === '' ? '' : this.verify(amount)
  }

  /** Enter in the field submits its form. */
  private readonly onKey = ({ key }: KeyboardEvent): void => {
    if (key !== 'Enter') return
    this.isLeft = true
    this.form?.requestSubmit()
  }

  private renderNote(): unknown {
    const { amount, problem } = this
    if (problem !== '') return this.isLeft ? html`<span class="refused">${problem}</span>` : nothing
    // A zero needs no confirmation: it reads the same in every format.
    return Number(amount) === 0 ? nothing : this.describe(formatAmount(withCents(amount ?? '')))
  }

  protected override render(): unknown {
    return html`
      <label class="field">
        ${this.label}
        <input
          inputmode="decimal"
          autocomplete="off"
          maxlength="40"
          aria-describedby="note"
          aria-invalid=${this.isLeft && this.problem !== ''}
          ?required=${this.required}
          ?disabled=${this.disabled}
          .value=${this.text}
          @input=${() => {
            this.text = this.input.value
          }}
          @blur=${() => {
            this.isLeft = true
          }}
          @keydown=${this.onKey}
        />
      </label>
      <div class="small quiet" id="note" role="status">${this.renderNote()}</div>
    `
  }
}
