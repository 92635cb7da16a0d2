import { css, html, nothing } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import { ask, faultSentence, type NodeCheck, type OfferedNetwork } from './setup-api.ts'
import { s, sOrNull } from './setup-locale.ts'
import { SetupStep } from './setup-step.ts'

/** Pause in typing after which the node is checked. */
const settleMs = 600
const nodesMax = 2

/** The text typed for one node, and the result of its check. */
type Node = { url: string; check: NodeCheck | null; isChecking: boolean; fault: unknown }

const newNode = (url = ''): Node => ({ url, check: null, isChecking: false, fault: undefined })

/** @summary Networks, and their nodes, which are checked as they are typed. */
@customElement('setup-networks')
export class SetupNetworks extends SetupStep {
  static override styles = [
    ...SetupStep.styles,
    css`
      .networks {
        display: grid;
        gap: 0.5rem;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 12rem), 1fr));
      }
      .network {
        padding: 0.625rem 0.75rem;
        border: 1px solid var(--wa-color-surface-border);
        border-radius: 0.5rem;
      }
      input[type='checkbox'],
      input[type='radio'] {
        flex: none;
      }
      .network img {
        flex: none;
        width: 1.25rem;
        height: 1.25rem;
      }
      .notes {
        display: grid;
        gap: 0.25rem;
        margin-top: -0.75rem;
      }
      .notes:empty {
        display: none;
      }
      .notes .error {
        margin: 0;
      }
    `,
  ]
  @state() private isReal = false
  @state() private chosen: ReadonlyMap<string, readonly Node[]> = new Map()
  private timers = new Map<string, ReturnType<typeof setTimeout>>()

  override connectedCallback(): void {
    super.connectedCallback()
    const { networks } = this.setup.answers
    const [first] = networks
    this.isReal = first !== undefined && !this.offered(first.network)?.isTestnet
    this.chosen = new Map(
      networks.map(({ network, rpcUrls, checks }) => {
        const nodes = rpcUrls.map((url, index) => ({ ...newNode(url), check: checks[index] ?? null }))
        return [network, nodes.length < nodesMax ? [...nodes, newNode()] : nodes]
      }),
    )
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    for (const timer of this.timers.values()) clearTimeout(timer)
  }

  private offered(network: string): OfferedNetwork | undefined {
    return this.setup.offered.find((one) => one.network === network)
  }

  private toggle({ network, publicNodes }: OfferedNetwork, isOn: boolean): void {
    const chosen = new Map(this.chosen)
    if (isOn)
      chosen.set(
        network,
        Array.from({ length: nodesMax }, (_, index) => newNode(publicNodes[index])),
      )
    else chosen.delete(network)
    this.chosen = chosen
    this.fault = undefined
    if (!isOn) return
    for (const index of publicNodes.slice(0, nodesMax).keys()) void this.check(network, index)
  }

  private choose(isReal: boolean): void {
    this.isReal = isReal
    this.chosen = new Map()
    this.fault = undefined
  }

  private put(network: string, index: number, changes: Partial<Node>): void {
    const nodes = this.chosen.get(network)?.map((node, at) => (at === index ? { ...node, ...changes } : node))
    if (nodes) this.chosen = new Map([...this.chosen, [network, nodes]])
  }

  private typed(network: string, index: number, url: string): void {
    this.put(network, index, { url, check: null, fault: undefined })
    const key = `${network} ${index}`
    clearTimeout(this.timers.get(key))
    this.timers.set(
      key,
      setTimeout(() => void this.check(network, index), settleMs),
    )
  }

  /** Ignores the response if the field has changed meanwhile. */
  private async check(network: string, index: number): Promise<void> {
    const url = this.chosen.get(network)?.[index]?.url.trim() ?? ''
    if (url === '') return
    const isStill = () => this.chosen.get(network)?.[index]?.url.trim() === url
    this.put(network, index, { isChecking: true, check: null, fault: undefined })
    try {
      const { check } = await ask<{ check: NodeCheck }>('POST', 'nodes', { network, url })
      if (isStill()) this.put(network, index, { check, isChecking: false })
    } catch (fault) {
      if (isStill()) this.put(network, index, { fault, isChecking: false })
    }
  }

