import type { TemplateResult } from 'lit'
import type { CheckoutController } from '../checkout-controller.ts'
import type { Payment } from '../payment.ts'
import type { View } from '../views/view.ts'
import { shared } from '../words/english-screens.ts'
import { wallet } from '../words/english-wallet.ts'
import type { Words } from '../words/say.ts'
import { askingOn, connect } from './connect.ts'
import { isPhone, walletLinks } from './links.ts'
import { parseChain } from './order.ts'
import { pay, type Unable } from './pay.ts'
import { pinsOf } from './pins.ts'
import { prepareOrder } from './prepare.ts'
import { isRefusal, messageOf, type Wallet, WalletFinder } from './provider.ts'
import { WalletRoad } from './road.ts'
import type { Screen, Stop } from './screen.ts'
import type { WalletHost } from './sendings.ts'
import { viewWallet } from './views.ts'
import { WalletClient } from './wallet-client.ts'
import { openWalletConnect } from './walletconnect-loader.ts'
import { type Verdict, watchSending } from './watch.ts'

/** A wallet that the customer has picked, and what it was found unable to do. */
type Picked = { wallet: Wallet; client: WalletClient; unable: Unable }

/** "Pay with wallet", from the tap to the sent transaction; what follows is the checkout's own. */
export class WalletPath extends WalletRoad<Picked> {
  /** What its screens say where no other language has come. */
  static readonly english: Words = { ...shared, ...wallet }
  protected readonly finder: WalletFinder
  /** The nonce that a repeated transfer must have; null for any. */
  private nonce: number | null = null

  constructor(host: WalletHost, controller: CheckoutController) {
    super(host, controller)
    this.finder = new WalletFinder(() => this.meetWallet())
    this.finder.ask()
  }

  /** The screen, while it is the wallet's; null leaves it to the checkout. */
  view(view: View): TemplateResult | null {
    const { intent, answer, stage } = view.following
    const { payment } = answer
    if (payment.id !== this.paymentId) this.meet(payment)
    if (this.sending && this.sendings.isOver(payment.id) && (payment.isFinal || stage === 'underpaid'))
      this.forget(payment)
    const isCreating = this.screen.at === 'working' && this.screen.on === 'creating'
    const isOpen = (stage === 'awaiting' || stage === 'underpaid') && view.leftMs > 0
    if (!isCreating && (!isOpen || this.screen.at === 'closed')) return null
    // A wallet that may still send what it was asked for, and another way to pay: that could mean paying twice.
    const isKept = this.sending !== null
    const hasAddress = !payment.isContract || intent.type === 'create'
    return viewWallet(view, this.screen, {
      wallets: this.finder.wallets,
      hasWalletConnect: this.host.walletconnectProjectId !== '',
      links: isPhone() ? walletLinks(location) : [],
      name: this.picked?.wallet.name ?? '',
      hash: this.sending?.hash ?? '',
      onPick: (wallet) => this.pick(wallet),
      onPickWalletConnect: () => void this.pickWalletConnect(),
      onAgain: (isFeeIgnored) => void this.ask(isFeeIgnored),
      onStopWaiting: () => this.stopWaiting(),
      onChoose: isKept || this.screen.at === 'choosing' ? null : () => void this.choose(),
      onBack: isKept || !hasAddress ? null : () => void this.goBack(),
    })
  }

  protected override close(): void {
    this.nonce = null
    super.close()
  }

  private forget({ id, isContract }: Payment): void {
    this.sendings.keep(id, null)
    this.run++
    if (!isContract) this.screen = { at: 'closed' }
  }

  private pick(wallet: Wallet): void {
    this.picked = { wallet, client: new WalletClient(wallet.provider), unable: { batch: false, sign: false } }
    void this.ask(false)
  }

