import type { TemplateResult } from 'lit/html.js'
import type { Fault } from '../api.ts'
import type { CheckoutController } from '../checkout-controller.ts'
import type { View } from '../views/view.ts'
import { elsewhere } from '../words/english-elsewhere.ts'
import { speak, type Words } from '../words/say.ts'
import { type Bridge, parseBridge } from './bridge.ts'
import type { ElsewhereHost } from './entry.ts'
import { type Choice, switchWay } from './service.ts'
import type { Source } from './sources.ts'
import { elsewhereStyles } from './style.ts'
import { viewChoice, viewMoving, viewReturned, viewSend, viewShort, viewStrange, viewWorking } from './views.ts'

/** What the customer is at, beside what the payment itself calls for. */
type Step = { at: 'payment' } | { at: 'choosing'; fault: Fault | null } | { at: 'asking' }

/** Paying from another chain: a choice, then a payment of its own that a bridge brings to the shop. A file of its own. */
export class Elsewhere {
  /** What is said where no other language has come, beside the words of the screens, which were there before. */
  static readonly english: Words = elsewhere
  private readonly host: ElsewhereHost
  private readonly controller: CheckoutController
  private step: Step = { at: 'payment' }
  private choice: Choice = { chainId: 0, currency: '' }
  /** Where each payment's money was first said to go: it never changes, whatever an answer says later. */
  private readonly addresses = new Map<string, string>()

  constructor(host: ElsewhereHost, controller: CheckoutController) {
    this.host = host
    this.controller = controller
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(elsewhereStyles)
    host.renderRoot.adoptedStyleSheets.push(sheet)
  }

  open(): void {
    this.show({ at: 'choosing', fault: null })
  }

  /** @param sources - All chains of the bridge. @returns null where the screens of any payment say it. */
  view(view: View, sources: readonly Source[]): TemplateResult | null {
    const { language, following } = view
    speak(language)
    if (this.step.at === 'asking') return viewWorking(view)
    if (this.step.at === 'choosing' && following.stage === 'awaiting') return this.viewChoice(view, sources)
    return following.answer.wire.relayDepositAddress ? this.viewPayment(view, sources) : null
  }

  private viewChoice(view: View, sources: readonly Source[]): TemplateResult {
    const { answer } = view.following
    const others = sources.filter(({ chainId }) => chainId !== answer.payment.chainId)
    const source = others.find(({ chainId }) => chainId === this.choice.chainId) ?? others[0]
    const wanted = [this.choice.currency, answer.payment.currency]
    const currencies = source?.currencies ?? []
    const currency = wanted.find((one) => currencies.includes(one)) ?? currencies[0] ?? ''
    this.choice = { chainId: source?.chainId ?? 0, currency }
    const isAway = Boolean(answer.wire.relayDepositAddress)
    return viewChoice(view, {
      ...{ sources: others, choice: this.choice, fault: this.step.at === 'choosing' ? this.step.fault : null },
      onChoose: (choice) => {
        this.choice = choice
        this.host.requestUpdate()
      },
      onGo: () => void this.change(view, this.choice),
      onBack: () => (isAway ? void this.change(view, null) : this.show({ at: 'payment' })),
    })
  }

  private viewPayment(view: View, sources: readonly Source[]): TemplateResult | null {
    const { stage, answer, intent } = view.following
    if (stage === 'paid' || stage === 'confirming') return null
    const bridge = parseBridge(answer)
    if (!bridge || !this.isSame(answer.payment.id, bridge)) return viewStrange(view)
    if (bridge.status === 'refund') return viewReturned(view, bridge)
    if (stage === 'underpaid') return viewShort(view)
    const isWaiting = bridge.status === '' || bridge.status === 'waiting'
    if (!isWaiting) return stage === 'awaiting' ? viewMoving(view, bridge) : null
    if (stage !== 'awaiting' || view.leftMs === 0) return null
    const canChange = intent.type === 'create' && sources.length > 1
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
    const switched = await switchWay(intent, answer.payment.id, choice)
    if (switched.type === 'failed') return this.show({ at: 'choosing', fault: switched.fault })
    const bridge = switched.type === 'switched' && choice ? parseBridge(switched.answer) : null
    // The last look before the customer sends money: another chain or token than was chosen is never shown.
    if (switched.type === 'switched' && choice && !isChosen(choice, bridge)) {
      const message = 'The service answered with another chain or token.'
      return this.show({ at: 'choosing', fault: { code: 'MISMATCH', message, status: 0, retryAfterMs: 0 } })
    }
    this.step = { at: 'payment' }
    if (switched.type === 'switched') this.controller.adopt(switched.answer)
    else this.controller.lookNow()
    this.host.requestUpdate()
  }

  private show(step: Step): void {
    this.step = step
    this.host.requestUpdate()
  }
}

const isChosen = ({ chainId, currency }: Choice, bridge: Bridge | null): boolean =>
  bridge?.chainId === chainId && bridge.currency.toUpperCase() === currency.toUpperCase()
