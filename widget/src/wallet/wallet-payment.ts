import { replacePayment } from '../api/payments.ts'
import type { Following } from '../checkout.ts'
import type { CheckoutController } from '../checkout-controller.ts'
import { adoptStyles } from '../checkout-settings.ts'
import type { CheckoutHost } from '../host.ts'
import type { Answer, Payment } from '../payment.ts'
import type { PendingTransaction } from './pending-transaction-store.ts'
import { PendingTransactions } from './pending-transactions.ts'
import { sleep, timing } from './timing.ts'
import type { Stop, WalletScreen } from './wallet-state.ts'
import { walletStyles } from './wallet-styles.ts'

/** What paying by wallet is on every chain family: the screen that is shown, for which payment, and how the customer leaves it. */
export abstract class WalletPayment<Picked> {
  protected readonly host: CheckoutHost
  protected readonly controller: CheckoutController
  protected readonly pendingTransactions: PendingTransactions
  protected screen: WalletScreen = { at: 'closed' }
  /** The payment that the screen speaks of. */
  protected paymentId = ''
  protected picked: Picked | null = null
  /** Grows with each run, so that one that was left behind asks for nothing more. */
  protected run = 0
  protected abstract readonly finder: { readonly wallets: readonly unknown[]; ask(): void }

  constructor(host: CheckoutHost, controller: CheckoutController) {
    this.host = host
    this.controller = controller
    this.pendingTransactions = new PendingTransactions(host, controller)
    adoptStyles(host, walletStyles)
  }

  /** Goes on with what a wallet was asked to send, until the service has seen it or nothing can come of it. */
  protected abstract followTransaction(): void

  /** Other terms now would hide what the wallet is asked for. */
  get isBusy(): boolean {
    if (this.screen.at === 'working') return true
    return (this.screen.at === 'asking' || this.pending !== null) && !this.pendingTransactions.isOver(this.paymentId)
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

  protected get pending(): PendingTransaction | null {
    return this.pendingTransactions.of(this.paymentId)
  }

  protected show(screen: WalletScreen): void {
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
  protected showPayment({ id, isContract }: Payment): void {
    this.paymentId = id
    this.run++
    this.screen = { at: 'closed' }
    if (this.pending) {
      this.pendingTransactions.report(id)
      this.followTransaction()
    } else if (isContract) void this.choose()
  }

  /** Follows the same order by another payment, without beginning anew. */
  protected readonly adopt = (answer: Answer): void => {
    this.paymentId = answer.payment.id
    this.controller.adopt(answer)
  }

  /** The list of wallets, which may still be loading. */
  protected async choose(): Promise<void> {
    const run = ++this.run
    this.picked = null
    this.finder.ask()
    const isSearching = this.finder.wallets.length === 0
    this.show({ at: 'choosing', isSearching })
    if (!isSearching) return
    await sleep(timing.findMs)
    if (run === this.run) this.show({ at: 'choosing', isSearching: false })
  }

  /** To the deposit address; a payment that only a wallet can pay becomes a deposit first. */
  protected async payByAddress(): Promise<void> {
    const { following } = this
    if (following?.intent.type !== 'create' || !following.answer.payment.isContract) return this.close()
    const run = ++this.run
    this.show({ at: 'working', on: 'creating' })
    const { id } = following.answer.payment
    const replaced = await replacePayment(following.intent, id, {
      path: 'deposits/create',
      idempotencyKey: `${id}:deposit`,
    })
    if (run !== this.run) return
    if (replaced.type === 'failed') return this.stop({ why: 'service', message: replaced.fault.message })
    if (replaced.type === 'replaced') this.adopt(replaced.answer)
    else this.controller.pollNow()
    this.close()
  }

  /** The customer sees no request in the wallet. It may come up later all the same. */
  protected stopWaiting(): void {
    this.run++
    if (this.pending) this.followTransaction()
    else this.stop({ why: 'busy' })
  }
}
