import type { Following } from '../../checkout.ts'
import type { CheckoutController } from '../../checkout-controller.ts'
import type { CheckoutHost } from '../../part.ts'
import type { Answer } from '../../payment.ts'
import { pinsOf } from '../../pins.ts'
import { submitAuthorization } from '../submit-authorization.ts'
import { evmWalletLinks, evmWalletSites, isPhone } from '../wallet-links.ts'
import { stopFor, verifyShown, WalletPayment } from '../wallet-payment.ts'
import type { Stop, WalletScreen } from '../wallet-state.ts'
import { connect, promptsOn } from './connect-wallet.ts'
import { type Order, parseChain, parseOrder } from './evm-order.ts'
import { EvmWallet } from './evm-wallet.ts'
import { type Wallet, WalletFinder } from './injected-wallets.ts'
import type { Unable } from './pay-job.ts'
import { pay } from './pay-order.ts'
import { messageOf } from './wallet-errors.ts'
import { type Verdict, watchTransaction } from './watch-transaction.ts'

/** The chosen wallet, and its known limitations. */
type Picked = { wallet: Wallet; client: EvmWallet; unable: Unable }

/** "Pay with wallet", from the tap to the sent transaction; the checkout follows the payment afterwards. */
export class EvmPayment extends WalletPayment<Wallet, Picked> {
  protected readonly finder: WalletFinder
  /** The required nonce of a repeated transfer; null for any. */
  private nonce: number | null = null

  constructor(host: CheckoutHost, controller: CheckoutController) {
    super(host, controller)
    this.finder = new WalletFinder(() => this.onWalletFound())
    this.finder.ask()
  }

  protected override offers({ intent, answer }: Following) {
    return {
      hasWalletConnect: this.host.walletconnectProjectId !== '',
      links: isPhone() ? evmWalletLinks(answer.payment, intent.apiBase) : [],
      sites: evmWalletSites,
      onPickWalletConnect: () => void this.pickWalletConnect(),
    }
  }

  protected override nameOf({ wallet }: Picked): string {
    return wallet.name
  }

  protected override close(): void {
    this.nonce = null
    super.close()
  }

  protected override pick(wallet: Wallet): void {
    this.picked = {
      wallet,
      client: new EvmWallet(wallet.provider),
      unable: { authorize: false, batch: false, sign: false },
    }
    void this.ask()
  }

  private async pickWalletConnect(): Promise<void> {
    const run = ++this.run
    const { following } = this
    if (!following) return
    this.show({ at: 'working', on: 'walletconnect' })
    try {
      const chain = parseChain(following.answer)
      // AppKit is a large chunk: loaded only for a customer who chooses WalletConnect.
      const { connectByWalletConnect } = await import('../walletconnect/walletconnect.ts')
      const connected = await connectByWalletConnect(this.host.walletconnectProjectId, chain)
      if (run === this.run) this.pick({ id: 'walletconnect', name: 'WalletConnect', icon: '', ...connected })
    } catch (error) {
      if (run === this.run) this.stop(stopFor(error))
    }
  }

  protected override async work({ client, wallet, unable }: Picked, isDropped: () => boolean, isFeeIgnored: boolean) {
    const show = (screen: WalletScreen) => {
      if (!isDropped()) this.show(screen)
    }
    const promptWhile = promptsOn(show)
    show({ at: 'working', on: 'reading' })
    const account = await connect(client, promptWhile('connect', 1, 1))
    if (typeof account !== 'string') return account
    if (isDropped()) return null
    const read = await this.prepare(isDropped)
    if (!read || 'why' in read) return read
    const order = this.orderOf(read)
    if ('why' in order) return order
    const paymentId = read.payment.id
    const { run } = this
    const apiBase = this.following?.intent.apiBase ?? ''
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
      submit: (signed) => submitAuthorization(apiBase, paymentId, signed),
      leftMs: () => (this.following?.endsAtMs ?? 0) - performance.now(),
      verifyShown: () => {
        if (this.following) verifyShown(read, this.following.answer)
      },
      keep: (change) => {
        // The record of an abandoned request belongs to the request after it.
        if (!change && run !== this.run) return
        this.pendingTransactions.keep(paymentId, change && { ...change, wallet: wallet.id })
        // A late answer to an abandoned request: there is a transaction to follow after all.
        if (change?.hash && isDropped() && paymentId === this.paymentId) this.followTransaction()
      },
    })
  }

  private orderOf(read: Answer): Order | Stop {
    const { following } = this
    if (!following) return { why: 'service', message: '' }
    try {
      verifyShown(following.answer, read)
      return parseOrder(read, following.intent, pinsOf(this.host))
    } catch (error) {
      return { why: 'service', message: messageOf(error) }
    }
  }

  /** A wallet has announced itself: perhaps the one that was asked before the reload. */
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
    this.picked ??= {
      wallet,
      client: new EvmWallet(wallet.provider),
      unable: { authorize: false, batch: false, sign: false },
    }
    void watchTransaction({
      client: this.picked.client,
      pending,
      isOver: () => run !== this.run || !this.host.isConnected || this.pendingTransactions.isOver(paymentId),
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
