import type { ReactiveController, TemplateResult } from 'lit'
import { readPaymentNow, replacePayment } from '../api/replace-payment.ts'
import type { Following } from '../checkout.ts'
import type { CheckoutController } from '../checkout-controller.ts'
import { adoptStyles } from '../checkout-settings.ts'
import { type CheckoutHost, Part } from '../part.ts'
import { type Answer, isSameAmount, type Payment, seenOf, stageOf, toSend } from '../payment.ts'
import { sleep, timing } from '../timing.ts'
import type { View } from '../views/view.ts'
import { isRefusal, messageOf } from './evm/wallet-errors.ts'
import type { PendingTransaction } from './pending-transactions.ts'
import { PendingTransactions } from './pending-transactions.ts'
import { viewWallet } from './views/wallet-screen.ts'
import type { Stop, WalletOption, WalletScreen, WalletView } from './wallet-state.ts'
import { walletStyles } from './wallet-styles.ts'

/** What a chain family adds to the browser's wallets. */
type Offers = Pick<WalletView, 'links' | 'sites' | 'hasWalletConnect' | 'onPickWalletConnect' | 'qr'>

/** The wallet payment flow of every chain family: its screen, its payment, and how the customer leaves it. */
export abstract class WalletPayment<Wallet extends WalletOption, Picked> extends Part implements ReactiveController {
  protected readonly pendingTransactions: PendingTransactions
  protected screen: WalletScreen = { at: 'closed' }
  /** The payment on the wallet screen. */
  protected paymentId = ''
  protected picked: Picked | null = null
  /** Increases with each run, so that an abandoned one asks for nothing more. */
  protected run = 0
  /** Whether the service may have a contract that takes the payment. Otherwise it is always a transfer to the address. */
  protected readonly hasContracts: boolean = true
  protected abstract readonly finder: { readonly wallets: Wallet[]; ask(): void }

  constructor(host: CheckoutHost, controller: CheckoutController) {
    super(host, controller)
    this.pendingTransactions = new PendingTransactions(host, controller)
    adoptStyles(host, walletStyles)
    host.addController(this)
  }

  /** An element that is back on its page goes on following what the wallet has sent. */
  hostConnected(): void {
    if (this.pending && (this.screen.at === 'sent' || this.screen.at === 'stopped')) this.followTransaction()
  }

  protected abstract offers(following: Following): Offers

  protected abstract nameOf(picked: Picked): string

  protected abstract pick(wallet: Wallet): void

  /**
   * Asks the chosen wallet for the remaining steps.
   * @returns null when the payment was sent, or another run has taken over.
   */
  protected abstract work(picked: Picked, isDropped: () => boolean, isFeeIgnored: boolean): Promise<Stop | null>

  /** Follows a recorded wallet request until the service has detected it or it cannot arrive any more. */
  protected abstract followTransaction(): void

  /** The wallet screen if active; null leaves the screen to the checkout. */
  view(view: View): TemplateResult | null {
    const { following, leftMs } = view
    const { intent, answer, stage } = following
    const { payment } = answer
    if (payment.id !== this.paymentId) this.showPayment(payment)
    if (this.pending && this.pendingTransactions.isOver(payment.id)) this.forgetEnded(following)
    const isCreating = this.screen.at === 'working' && this.screen.on === 'creating'
    const isOpen = (stage === 'awaiting' || stage === 'underpaid') && leftMs > 0
    if (!isCreating && (!isOpen || this.screen.at === 'closed')) return null
    // Another payment method while the wallet may still send could mean paying twice.
    const isKept = this.pending !== null
    const hasAddress = intent.type === 'create' || !payment.isContract
    return viewWallet(view, this.screen, {
      ...this.offers(following),
      wallets: this.finder.wallets,
      name: this.picked ? this.nameOf(this.picked) : '',
      hash: this.pending?.hash ?? '',
      onPick: (wallet) => this.pick(wallet),
      onAgain: (isFeeIgnored) => void this.ask(isFeeIgnored),
      onStopWaiting: () => this.stopWaiting(),
      onChoose: isKept || this.screen.at === 'choosing' ? null : () => void this.choose(),
      onBack: isKept || !hasAddress ? null : () => void this.payByAddress(),
    })
  }

  /** Other terms now would hide what the wallet is asked for. */
  get isBusy(): boolean {
    if (this.screen.at === 'working') return true
    return (this.screen.at === 'asking' || this.pending !== null) && !this.pendingTransactions.isOver(this.paymentId)
  }

