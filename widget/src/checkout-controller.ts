import type { ReactiveController, ReactiveControllerHost } from 'lit'
import type { Received } from './api/client.ts'
import { answerInPage, createPayment, readPayment } from './api/payments.ts'
import { type Checkout, type CheckoutEvent, type Effect, reduce } from './checkout.ts'
import type { EarlyCreate } from './early-create.ts'
import type { Answer } from './payment.ts'
import { Poller, paceMs } from './poller.ts'
import { keepClientSecret, load, Session, save } from './session.ts'
import { type ChooseIntent, type CreateIntent, type Intent, identityOf, type Problem } from './terms.ts'

type Host = ReactiveControllerHost & Element & { earlyCreate?: EarlyCreate }

/**
 * Carries out the reducer's effects: creates and follows the payment, remembers it in the tab, emits the page's events.
 */
export class CheckoutController implements ReactiveController {
  checkout: Checkout = { phase: 'idle' }
  /** Minimum wait between two polls; above 0 while an event stream reports changes. */
  floorMs = 0
  private readonly host: Host
  private readonly poller = new Poller((isFresh, signal) => this.poll(isFresh, signal))
  private session: Session | null = null
  private hasReadPage = false

  constructor(host: Host) {
    this.host = host
    host.addController(this)
  }

  hostConnected(): void {
    this.host.requestUpdate()
    if ('line' in this.checkout) this.poller.start()
  }

  hostDisconnected(): void {
    this.poller.stop()
    this.session?.release()
    this.session = null
  }

  configure(wanted: Intent | Problem[]): void {
    if (Array.isArray(wanted)) this.dispatch({ type: 'settings.broken', problems: wanted })
    else {
      if (wanted.type === 'follow') keepClientSecret(wanted.paymentId, wanted.clientSecret)
      this.dispatch({ type: 'settings.changed', intent: wanted.type === 'choose' ? chosenOf(wanted) : wanted })
    }
  }

  /** The customer chose terms, or null to choose again. Survives a reload of the page. */
  choose(choice: ChooseIntent, chosen: TokenChoice | null): void {
    save(choiceEntryOf(choice), chosen)
    this.dispatch({ type: 'option.chosen', intent: chosenOf(choice) })
  }

  /** Follows the customer's replacement for the payment on screen, which the service has cancelled. */
  change(intent: CreateIntent, chosen: TokenChoice, answer: Answer): void {
    // The cancelled payment must not be found again if the customer chooses its terms once more.
    this.openSession()?.forget()
    if (intent.choice) save(choiceEntryOf(intent.choice), chosen)
    this.adopt(answer, true, intent)
  }

  /** Retries failed requests. */
  readonly retry = (): void => this.dispatch({ type: 'retry.chosen', isNew: false })

  /** Creates a new payment with the same terms. */
  readonly restart = (): void => this.dispatch({ type: 'retry.chosen', isNew: true })

  /** Follows another payment for the same order in place of the current one. */
  adopt(answer: Answer, isCreated = true, intent?: Intent): void {
    const nowMs = performance.now()
    this.dispatch({ type: 'answer.arrived', answer, isCreated, isOther: true, ...(intent && { intent }), nowMs })
    this.pollAgain()
  }

  /** Polls again, even after polling has ended: the customer has just changed something. */
  readonly pollAgain = (): void => {
    if (this.host.isConnected) this.poller.start()
  }

  /** Polls now, for instance because the window has just ended. */
  readonly pollNow = (): void => this.poller.wake()

  private dispatch(event: CheckoutEvent): void {
    const { checkout, effects } = reduce(this.checkout, event)
    this.checkout = checkout
    this.host.requestUpdate()
    for (const effect of effects) this.carryOut(effect)
    // Another element may continue the payment that a removed one has replaced.
    if (!this.host.isConnected) this.hostDisconnected()
  }

