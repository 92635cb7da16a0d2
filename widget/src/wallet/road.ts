import type { Following } from '../checkout.ts'
import type { CheckoutController } from '../checkout-controller.ts'
import type { Answer, Payment } from '../payment.ts'
import { pace, sleep } from './pace.ts'
import type { Sending } from './record.ts'
import type { Screen, Stop } from './screen.ts'
import { Sendings, type WalletHost } from './sendings.ts'
import { switchRoad } from './service.ts'
import { walletStyles } from './style.ts'

/** Paying by a wallet as it is on every chain: which screen is shown, for which payment, and the ways out of it. */
export abstract class WalletRoad<Picked> {
  protected readonly host: WalletHost
  protected readonly controller: CheckoutController
  protected readonly sendings: Sendings
  protected screen: Screen = { at: 'closed' }
  /** The payment that the screen speaks of. */
  protected paymentId = ''
  protected picked: Picked | null = null
  /** Grows with each run, so that one that was left behind asks for nothing more. */
  protected run = 0
  protected abstract readonly finder: { readonly wallets: readonly unknown[]; ask(): void }

  constructor(host: WalletHost, controller: CheckoutController) {
    this.host = host
    this.controller = controller
    this.sendings = new Sendings(host, controller)
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(walletStyles)
    host.renderRoot.adoptedStyleSheets.push(sheet)
  }

  /** Goes on with what a wallet was asked to send, until the service has seen it or nothing can come of it. */
  protected abstract followSending(): void

  /** Other terms now would hide what the wallet is asked for. */
  get isBusy(): boolean {
    if (this.screen.at === 'working') return true
    return (this.screen.at === 'asking' || this.sending !== null) && !this.sendings.isOver(this.paymentId)
  }

  /** The customer wants to pay by wallet. */
  open(): void {
    if (this.screen.at !== 'closed' || !this.following) return
    this.paymentId = this.following.answer.payment.id
    void this.choose()
  }

  protected get following(): Following | null {
    const { checkout } = this.controller
    return checkout.phase === 'following' ? checkout : null
  }

  protected get sending(): Sending | null {
    return this.sendings.of(this.paymentId)
  }

  protected show(screen: Screen): void {
    this.screen = screen
    this.host.requestUpdate()
  }

  protected stop(stop: Stop, canRepeat = true): void {
    this.show({ at: 'stopped', stop, canRepeat })
  }

  protected close(): void {
    this.run++
    this.picked = null
    this.show({ at: 'closed' })
  }

  /** Another payment is on screen: one made anew, or the one that was on its way when the page was loaded. */
  protected meet({ id, isContract }: Payment): void {
    this.paymentId = id
    this.run++
    this.screen = { at: 'closed' }
    if (this.sending) {
      this.sendings.report(id)
      this.followSending()
    } else if (isContract) void this.choose()
  }

  /** Follows the same order by the other road, without beginning anew. */
  protected readonly adopt = (answer: Answer): void => {
    this.paymentId = answer.payment.id
    this.controller.adopt(answer)
  }

  protected async choose(): Promise<void> {
    const run = ++this.run
    this.picked = null
    this.finder.ask()
    const isSearching = this.finder.wallets.length === 0
    this.show({ at: 'choosing', isSearching })
    if (!isSearching) return
    await sleep(pace.findMs)
    if (run === this.run) this.show({ at: 'choosing', isSearching: false })
  }

  /** To the deposit address; a payment that only a wallet can pay becomes a deposit first. */
  protected async goBack(): Promise<void> {
    const { following } = this
    if (following?.intent.type !== 'create' || !following.answer.payment.isContract) return this.close()
    const run = ++this.run
    this.show({ at: 'working', on: 'creating' })
    const switched = await switchRoad(following.intent, following.answer.payment.id, 'deposit')
    if (run !== this.run) return
    if (switched.type === 'failed') return this.stop({ why: 'service', words: switched.fault.message })
    if (switched.type === 'switched') this.adopt(switched.answer)
    else this.controller.lookNow()
    this.close()
  }

  /** The customer sees no request in the wallet. It may come up later all the same. */
  protected stopWaiting(): void {
    this.run++
    if (this.sending) this.followSending()
    else this.stop({ why: 'busy' })
  }
}
