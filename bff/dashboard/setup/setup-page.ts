import { css, html, LitElement, nothing } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import { repeat } from 'lit/directives/repeat.js'
import { chooseLanguage, currentLanguage, languageNames, t } from '../locales/locale.ts'
import { baseStyles } from '../ui/styles.ts'
import { ask, faultSentence, SetupFault, type SetupState } from './setup-api.ts'
import { s } from './setup-locale.ts'
import { type Step, type StepName, stepsAfterCreation, stepsToCreate } from './setup-steps.ts'

const icon = new URL('../icon.svg', import.meta.url).href

/** Forms that share a step, which is answered with the last of them. */
const walletForms: ReadonlySet<string> = new Set(['setup-wallet', 'setup-account'])

/** @summary The first page of a service: asks what it needs, creates it, and makes a test payment. */
@customElement('setup-page')
export class SetupPage extends LitElement {
  static override styles = [
    baseStyles,
    css`
      main {
        display: grid;
        gap: 1rem;
        grid-template-columns: minmax(0, 1fr);
        max-width: 44rem;
        margin: 0 auto;
        padding: 1rem;
      }
      ol {
        display: grid;
        gap: 0.75rem;
        grid-template-columns: minmax(0, 1fr);
        margin: 0;
        padding: 0;
        list-style: none;
      }
      .number {
        display: inline-grid;
        place-items: center;
        flex: none;
        width: 1.75rem;
        height: 1.75rem;
        border-radius: 50%;
        font-size: 0.875rem;
        font-weight: 600;
        background: var(--wa-color-neutral-fill-quiet);
      }
      .done .number {
        background: var(--wa-color-success-fill-loud);
        color: var(--wa-color-success-on-loud);
      }
      .current .number {
        background: var(--wa-color-brand-fill-loud);
        color: var(--wa-color-brand-on-loud);
      }
      header {
        display: grid;
        gap: 0.75rem;
        margin-block: 1rem 0.5rem;
      }
      .title {
        flex-wrap: nowrap;
        min-width: 0;
      }
      .title img {
        flex: none;
        width: 2.5rem;
        height: 2.5rem;
      }
      .progress {
        display: flex;
        gap: 0.75rem;
        align-items: center;
      }
      .progress span {
        flex: none;
      }
      progress {
        flex: 1;
        width: 100%;
        height: 0.375rem;
        overflow: hidden;
        appearance: none;
        border: 0;
        border-radius: 1rem;
        background: var(--color-border);
      }
      progress::-webkit-progress-bar {
        background: var(--color-border);
      }
      progress::-webkit-progress-value {
        background: var(--wa-color-brand-fill-loud);
      }
      progress::-moz-progress-bar {
        background: var(--wa-color-brand-fill-loud);
      }
      .current {
        box-shadow: 0 0.25rem 1rem rgb(0 0 0 / 8%);
      }
      .head {
        display: flex;
        gap: 0.75rem;
        align-items: center;
      }
      .head > div {
        flex: 1;
        min-width: 0;
      }
      h2:focus {
        outline: none;
      }
    `,
  ]
  @state() private setup: SetupState | null = null
  @state() private fault: unknown
  /** The step that was opened by hand; null: the first one without an answer. */
  @state() private opened: StepName | null = null
  @state() private isOptionsDone = false
  @state() private isHandedOver = false

  override connectedCallback(): void {
    super.connectedCallback()
    document.title = s('title')
    this.addEventListener('setup-answered', this.next)
    // A choice after which no wallet is missing does not close the step, because it may be undone.
    this.addEventListener('setup-changed', () => {
      this.opened ??= 'wallets'
      void this.refresh().catch((fault: unknown) => {
        this.fault = fault
      })
    })
    this.addEventListener('setup-started', () => {
      this.isHandedOver = true
    })
    void this.open()
  }

  /** The token is removed from the address at once, so that it is in no history. */
  private async open(): Promise<void> {
    const token = location.hash.slice(1)
    try {
      if (token !== '') {
        history.replaceState({}, '', location.pathname)
        // A browser that already has the cookie may reload the link.
        await ask('POST', 'link', { token }).catch(async (fault: unknown) => {
          const isOurs = await ask('GET', 'state').then(
            () => true,
            () => false,
          )
          if (!isOurs) throw fault
        })
      }
      await this.refresh()
    } catch (fault) {
      this.fault = fault
    }
  }

  private async refresh(): Promise<void> {
    this.setup = await ask<SetupState>('GET', 'state')
  }

