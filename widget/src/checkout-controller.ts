import type { ReactiveController, ReactiveControllerHost } from 'lit'
import { createPayment, readPayment, ServiceFault } from './api.ts'
import { type Checkout, type CheckoutEvent, type Effect, type Fault, reduce } from './checkout.ts'
import type { Answer } from './payment.ts'
import { Poller, paceMs } from './poll.ts'
import { Session } from './session.ts'
import { type Intent, isSameIntent, type Problem } from './terms.ts'

/** Carries out what the reducer decides: creates and follows the payment, remembers it in the tab, tells the page. */
export class CheckoutController implements ReactiveController {
  checkout: Checkout = { phase: 'idle' }
  private readonly host: ReactiveControllerHost & EventTarget
  private readonly poller = new Poller((isFresh, signal) => this.visit(isFresh, signal))
  private session: { intent: Intent; memory: Session } | null = null

  constructor(host: ReactiveControllerHost & EventTarget) {
    this.host = host
    host.addController(this)
  }

  hostConnected(): void {
    window.addEventListener('offline', this.loseConnection)
    if ('line' in this.checkout) this.poller.start()
  }

  hostDisconnected(): void {
    window.removeEventListener('offline', this.loseConnection)
    this.poller.stop()
    this.closeSession()
  }

  configure(wish: Intent | Problem[]): void {
    if (Array.isArray(wish)) this.dispatch({ type: 'settings.broken', problems: wish })
    else this.dispatch({ type: 'settings.changed', intent: wish })
  }

  /** Tries again what failed. */
  readonly retry = (): void => this.dispatch({ type: 'retry.chosen' })

  /** Makes a new payment with the same terms. */
  readonly restart = (): void => this.dispatch({ type: 'restart.chosen' })

  /** Asks the service now, for instance because the window has just ended. */
  readonly lookNow = (): void => this.poller.wake()

  private readonly loseConnection = (): void => this.dispatch({ type: 'connection.lost' })

  private dispatch(event: CheckoutEvent): void {
    const { checkout, effects } = reduce(this.checkout, event)
    this.checkout = checkout
    this.host.requestUpdate()
    for (const effect of effects) this.carryOut(effect)
  }

  private carryOut(effect: Effect): void {
    switch (effect.type) {
      case 'load':
        return this.poller.start()
      case 'stop':
        return this.poller.stop()
      case 'forget':
        return this.memory()?.forget()
      case 'remember':
        return this.memory()?.remember(effect.paymentId)
      case 'emit': {
        const { name, detail } = effect
        this.host.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }))
        return
      }
      default:
        effect satisfies never
    }
  }

  private async visit(isFresh: boolean, signal: AbortSignal): Promise<number | null> {
    const event = await this.ask(isFresh, signal)
    if (signal.aborted) return null
    this.dispatch(event)
    return paceMs(this.checkout, Math.random())
  }

  private async ask(isFresh: boolean, signal: AbortSignal): Promise<CheckoutEvent> {
    const { checkout } = this
    if (!('intent' in checkout)) throw new TypeError(`Nothing to ask for while ${checkout.phase}.`)
    const { intent } = checkout
    const knownId = checkout.phase === 'following' ? checkout.answer.payment.id : this.rememberedId(intent)
    try {
      const answer =
        intent.type === 'create' && knownId === null
          ? await createPayment(intent, this.openSession(intent).idempotencyKey, signal)
          : await readPayment(intent.apiBase, knownId ?? '', isFresh || checkout.phase === 'loading', signal)
      return arrived(answer, knownId === null)
    } catch (error) {
      return fell(error, knownId !== null)
    }
  }

  private rememberedId(intent: Intent): string | null {
    return intent.type === 'follow' ? intent.paymentId : this.openSession(intent).paymentId
  }

  /** The session of the payment on screen; a payment that is followed by its id has none. */
  private memory(): Session | null {
    const { checkout } = this
    return 'intent' in checkout && checkout.intent.type === 'create' ? this.openSession(checkout.intent) : null
  }

  private openSession(intent: Intent): Session {
    if (this.session && isSameIntent(this.session.intent, intent)) return this.session.memory
    this.closeSession()
    const memory = new Session(intent)
    this.session = { intent, memory }
    return memory
  }

  private closeSession(): void {
    this.session?.memory.release()
    this.session = null
  }
}

function arrived(answer: Answer, isCreated: boolean): CheckoutEvent {
  return { type: 'answer.arrived', answer, isCreated, nowMs: performance.now() }
}

function fell(error: unknown, wasRead: boolean): CheckoutEvent {
  if (!(error instanceof ServiceFault)) throw error
  const fault: Fault = { code: error.code, message: error.message, retryAfterMs: error.retryAfterMs }
  if (error.isRetryable) return { type: 'request.failed', fault, isOffline: !navigator.onLine }
  return { type: wasRead && error.status === 404 ? 'payment.missing' : 'request.refused', fault }
}