  private readonly save = (event: SubmitEvent): void => {
    event.preventDefault()
    void this.attempt(async () => {
      const networks = [...this.chosen].map(([network, nodes]) => ({
        network,
        rpcUrls: nodes.map(({ url }) => url.trim()).filter((url) => url !== ''),
      }))
      await ask('PUT', 'networks', { networks })
      this.answered()
    })
  }

  private renderNotes({ check, isChecking, fault }: Node, { name }: OfferedNetwork) {
    if (isChecking) return html`<span class="quiet small" role="status">${s('node.checking')}</span>`
    if (fault !== undefined) return html`<span class="error" role="alert">${faultSentence(fault)}</span>`
    if (!check) return nothing
    const notes = check.notes.filter(({ state }) => state !== 'good')
    return html`
      ${check.isUsable && notes.every(({ code }) => code !== 'default.silent') ? html`<span class="small" role="status">✓ ${s('node.good')}</span>` : nothing}
      ${notes.map(({ code, state, says }) => {
        const text = sOrNull(`node.${code}`, name) ?? says
        return state === 'bad'
          ? html`<span class="error" role="alert">${text}</span>`
          : html`<span class="small quiet">${text}</span>`
      })}
    `
  }

  private renderNodes(network: OfferedNetwork) {
    const nodes = this.chosen.get(network.network)
    if (!nodes) return nothing
    return html`
      <div class="network stack">
        <strong>${network.name}</strong>
        ${nodes.map(
          (node, index) => html`
            <label class="field">
              ${index === 0 ? s('networks.node', network.name) : s('networks.second')}
              <input
                type="url"
                inputmode="url"
                autocomplete="off"
                placeholder="https://"
                .value=${node.url}
                aria-invalid=${node.fault !== undefined || node.check?.isUsable === false || (index === 0 && this.isWrong(network.network))}
                @input=${(event: Event) => this.typed(network.network, index, (event.target as HTMLInputElement).value)}
              />
            </label>
            <div class="notes">
              ${
                network.publicNodes.includes(node.url)
                  ? html`<span class="quiet small">${s('networks.public')}</span>`
                  : nothing
              }
              ${this.renderNotes(node, network)}
            </div>
          `,
        )}
        ${this.errorOf(network.network)}
      </div>
    `
  }

  protected override render(): unknown {
    const shown = this.setup.offered.filter(({ isTestnet }) => isTestnet !== this.isReal)
    const fields = ['networks', ...this.setup.offered.map(({ network }) => network)]
    return html`
      <form class="stack" @submit=${this.save} novalidate>
        <fieldset>
          <legend>${s('networks.kind')}</legend>
          <label class="row">
            <input type="radio" name="kind" .checked=${!this.isReal} @change=${() => this.choose(false)} />
            <span><strong>${s('networks.test')}</strong> <span class="quiet">${s('networks.test.text')}</span></span>
          </label>
          <label class="row">
            <input type="radio" name="kind" .checked=${this.isReal} @change=${() => this.choose(true)} />
            <span><strong>${s('networks.real')}</strong> <span class="quiet">${s('networks.real.text')}</span></span>
          </label>
        </fieldset>
        <fieldset>
          <legend>${s('networks.title')}</legend>
          <div class="networks">
            ${shown.map(
              (network) => html`
                <label class="row network">
                  <input
                    type="checkbox"
                    .checked=${this.chosen.has(network.network)}
                    @change=${(event: Event) => this.toggle(network, (event.target as HTMLInputElement).checked)}
                  />
                  <img src="/logos/networks/${network.logo}.svg" alt="" />
                  <span>${network.name} <span class="quiet small">${network.symbols.join(', ')}</span></span>
                </label>
              `,
            )}
          </div>
          ${
            this.isReal && this.setup.later.length > 0
              ? html`<p class="quiet small">${s('networks.later', this.setup.later.join(', '))}</p>`
              : nothing
          }
          ${this.errorOf('networks')}
        </fieldset>
        ${shown.map((network) => this.renderNodes(network))} ${this.renderFault(...fields)}
        <div class="row">
          <wa-button type="submit" variant="brand" ?loading=${this.isBusy}>${s('continue')}</wa-button>
        </div>
      </form>
    `
  }
}
