import '@awesome.me/webawesome/dist/components/button/button.js'
import { html, nothing } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import type { AgentDecision, AgentPolicyView } from '../../src/api-types.ts'
import { request } from '../api/client.ts'
import { isTestMode } from '../api/mode.ts'
import { t } from '../locales/locale.ts'
import { cutText } from '../ui/cut-text.ts'
import { emptyState } from '../ui/empty-state.ts'
import { faultCallout } from '../ui/fault-callout.ts'
import { formatMoney, formatSum, formatTime } from '../ui/format.ts'
import { Page } from '../ui/page.ts'

type Agents = { policies: AgentPolicyView[]; next: string | null }
type Decisions = { agentId: string; decisions: AgentDecision[]; next: number | null }

/** @summary Agents' limits, spending and refused payments. */
@customElement('agents-page')
export class AgentsPage extends Page<Agents> {
  @state() private more: AgentPolicyView[] = []
  @state() private next: string | null = null
  @state() private shown: Decisions | null = null
  /** Increases with each request for decisions: a late answer must not replace those of another agent, or be listed twice. */
  private turn = 0
  @state() private refusal: unknown

  protected heading(): string {
    return t('page.agents')
  }

  protected async load(signal: AbortSignal): Promise<Agents> {
    const page = await request<Agents>('merchants/agent-policies', { query: { isTest: isTestMode() }, signal })
    this.more = []
    this.next = page.next
    return page
  }

  protected override isEmpty({ policies }: Agents): boolean {
    return policies.length === 0
  }

  protected override renderEmpty(): unknown {
    const reference = html`<a href="/docs" target="_blank" rel="noopener">${t('developers.reference')}</a>`
    return emptyState('agent', t('agents.empty'), reference)
  }

  private async loadMore(): Promise<void> {
    const after = this.next
    const page = await request<Agents>('merchants/agent-policies', {
      query: { isTest: isTestMode(), after },
    }).catch(this.refuse)
    // A second press has changed the list.
    if (!page || after !== this.next) return
    this.more = [...this.more, ...page.policies]
    this.next = page.next
  }

  private readonly refuse = (fault: unknown): undefined => {
    this.refusal = fault
  }

  private async showDecisions(agentId: string, before: number | null): Promise<void> {
    this.refusal = undefined
    this.turn += 1
    const { turn } = this
    const path = `merchants/agent-policies/${encodeURIComponent(agentId)}/decisions`
    const page = await request<Omit<Decisions, 'agentId'>>(path, { query: { before, limit: 50 } }).catch(this.refuse)
    if (!page || turn !== this.turn) return
    const known = before !== null && this.shown?.agentId === agentId ? this.shown.decisions : []
    this.shown = { agentId, decisions: [...known, ...page.decisions], next: page.next }
  }

  protected renderData({ policies }: Agents): unknown {
    return html`
      <div class="grid">${[...policies, ...this.more].map((policy) => this.renderPolicy(policy))}</div>
      ${this.refusal === undefined ? nothing : faultCallout(this.refusal)}
      ${
        this.next === null
          ? nothing
          : html`<wa-button appearance="outlined" size="s" @click=${this.loadMore}>${t('action.more')}</wa-button>`
      }
      ${this.shown ? this.renderDecisions(this.shown) : nothing}
    `
  }

  private renderPolicy(policy: AgentPolicyView) {
    // Budgets are in dollars, whatever token is paid.
    const dollars = (amount: string) => formatSum(amount, 'USD')
    const limit = (amount: string | null) => (amount === null ? t('agents.noLimit') : dollars(amount))
    const spent = (amount: string, of: string | null) =>
      of === null ? `${dollars(amount)} · ${t('agents.noLimit')}` : t('agents.of', dollars(amount), dollars(of))
    const list = (names: readonly string[] | null) => (names === null ? t('ops.all') : names.join(', '))
    return html`
      <section class="card">
        <h2>${policy.agentId}</h2>
        <dl>
          <dt>${t('agents.perPayment')}</dt>
          <dd class="number">${limit(policy.maxPerTransaction)}</dd>
          <dt>${t('agents.today')}</dt>
          <dd>${spent(policy.spentToday, policy.dailyBudget)}</dd>
          <dt>${t('agents.month')}</dt>
          <dd>${spent(policy.spentThisMonth, policy.monthlyBudget)}</dd>
          <dt>${t('agents.networks')}</dt>
          <dd>${list(policy.allowedNetworks)}</dd>
          <dt>${t('ops.token')}</dt>
          <dd>${list(policy.allowedCurrencies)}</dd>
          <dt>${t('agents.autonomous')}</dt>
          <dd>${policy.autonomousAllowed ? t('agents.allowed') : t('agents.refused')}</dd>
          <dt>${t('agents.expires')}</dt>
          <dd>${policy.expiresAt === null ? t('agents.never') : formatTime(policy.expiresAt)}</dd>
        </dl>
        <div>
          <wa-button size="s" appearance="outlined" @click=${() => this.showDecisions(policy.agentId, null)}>
            ${t('agents.decisions')}
          </wa-button>
        </div>
      </section>
    `
  }

  private renderDecisions({ agentId, decisions, next }: Decisions) {
    const title = t('agents.decisionsOf', agentId)
    return html`
      <section class="card" aria-live="polite">
        <h2>${title}</h2>
        ${
          decisions.length === 0
            ? html`<p>${t('state.empty')}</p>`
            : html`
              <div class="scroll" role="region" aria-label=${title} tabindex="0">
                <table>
                  <thead>
                    <tr>
                      <th scope="col">${t('webhooks.time')}</th>
                      <th scope="col">${t('agents.decision')}</th>
                      <th scope="col">${t('agents.rule')}</th>
                      <th scope="col" class="end">${t('payments.amount')}</th>
                      <th scope="col">${t('page.payment')}</th>
                    </tr>
                  </thead>
                  <tbody>
                    ${decisions.map(
                      (one) => html`
                        <tr>
                          <td class="number">${formatTime(one.decidedAt)}</td>
                          <td>${one.isAllowed ? t('agents.allowed') : t('agents.refused')}</td>
                          <td><code>${one.rule}</code></td>
                          <td class="end number">${formatMoney(one.amount, one.currency)}</td>
                          <td>
                            ${one.paymentId === null ? nothing : html`<a href="/dashboard/payments/${one.paymentId}">${cutText(one.paymentId, 20)}</a>`}
                          </td>
                        </tr>
                      `,
                    )}
                  </tbody>
                </table>
              </div>
            `
        }
        ${
          next === null
            ? nothing
            : html`<wa-button appearance="outlined" size="s" @click=${() => this.showDecisions(agentId, next)}>
                ${t('action.more')}
              </wa-button>`
        }
      </section>
    `
  }
}
