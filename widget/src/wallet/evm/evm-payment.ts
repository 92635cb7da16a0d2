import type { TemplateResult } from 'lit'
import type { CheckoutController } from '../../checkout-controller.ts'
import type { CheckoutHost } from '../../host.ts'
import type { Payment } from '../../payment.ts'
import type { View } from '../../views/view.ts'
import { pinsOf } from '../pins.ts'
import { viewWallet } from '../views/wallet-screen.ts'
import { evmWalletLinks, isPhone } from '../wallet-links.ts'
import { WalletPayment } from '../wallet-payment.ts'
import type { Stop, WalletScreen } from '../wallet-state.ts'
import { openWalletConnect } from '../walletconnect/open-walletconnect.ts'
import { connect, promptsOn } from './connect-wallet.ts'
import { parseChain } from './evm-order.ts'
import { EvmWallet } from './evm-wallet.ts'
import { type Wallet, WalletFinder } from './injected-wallets.ts'
import { pay, type Unable } from './pay-order.ts'
import { prepareOrder } from './prepare-order.ts'
import { isRefusal, messageOf } from './wallet-errors.ts'
import { type Verdict, watchTransaction } from './watch-transaction.ts'

/** A wallet that the customer has picked, and what it was found unable to do. */
type Picked = { wallet: Wallet; client: EvmWallet; unable: Unable }

/** "Pay with wallet", from the tap to the sent transaction; what follows is the checkout's own. */
export class EvmPayment extends WalletPayment<Picked> {
  protected readonly finder: WalletFinder
  /** The nonce that a repeated transfer must have; null for any. */
  private nonce: number | null = null

  constructor(host: CheckoutHost, controller: CheckoutController) {
    super(host, controller)
    this.finder = new WalletFinder(() => this.onWalletFound())
    this.finder.ask()
  }

  /** The screen, while it is the wallet's; null leaves it to the checkout. */
  view(view: View): TemplateResult | null {
    const { intent, answer, stage } = view.following
    const { payment } = answer
    if (payment.id !== this.paymentId) this.showPayment(payment)
    if (this.pending && this.pendingTransactions.isOver(payment.id) && (payment.isFinal || stage === 'underpaid'))
      this.forget(payment)
    const isCreating = this.screen.at === 'working' && this.screen.on === 'creating'
    const isOpen = (stage === 'awaiting' || stage === 'underpaid') && view.leftMs > 0
    if (!isCreating && (!isOpen || this.screen.at === 'closed')) return null
    // A wallet that may still send what it was asked for, and another way to pay: that could mean paying twice.
    const isKept = this.pending !== null
    const hasAddress = !payment.isContract || intent.type === 'create'
    return viewWallet(view, this.screen, {
      wallets: this.finder.wallets,
      hasWalletConnect: this.host.walletconnectProjectId !== '',
      links: isPhone() ? evmWalletLinks(payment, intent.apiBase) : [],
      name: this.picked?.wallet.name ?? '',
      hash: this.pending?.hash ?? '',
      onPick: (wallet) => this.pick(wallet),
      onPickWalletConnect: () => void this.pickWalletConnect(),
      onAgain: (isFeeIgnored) => void this.ask(isFeeIgnored),
      onStopWaiting: () => this.stopWaiting(),
      onChoose: isKept || this.screen.at === 'choosing' ? null : () => void this.choose(),
      onBack: isKept || !hasAddress ? null : () => void this.payByAddress(),
    })
  }

  protected override close(): void {
    this.nonce = null
    super.close()
  }

  private forget({ id, isContract }: Payment): void {
    this.pendingTransactions.keep(id, null)
    this.run++
    if (!isContract) this.screen = { at: 'closed' }
  }