  private carryOut(effect: Effect): void {
    switch (effect.type) {
      case 'load':
        this.pollAgain()
        break
      case 'stop':
        this.poller.stop()
        break
      case 'forget':
        this.openSession()?.forget()
        break
      case 'remember':
        this.openSession()?.remember(effect.paymentId)
        break
      case 'emit':
        this.host.dispatchEvent(new CustomEvent(effect.name, { detail: effect.detail, bubbles: true, composed: true }))
        break
      default:
        effect satisfies never
    }
  }

  private async poll(isFresh: boolean, signal: AbortSignal): Promise<number | null> {
    // The embedded response may be as old as the page: poll at once.
    if (this.showAnswerInPage()) return 0
    const event = await this.ask(isFresh, signal)
    if (signal.aborted) return null
    if (event) this.dispatch(event)
    const waitMs = paceMs(this.checkout, Math.random())
    return waitMs && Math.max(waitMs, this.floorMs)
  }

  /** @returns whether the page embeds a response. A retry always asks the service. */
  private showAnswerInPage(): boolean {
    const { checkout, hasReadPage } = this
    this.hasReadPage = true
    if (hasReadPage || checkout.phase !== 'loading' || checkout.intent.type !== 'follow') return false
    const answer = answerInPage(this.host, checkout.intent.paymentId)
    if (answer) this.dispatch({ type: 'answer.arrived', answer, isCreated: false, nowMs: performance.now() })
    return answer !== null
  }

  private async ask(isFresh: boolean, signal: AbortSignal): Promise<CheckoutEvent | null> {
    const { checkout } = this
    if (!('intent' in checkout)) return null
    const { intent } = checkout
    const session = this.openSession()
    const id = idOf(checkout) || session?.paymentId
    const isCreated = intent.type === 'create' && !id
    const key = isCreated ? (session?.idempotencyKey ?? '') : ''
    const result = isCreated
      ? await createPayment(intent, { signal, idempotencyKey: key, received: this.takeEarly(key) })
      : await readPayment(intent.apiBase, id ?? '', isFresh || checkout.phase === 'loading', signal)
    return 'payment' in result
      ? { type: 'answer.arrived', answer: result, isCreated, nowMs: performance.now() }
      : { type: 'request.failed', fault: result, isCreate: isCreated, isOffline: !navigator.onLine }
  }

  /** The response to an early create, if it matches this one. */
  private takeEarly(key: string): Promise<Received> | undefined {
    const { earlyCreate } = this.host
    delete this.host.earlyCreate
    return earlyCreate?.key === key ? earlyCreate.received : undefined
  }

  /** The tab's record of the payment on screen; a payment followed by its id needs none. */
  private openSession(): Session | null {
    const intent = 'intent' in this.checkout ? this.checkout.intent : null
    const identity = intent?.type === 'create' ? identityOf(intent) : null
    if (identity === this.session?.identity) return this.session
    this.session?.release()
    const early = this.host.earlyCreate
    this.session =
      identity === null ? null : new Session(identity, early?.identity === identity ? early.key : undefined)
    return this.session
  }
}

/** The customer's choice where the page leaves terms open. */
export type TokenChoice = { currency: string; network: string }

const choiceEntryOf = (choice: ChooseIntent): string => `stablecoin-checkout:choice:${identityOf(choice)}`

/** Uses the terms chosen earlier; asks the customer if there are none. */
function chosenOf(choice: ChooseIntent): Intent {
  const chosen = load<TokenChoice>(choiceEntryOf(choice))
  return chosen ? { ...choice, type: 'create', terms: { ...choice.terms, ...chosen }, choice } : choice
}

/** The payment to read, if known without the tab's storage. */
function idOf(checkout: Extract<Checkout, { intent: Intent }>): string {
  if (checkout.phase === 'following') return checkout.answer.payment.id
  return checkout.intent.type === 'follow' ? checkout.intent.paymentId : ''
}