  private readonly next = (event: Event): void => {
    const [from] = event.composedPath()
    if (from instanceof HTMLElement && from.localName === 'setup-options') this.isOptionsDone = true
    void this.refresh()
      .then(async () => {
        const isWallet = from instanceof HTMLElement && walletForms.has(from.localName)
        if (!isWallet || this.steps().find(({ name }) => name === 'wallets')?.summary !== null) this.opened = null
        await this.updateComplete
        this.renderRoot.querySelector<HTMLElement>('.current h2')?.focus()
      })
      .catch((fault: unknown) => {
        this.fault = fault
      })
  }

  private steps(): Step[] {
    const { setup, isOptionsDone, isHandedOver } = this
    if (!setup) return []
    return setup.created ? stepsAfterCreation(setup, setup.created, isHandedOver) : stepsToCreate(setup, isOptionsDone)
  }

  private renderStep(step: Step, index: number, current: StepName | undefined, isAll: boolean) {
    const isCurrent = isAll || step.name === current
    const isDone = step.summary !== null
    return html`
      <li class="card ${isCurrent ? 'current' : isDone ? 'done' : ''}" aria-current=${isCurrent && !isAll ? 'step' : nothing}>
        <div class="head">
          <span class="number" aria-hidden="true">${isDone && !isCurrent ? '✓' : index + 1}</span>
          <div>
            <h2 tabindex="-1">${s(step.title)}</h2>
            ${isDone && !isCurrent ? html`<bdi class="quiet small">${step.summary}</bdi>` : nothing}
          </div>
          ${
            isDone && !isCurrent
              ? html`
                <wa-button
                  size="s"
                  appearance="plain"
                  @click=${() => {
                    this.opened = step.name
                  }}
                >
                  ${s('change')}<span class="visually-hidden"> ${s(step.title)}</span>
                </wa-button>
              `
              : nothing
          }
        </div>
        ${isCurrent ? step.render() : nothing}
      </li>
    `
  }

  /** Loads the page again: not once the service has started, because the keys would be gone with the set-up. */
  private renderLanguage() {
    return html`
      <label>
        <span class="visually-hidden">${t('app.language')}</span>
        <select @change=${(event: Event) => chooseLanguage((event.target as HTMLSelectElement).value)}>
          ${Object.entries(languageNames).map(
            ([code, name]) =>
              html`<option value=${code} lang=${code} ?selected=${code === currentLanguage()}>${name}</option>`,
          )}
        </select>
      </label>
    `
  }

  /** Nothing is left to say once the service runs: its step says so. */
  private renderIntroduction(isCreated: boolean) {
    if (!this.setup || this.fault !== undefined || this.isHandedOver) return nothing
    return html`<p class="quiet">${isCreated ? s('created') : s('intro')}</p>`
  }

  private renderProgress(at: number, steps: number) {
    const text = s('progress', at, steps)
    return html`
      <div class="progress">
        <progress max=${steps} .value=${at - 1} aria-label=${text}></progress>
        <span class="quiet small" aria-hidden="true">${text}</span>
      </div>
    `
  }

  private renderFault() {
    const isWithoutLink = this.fault instanceof SetupFault && this.fault.code === 'NO_SESSION'
    return html`
      <div class="card">
        <h2>${isWithoutLink ? s('noLink.title') : t('fault.title')}</h2>
        <p role="alert">${isWithoutLink ? s('noLink.text') : faultSentence(this.fault)}</p>
      </div>
    `
  }

  protected override render(): unknown {
    const steps = this.steps()
    const isCreated = this.setup?.created != null
    const current = this.opened ?? steps.find(({ summary }) => summary === null)?.name
    const at = isCreated ? 0 : steps.findIndex(({ name }) => name === current) + 1
    return html`
      <main>
        <header>
          <div class="row spread">
            <div class="row title">
              <img src=${icon} alt="" />
              <h1>${s('title')}</h1>
            </div>
            ${this.isHandedOver ? nothing : this.renderLanguage()}
          </div>
          ${this.renderIntroduction(isCreated)}
          ${at > 0 ? this.renderProgress(at, steps.length) : nothing}
        </header>
        ${this.fault === undefined ? nothing : this.renderFault()}
        ${
          this.setup && this.fault === undefined
            ? html`
              <ol>${repeat(
                steps,
                ({ name }) => name,
                (step, index) => this.renderStep(step, index, current, isCreated),
              )}</ol>
            `
            : nothing
        }
      </main>
    `
  }
}
