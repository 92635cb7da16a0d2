import type { TemplateResult } from 'lit'
import type { Fault } from '../api/client.ts'
import { type Replaced, replacePayment } from '../api/replace-payment.ts'
import { Part } from '../part.ts'
import { seenOf } from '../payment.ts'
import type { CreateIntent } from '../terms.ts'
import type { View } from '../views/view.ts'
import { type Bridge, type Choice, parseBridge } from './bridge.ts'
import type { BridgeChain } from './bridge-chains.ts'
import {
  viewChoice,
  viewMoving,
  viewReturned,
  viewSend,
  viewShort,
  viewStrange,
  viewWorking,
} from './cross-chain-views.ts'

/** The customer's current step, in addition to the payment's state. */
type Step = { at: 'payment' } | { at: 'choosing'; fault: Fault | null } | { at: 'asking' }

/** Cross-chain payment: a choice, then a separate payment that a bridge delivers to the shop. A chunk of its own. */
export class CrossChain extends Part {
  private step: Step = { at: 'payment' }
  private choice: Choice = { chainId: 0, currency: '' }
  /** The first known address of each payment: it never changes, whatever a later response contains. */
  private readonly addresses = new Map<string, string>()

  open(): void {
    this.show({ at: 'choosing', fault: null })
  }

  /**
   * @param origins - All chains of the bridge.
   * @returns null when the payment's ordinary screens apply.
   */
  view(view: View, origins: readonly BridgeChain[]): TemplateResult | null {
    const { following } = view
    if (this.step.at === 'asking') return viewWorking(view)
    if (this.step.at === 'choosing' && following.stage === 'awaiting') return this.viewChoice(view, origins)
    return following.answer.wire.relayDepositAddress ? this.viewPayment(view, origins) : null
  }

  private viewChoice(view: View, origins: readonly BridgeChain[]): TemplateResult {
    const { answer } = view.following
    const others = origins.filter(({ chainId }) => chainId !== answer.payment.chainId)
    const origin = others.find(({ chainId }) => chainId === this.choice.chainId) ?? others[0]
    const wanted = [this.choice.currency, answer.payment.currency]
    const currencies = origin?.currencies ?? []
    const currency = wanted.find((one) => currencies.includes(one)) ?? currencies[0] ?? ''
    this.choice = { chainId: origin?.chainId ?? 0, currency }
    const isAway = Boolean(answer.wire.relayDepositAddress)
    return viewChoice(view, {
      origins: others,
      choice: this.choice,
      fault: this.step.at === 'choosing' ? this.step.fault : null,
      onChoose: (choice) => {
        this.choice = choice
        this.host.requestUpdate()
      },
      onGo: () => void this.change(view, this.choice),
      onBack: () => (isAway ? void this.change(view, null) : this.show({ at: 'payment' })),
    })
  }

  private viewPayment(view: View, origins: readonly BridgeChain[]): TemplateResult | null {
    const { stage, answer, intent } = view.following
    if (stage === 'paid' || stage === 'confirming') return null
    const bridge = parseBridge(answer)
    if (!bridge || !this.isSame(answer.payment.id, bridge)) return viewStrange(view)
    if (bridge.status === 'refund') return viewReturned(view, bridge)
    if (stage === 'underpaid') return viewShort(view)
    const isWaiting = bridge.status === '' || bridge.status === 'waiting'
    // Also after the end: the bridge still has the customer's money.
    if (!isWaiting) return seenOf(answer.payment) ? null : viewMoving(view, bridge)
    if (stage !== 'awaiting' || view.leftMs === 0) return null
    const canChange = intent.type === 'create' && origins.length > 1
    return viewSend(view, bridge, canChange ? () => this.open() : null)
  }

  private isSame(id: string, { address }: Bridge): boolean {
    const first = this.addresses.get(id) ?? address
    this.addresses.set(id, first)
    return first === address
  }

  private async change({ following }: View, choice: Choice | null): Promise<void> {
    const { intent, answer } = following
    if (intent.type !== 'create') return
    this.show({ at: 'asking' })
    const replaced = await this.replace(intent, answer.payment.id, choice)
    // The page has asked for another payment meanwhile.
    if (this.following?.answer.payment.id !== answer.payment.id) return this.show({ at: 'payment' })
    if (replaced.type === 'failed') return this.show({ at: 'choosing', fault: replaced.fault })
    const bridge = replaced.type === 'replaced' && choice ? parseBridge(replaced.answer) : null
    // The last check before the customer sends money: another chain or token than the chosen one is never shown.
    if (replaced.type === 'replaced' && choice && !isChosen(choice, bridge)) {
      const message = 'The service answered with another chain or token.'
      return this.show({ at: 'choosing', fault: { code: 'MISMATCH', message, status: 0, retryAfterMs: 0 } })
    }
    this.step = { at: 'payment' }
    if (replaced.type === 'replaced') this.controller.adopt(replaced.answer)
    else this.controller.pollNow()
    this.host.requestUpdate()
  }

  /** @param choice - Null returns to the payment's own network. */
  private replace(intent: CreateIntent, id: string, choice: Choice | null): Promise<Replaced> {
    if (!choice) return replacePayment(intent, id, { path: 'deposits/create', purpose: 'back' })
    const { chainId, currency } = choice
    return replacePayment(intent, id, {
      path: 'payments/cross-chain/create',
      purpose: `cross-chain:${chainId}:${currency}`,
      more: { originChainId: chainId, originCurrency: currency },
    })
  }

  private show(step: Step): void {
    this.step = step
    this.host.requestUpdate()
  }
}

const isChosen = ({ chainId, currency }: Choice, bridge: Bridge | null): boolean =>
  bridge?.chainId === chainId && bridge.currency.toUpperCase() === currency.toUpperCase()
