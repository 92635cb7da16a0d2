import { html, nothing, type TemplateResult } from 'lit/html.js'
import type { Following } from '../checkout.ts'
import type { CheckoutController, Way } from '../checkout-controller.ts'
import type { ChooseIntent, CreateIntent } from '../terms.ts'
import { viewButton, viewMessage } from '../views/frame.ts'
import { switchRoad } from '../wallet/service.ts'
import { say, sayAmount, sayTime } from '../words/say.ts'
import type { ScreensHost } from './screens.ts'
import { type PayableWay, readWays } from './ways.ts'

/** Which token on which network, where the page leaves that to the customer: first of all, and again while nothing was sent. */
export class Chooser {
  /** The customer chooses anew in place of the payment on screen. */
  isOpen = false
  private readonly host: ScreensHost
  private readonly controller: CheckoutController
  private ways: PayableWay[] | 'asked' | 'unreached' | null = null
  /** What was asked for when the ways were read. */
  private readFor: ChooseIntent | null = null
  private isChanging = false
  private problem: (() => string) | null = null

  constructor(host: ScreensHost, controller: CheckoutController) {
    this.host = host
    this.controller = controller
  }

  /** @param following - The payment that a choice would take the place of, if there is one. */
  view(choice: ChooseIntent, following: Following | null): TemplateResult {
    if (this.readFor?.publicKey !== choice.publicKey || this.readFor.apiBase !== choice.apiBase) void this.read(choice)
    const { ways } = this
    if (ways === 'unreached') {
      const again = viewButton(say('tryAgain'), () => void this.read(choice))
      return html`${viewMessage('warning', say('loadFailed'), say('notReached'), nothing, 'alert')} ${again}`
    }
    if (!Array.isArray(ways) || this.isChanging) return viewMessage('clock', say('oneMoment'), '')
    const back = following ? viewButton(say('keepWay'), () => this.open(false), 'quiet') : nothing
    if (ways.length === 0) {
      const again = viewButton(say('tryAgain'), () => void this.read(choice))
      return html`${viewMessage('warning', say('noWay'), say('networkDownText'), nothing, 'alert')} ${again} ${back}`
    }
    const pick = (way: PayableWay) => () => void this.pick(choice, following, way)
    return html`<p class="title" part="status" role="heading" aria-level="2" tabindex="-1">${say('chooseWay')}</p>
      <p class="amount" part="amount"><bdi>${sayAmount(choice.terms.amount)}</bdi></p>
      ${this.problem ? html`<p class="problem" role="alert">${this.problem()}</p>` : nothing}
      <ul class="ways">${ways.map((way) => html`<li>${viewWay(way, pick(way))}</li>`)}</ul>
      <p class="label">${say('waysHint')}</p>
      ${back}`
  }

  /** Opens the list in place of the payment on screen, or goes back to that. */
  open(isOpen: boolean): void {
    this.isOpen = isOpen
    this.problem = null
    // Read again: what could be paid then need not be payable now.
    this.readFor = null
    this.host.requestUpdate()
  }

  private async read(choice: ChooseIntent): Promise<void> {
    this.readFor = choice
    this.ways = 'asked'
    const ways = await readWays(choice)
    if (this.readFor !== choice) return
    this.ways = ways ?? 'unreached'
    this.host.requestUpdate()
    const [only] = ways ?? []
    // Nothing to choose from is nothing to ask for.
    if (only && ways?.length === 1 && this.controller.checkout.phase === 'choosing')
      this.controller.choose(choice, only)
  }

  private async pick(choice: ChooseIntent, following: Following | null, way: PayableWay): Promise<void> {
    const { currency, network } = way
    if (!following) return this.controller.choose(choice, { currency, network })
    if (following.intent.type === 'create' && isSameWay(following.intent, way)) return this.open(false)
    this.isChanging = true
    this.host.requestUpdate()
    await this.change(choice, following, { currency, network })
    this.isChanging = false
    this.host.requestUpdate()
  }

  /** The service cancels the payment on screen in the same step, unless money has come for it: then that one stays. */
  private async change(choice: ChooseIntent, following: Following, way: Way): Promise<void> {
    const { id } = following.answer.payment
    const intent: CreateIntent = { ...choice, type: 'create', terms: { ...choice.terms, ...way }, choice }
    const switched = await switchRoad(intent, id, 'deposit', `${id}:${way.network}:${way.currency}`)
    const { checkout } = this.controller
    if (checkout.phase !== 'following' || checkout.answer.payment.id !== id) return
    if (switched.type === 'failed') {
      this.problem = () => switched.fault.message || say('notReached')
      return
    }
    if (switched.type === 'switched') this.controller.change(intent, way, switched.answer)
    else this.controller.lookNow()
    this.isOpen = false
  }
}

function isSameWay({ terms }: CreateIntent, { currency, network }: PayableWay): boolean {
  return (
    terms.network.toLowerCase() === network.toLowerCase() && terms.currency.toUpperCase() === currency.toUpperCase()
  )
}

function viewWay(way: PayableWay, onPick: () => void): TemplateResult {
  const { currency, networkName, seconds, confirmations, fee } = way
  const time = seconds === null ? say('wayConfirmations', confirmations) : say('wayTime', sayTime(seconds))
  const cost = fee === 'low' ? say('wayCheap') : fee === 'high' ? say('wayDear') : ''
  return html`<button type="button" @click=${onPick}>
    <span class="lead"><bdi>${currency}</bdi> ${say('on', networkName)}</span>
    <span class="label">${[cost, time].filter(Boolean).join(' · ')}</span>
  </button>`
}