  private pick(wallet: Wallet): void {
    this.picked = { wallet, client: new EvmWallet(wallet.provider), unable: { batch: false, sign: false } }
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
        this.stop(isRefusal(error) ? { why: 'rejected' } : { why: 'failed', message: messageOf(error) })
    }
  }

  /** Asks the picked wallet for all that is still needed. */
  private async ask(isFeeIgnored: boolean): Promise<void> {
    const { picked } = this
    if (!picked) return this.choose()
    const run = ++this.run
    const stop = await this.work(picked, run, isFeeIgnored).catch(
      (error: unknown): Stop => ({ why: 'failed', message: messageOf(error) }),
    )
    if (run !== this.run) return
    if (!stop || stop.why === 'unsure') return this.followTransaction()
    const isOver = stop.why === 'paid' || stop.why === 'late'
    if (isOver || stop.why === 'service') this.controller.pollNow()
    this.stop(stop, !isOver)
  }

  /** @returns null when the payment was sent, or when another run has taken over. */
  private async work({ client, wallet, unable }: Picked, run: number, isFeeIgnored: boolean): Promise<Stop | null> {
    const isDropped = () => run !== this.run
    const show = (screen: WalletScreen) => {
      if (!isDropped()) this.show(screen)
    }
    const promptWhile = promptsOn(show)
    show({ at: 'working', on: 'reading' })
    const account = await connect(client, promptWhile('connect', 1, 1))
    if (typeof account !== 'string') return account
    if (isDropped()) return null
    const prepared = await prepareOrder(this.controller, pinsOf(this.host), {
      onCreating: () => show({ at: 'working', on: 'creating' }),
      onReplaced: this.adopt,
      isDropped,
    })
    if (isDropped()) return null
    if (prepared === 'kept') {
      this.controller.pollNow()
      this.close()
      return null
    }
    if ('why' in prepared) return prepared
    const { paymentId, order } = prepared
    const [rpcUrl] = order.chain.rpcUrls
    if (rpcUrl) wallet.readFrom?.(rpcUrl)
    return pay({
      client,
      order,
      account,
      unable,
      nonce: this.nonce,
      isFeeIgnored,
      promptWhile,
      show,
      isDropped,
      leftMs: () => (this.following?.endsAtMs ?? 0) - performance.now(),
      keep: (change) => {
        this.pendingTransactions.keep(paymentId, change && { ...change, wallet: wallet.id })
        // The answer to a request that nobody waits for any more: there is something to follow after all.
        if (change?.hash && isDropped() && paymentId === this.paymentId) this.followTransaction()
      },
    })
  }

  /** A wallet has announced itself: perhaps the one that was asked before the page was loaded anew. */
  private onWalletFound(): void {
    this.host.requestUpdate()
    if (this.screen.at === 'sent' && !this.picked) this.followTransaction()
  }

  protected override followTransaction(): void {
    const { pending, paymentId } = this
    if (!pending) return
    const run = ++this.run
    this.show({ at: 'sent' })
    this.controller.pollNow()
    const wallet = this.picked?.wallet ?? this.finder.wallets.find(({ id }) => id === pending.wallet)
    if (!wallet) return
    this.picked ??= { wallet, client: new EvmWallet(wallet.provider), unable: { batch: false, sign: false } }
    void watchTransaction({
      client: this.picked.client,
      pending,
      isOver: () => run !== this.run || this.pendingTransactions.isOver(paymentId),
      onVerdict: (verdict) => this.judge(paymentId, verdict),
      onHash: (hash) => this.pendingTransactions.keep(paymentId, { hash }),
    })
  }

  private judge(paymentId: string, { status, canRepeat, nonce }: Verdict): void {
    this.nonce = nonce
    const isTransfer = this.pending?.type === 'transfer'
    if (status === 'done') this.controller.pollNow()
    if (status === 'reverted') {
      this.pendingTransactions.keep(paymentId, null)
      this.run++
    }
    if (status === 'pending' || status === 'done') this.show({ at: 'sent' })
    else this.stop({ why: status === 'unsure' && isTransfer ? 'unsureTransfer' : status }, canRepeat)
  }
}