  private async pickWalletConnect(): Promise<void> {
    const run = ++this.run
    const { following } = this
    if (!following) return
    this.show({ at: 'working', on: 'walletconnect' })
    try {
      const chain = parseChain(following.answer)
      const wallet = await openWalletConnect(this.host.walletconnectProjectId, chain)
      if (run === this.run) this.pick(wallet)
    } catch (error) {
      if (run === this.run)
        this.stop(isRefusal(error) ? { why: 'rejected' } : { why: 'failed', words: messageOf(error) })
    }
  }

  /** Asks the picked wallet for all that is still needed. */
  private async ask(isFeeIgnored: boolean): Promise<void> {
    const { picked } = this
    if (!picked) return this.choose()
    const run = ++this.run
    const stop = await this.work(picked, run, isFeeIgnored).catch(
      (error: unknown): Stop => ({ why: 'failed', words: messageOf(error) }),
    )
    if (run !== this.run) return
    if (!stop || stop.why === 'unsure') return this.followSending()
    const isOver = stop.why === 'paid' || stop.why === 'late'
    if (isOver) this.controller.lookNow()
    this.stop(stop, !isOver)
  }

  /** @returns null when the payment was sent, or when another run has taken over. */
  private async work({ client, wallet, unable }: Picked, run: number, isFeeIgnored: boolean): Promise<Stop | null> {
    const isDropped = () => run !== this.run
    const show = (screen: Screen) => {
      if (!isDropped()) this.show(screen)
    }
    const asking = askingOn(show)
    show({ at: 'working', on: 'reading' })
    const account = await connect(client, asking('connect', 1, 1))
    if (typeof account !== 'string') return account
    if (isDropped()) return null
    const prepared = await prepareOrder(this.controller, pinsOf(this.host), {
      onCreating: () => show({ at: 'working', on: 'creating' }),
      onSwitched: this.adopt,
      isDropped,
    })
    if (isDropped()) return null
    if (prepared === 'kept') {
      this.controller.lookNow()
      this.close()
      return null
    }
    if ('why' in prepared) return prepared
    const { paymentId, order } = prepared
    return pay({
      client,
      order,
      account,
      unable,
      nonce: this.nonce,
      isFeeIgnored,
      asking,
      show,
      isDropped,
      leftMs: () => (this.following?.endsAtMs ?? 0) - performance.now(),
      keep: (change) => {
        this.sendings.keep(paymentId, change && { ...change, wallet: wallet.id })
        // The answer to a request that nobody waits for any more: there is something to follow after all.
        if (change?.hash && isDropped() && paymentId === this.paymentId) this.followSending()
      },
    })
  }

  /** A wallet has announced itself: perhaps the one that was asked before the page was loaded anew. */
  private meetWallet(): void {
    this.host.requestUpdate()
    if (this.screen.at === 'sent' && !this.picked) this.followSending()
  }

  protected override followSending(): void {
    const { sending, paymentId } = this
    if (!sending) return
    const run = ++this.run
    this.show({ at: 'sent' })
    this.controller.lookNow()
    const wallet = this.picked?.wallet ?? this.finder.wallets.find(({ id }) => id === sending.wallet)
    if (!wallet) return
    this.picked ??= { wallet, client: new WalletClient(wallet.provider), unable: { batch: false, sign: false } }
    void watchSending({
      client: this.picked.client,
      sending,
      isOver: () => run !== this.run || this.sendings.isOver(paymentId),
      tell: (verdict) => this.judge(paymentId, verdict),
      onHash: (hash) => this.sendings.keep(paymentId, { hash }),
    })
  }

  private judge(paymentId: string, { fate, canRepeat, nonce }: Verdict): void {
    this.nonce = nonce
    const isTransfer = this.sending?.type === 'transfer'
    if (fate === 'done') this.controller.lookNow()
    if (fate === 'reverted') {
      this.sendings.keep(paymentId, null)
      this.run++
    }
    if (fate === 'pending' || fate === 'done') this.show({ at: 'sent' })
    else this.stop({ why: fate === 'unsure' && isTransfer ? 'unsureTransfer' : fate }, canRepeat)
  }
}