  /** The customer chose to pay by wallet. */
  open(): void {
    if (this.screen.at !== 'closed' || !this.following) return
    this.paymentId = this.following.answer.payment.id
    void this.choose()
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

  /** Another payment is on screen: a new one, or the one under way at the reload. */
  protected showPayment({ id, isContract }: Payment): void {
    this.paymentId = id
    this.run++
    this.screen = { at: 'closed' }
    if (this.pending) {
      this.pendingTransactions.report(id)
      this.followTransaction()
    } else if (isContract) void this.choose()
  }

  /** Follows a replacement payment for the same order, without starting over. */
  protected readonly adopt = (answer: Answer): void => {
    this.paymentId = answer.payment.id
    this.controller.adopt(answer)
  }

  protected async ask(isFeeIgnored = false): Promise<void> {
    const { picked } = this
    if (!picked) return this.choose()
    const run = ++this.run
    // A customer who has left the page is asked for nothing more.
    const isDropped = () => run !== this.run || !this.host.isConnected
    const stop = await this.work(picked, isDropped, isFeeIgnored).catch(stopFor)
    if (run !== this.run) return
    // The element was removed: nothing was sent, even if it is back by now.
    if (!stop && !this.pending) return this.stopWaiting()
    if (!stop || stop.why === 'unsure') return this.followTransaction()
    const isOver = stop.why === 'paid' || stop.why === 'late'
    if (isOver || stop.why === 'service') this.controller.pollNow()
    this.stop(stop, !isOver)
  }

  /**
   * The payment to make, read now. The page's own deposit first becomes a contract payment; one created by the
   * merchant's server, or with money received, stays unchanged.
   * @returns null when the wallet must not be asked: another run has taken over, or money has arrived at the address.
   */
  protected async prepare(isDropped: () => boolean): Promise<Answer | Stop | null> {
    const { following } = this
    if (!following) return { why: 'late' }
    const { intent } = following
    const { payment } = following.answer
    if (this.hasContracts && intent.type === 'create' && !payment.isContract && !seenOf(payment)) {
      if (!isDropped()) this.show({ at: 'working', on: 'creating' })
      const { run } = this
      const replacement = { path: 'payments/create', purpose: 'contract' } as const
      const replaced = await replacePayment(intent, payment.id, replacement)
      // A removed element shows the replacement when it is back: the service has cancelled the older payment.
      if (run !== this.run) return null
      if (replaced.type === 'kept') {
        this.controller.pollNow()
        this.close()
        return null
      }
      // No splitter on this network: pay by a transfer to the deposit address.
      if (replaced.type === 'replaced') this.adopt(replaced.answer)
      else if (replaced.fault.status !== 400 && replaced.fault.status !== 404)
        return { why: 'service', fault: replaced.fault }
    }
    const read = await readPaymentNow(intent.apiBase, this.paymentId)
    if (isDropped()) return null
    if (!('payment' in read)) return { why: 'service', fault: read }
    if (read.payment.outcome !== 'pending') return { why: read.payment.outcome === 'paid' ? 'paid' : 'late' }
    return read
  }

  /**
   * Follows a transaction that can land for a limited time only, until the service has detected it. If it has not long after that, the
   * transaction has expired, and the same payment may be requested again.
   */
  protected async followUntilExpired(walletOf: (pending: PendingTransaction) => Picked | undefined): Promise<void> {
    const run = ++this.run
    this.controller.pollNow()
    const { paymentId } = this
    while (run === this.run && this.host.isConnected && this.pending && !this.pendingTransactions.isOver(paymentId)) {
      const { hash, askedAtMs = 0 } = this.pending
      const isGone = Date.now() - askedAtMs > timing.landsMs
      if (isGone && this.picked) this.stop({ why: hash ? 'gone' : 'unsureTransfer' })
      else if (hash) this.show({ at: 'sent' })
      else this.stop({ why: 'unsureTransfer' }, false)
      this.picked ??= walletOf(this.pending) ?? null
      await sleep(timing.pollMs)
    }
  }

  /** The payment has ended, or was paid in part: the wallet request is obsolete. */
  private forgetEnded({ answer: { payment }, stage }: Following): void {
    if (!payment.isFinal && stage !== 'underpaid') return
    this.pendingTransactions.keep(payment.id, null)
    this.run++
    if (!payment.isContract) this.screen = { at: 'closed' }
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

  /** Shows the deposit address; a wallet-only payment is first replaced by a deposit. */
  protected async payByAddress(): Promise<void> {
    const { following } = this
    if (following?.intent.type !== 'create' || !following.answer.payment.isContract) return this.close()
    const run = ++this.run
    this.show({ at: 'working', on: 'creating' })
    const { id } = following.answer.payment
    const replaced = await replacePayment(following.intent, id, { path: 'deposits/create', purpose: 'deposit' })
    if (run !== this.run) return
    if (replaced.type === 'failed') return this.stop({ why: 'service', fault: replaced.fault })
    if (replaced.type === 'replaced') this.adopt(replaced.answer)
    else this.controller.pollNow()
    this.close()
  }

  /** The customer sees no request in the wallet. It may still appear later. */
  protected stopWaiting(): void {
    this.run++
    if (this.pending) this.followTransaction()
    else this.stop({ why: 'busy' })
  }
}

export function stopFor(error: unknown): Stop {
  return isRefusal(error) ? { why: 'rejected' } : { why: 'failed', message: messageOf(error) }
}

/**
 * The wallet must be asked for exactly what the customer sees, and only while money is still to be sent.
 * @throws {RangeError} when the service's values have changed.
 */
export function verifyShown({ payment: shown }: Answer, answer: Answer): void {
  const { payment: now } = answer
  const names = ['id', 'currency', 'network', 'chainId', 'depositAddress', 'isContract'] as const
  const changed = names.find((name) => shown[name] !== now[name])
  const stage = stageOf(answer)
  const isDue = stage === 'awaiting' || stage === 'underpaid'
  const isSame = isSameAmount(shown.amount, now.amount) && isSameAmount(toSend(shown), toSend(now))
  if (changed || !isDue || !isSame)
    throw new RangeError(`The payment on screen has changed (${changed ?? 'amount'}). Check it and try again.`)
}
