import type { TemplateResult } from 'lit'
import { readPaymentNow, replacePayment } from '../../api/payments.ts'
import type { CheckoutController } from '../../checkout-controller.ts'
import type { CheckoutHost } from '../../host.ts'
import { type Answer, seenOf } from '../../payment.ts'
import type { View } from '../../views/view.ts'
import { promptsOn } from '../evm/connect-wallet.ts'
import { isRefusal, messageOf } from '../evm/wallet-errors.ts'
import { pinsOf } from '../pins.ts'
import { verifyShown } from '../shown-payment.ts'
import { sleep, timing } from '../timing.ts'
import { viewWallet } from '../views/wallet-screen.ts'
import { isPhone, solanaWalletLinks } from '../wallet-links.ts'
import { WalletPayment } from '../wallet-payment.ts'
import type { Stop } from '../wallet-state.ts'
import { toBase58 } from './base58.ts'
import { expectedTransaction } from './solana-order.ts'
import { verifyTransaction } from './solana-transaction.ts'
import { type SolanaAccount, type SolanaWallet, SolanaWalletFinder } from './solana-wallets.ts'
import { requestTransaction } from './transaction-request.ts'

/** "Pay with wallet" on Solana: the service makes the transaction, the wallet signs and sends it. No chain is spoken to here. */
export class SolanaPayment extends WalletPayment<SolanaWallet> {
  protected readonly finder: SolanaWalletFinder

  constructor(host: CheckoutHost, controller: CheckoutController) {
    super(host, controller)
    this.finder = new SolanaWalletFinder(() => host.requestUpdate())
    this.finder.ask()
  }

  /** The screen, while it is the wallet's; null leaves it to the checkout. */
  view(view: View): TemplateResult | null {
    const { following, leftMs } = view
    const { payment } = following.answer
    if (payment.id !== this.paymentId) this.showPayment(payment)
    if (this.pending && this.pendingTransactions.isOver(payment.id) && payment.isFinal)
      this.pendingTransactions.keep(payment.id, null)
    const isCreating = this.screen.at === 'working' && this.screen.on === 'creating'
    const isOpen = (following.stage === 'awaiting' || following.stage === 'underpaid') && leftMs > 0
    if (!isCreating && (!isOpen || this.screen.at === 'closed')) return null
    // A wallet that may still send what it was asked for, and another way to pay: that could mean paying twice.
    const isKept = this.pending !== null
    const isOwn = following.intent.type === 'create'
    return viewWallet(view, this.screen, {
      wallets: this.finder.wallets,
      hasWalletConnect: false,
      links: isPhone() ? solanaWalletLinks(payment, following.intent.apiBase) : [],
      name: this.picked?.name ?? '',
      hash: this.pending?.hash ?? '',
      qr: payment.isContract && !isKept ? payment.qr.uri : null,
      onPick: (wallet) => this.pick(wallet),
      onPickWalletConnect: () => {},
      onAgain: () => void this.ask(),
      onStopWaiting: () => this.stopWaiting(),
      onChoose: isKept || this.screen.at === 'choosing' ? null : () => void this.choose(),
      onBack: isKept || !isOwn ? null : () => void this.payByAddress(),
    })
  }

  private pick(wallet: SolanaWallet): void {
    this.picked = wallet
    void this.ask()
  }

  /** Asks the picked wallet for the payment. */
  private async ask(): Promise<void> {
    const { picked } = this
    if (!picked) return this.choose()
    const run = ++this.run
    const isDropped = () => run !== this.run
    const stop = await this.work(picked, isDropped).catch((error: unknown) => stopFor(error))
    if (isDropped()) return
    if (!stop) return this.followTransaction()
    const isOver = stop.why === 'paid' || stop.why === 'late'
    if (isOver) this.controller.pollNow()
    this.stop(stop, !isOver)
  }

  /** @returns null when the payment was sent or may be, or when another run has taken over. */
  private async work(wallet: SolanaWallet, isDropped: () => boolean): Promise<Stop | null> {
    const promptWhile = promptsOn((screen) => {
      if (!isDropped()) this.show(screen)
    })
    this.show({ at: 'working', on: 'reading' })
    const account = await this.connect(wallet, promptWhile)
    if (!account) return { why: 'locked' }
    if (isDropped()) return null
    const answer = await this.prepare(isDropped)
    if (isDropped() || answer === 'kept') {
      if (!isDropped()) {
        this.controller.pollNow()
        this.close()
      }
      return null
    }
    if ('why' in answer) return answer
    const { payment, wire } = answer
    const { apiBase } = this.following?.intent ?? { apiBase: '' }
    const handed = await requestTransaction(apiBase, payment.id, account.address)
    if (isDropped()) return null
    if ('code' in handed) return refusalOf(handed)
    const { following } = this
    if (!following) return { why: 'late' }
    try {
      verifyShown(following.answer, answer)
      const terms = { intent: following.intent, pins: pinsOf(this.host), account: account.address }
      verifyTransaction(handed.transaction, await expectedTransaction(answer, terms))
    } catch (error) {
      return { why: 'service', message: messageOf(error) }
    }
    const record = { wallet: wallet.id, account: account.address, type: 'contract', batchId: '', nonce: null } as const
    // Before the wallet is asked: a page that is loaded anew must not ask for the money again while this may go through.
    this.pendingTransactions.keep(payment.id, { ...record, token: '', balance: '', hash: '', askedAtMs: Date.now() })
    try {
      const input = { account, transaction: handed.transaction, chain: chainOf(wire) }
      const [sent] = await promptWhile('pay', 1, 1)('pay', () => wallet.send.signAndSendTransaction(input))
      if (!sent) throw new Error('The wallet told no signature.')
      this.pendingTransactions.keep(payment.id, { hash: toBase58(sent.signature) })
      return null
    } catch (error) {
      // Whatever else a wallet says leaves open whether it has sent.
      if (!isRefusal(error)) return null
      this.pendingTransactions.keep(payment.id, null)
      return { why: 'rejected' }
    }
  }

  private async connect(
    wallet: SolanaWallet,
    promptWhile: ReturnType<typeof promptsOn>,
  ): Promise<SolanaAccount | undefined> {
    const known = wallet.known()[0]
    if (known) return known
    const { accounts } = await promptWhile('connect', 1, 1)('connect', () => wallet.connect.connect())
    return accounts[0]
  }

  /** The payment that a wallet makes, read at this moment; the page's own deposit becomes one first. */
  private async prepare(isDropped: () => boolean): Promise<Answer | Stop | 'kept'> {
    const { following } = this
    if (!following) return { why: 'late' }
    const { intent } = following
    const before = following.answer.payment
    if (intent.type === 'create' && !before.isContract && !seenOf(before)) {
      this.show({ at: 'working', on: 'creating' })
      const replacement = { path: 'payments/create', idempotencyKey: `${before.id}:contract` } as const
      const replaced = await replacePayment(intent, before.id, replacement)
      if (isDropped() || replaced.type === 'kept') return 'kept'
      if (replaced.type === 'failed') return { why: 'service', message: replaced.fault.message }
      this.adopt(replaced.answer)
    }
    const read = await readPaymentNow(intent.apiBase, this.paymentId)
    if (!('payment' in read)) return { why: 'service', message: read.message }
    if (read.payment.outcome !== 'pending') return { why: read.payment.outcome === 'paid' ? 'paid' : 'late' }
    return read
  }

  /**
   * Until the service has seen it. A transaction that was handed out can land for a minute and a half at most; when the
   * service has not seen it long after that, it is gone, and the same may be asked for again.
   */
  protected override async followTransaction(): Promise<void> {
    const run = ++this.run
    this.controller.pollNow()
    const { paymentId } = this
    while (run === this.run && this.pending && !this.pendingTransactions.isOver(paymentId)) {
      const { hash, askedAtMs = 0 } = this.pending
      const isGone = Date.now() - askedAtMs > timing.landsMs
      if (isGone && this.picked) this.stop({ why: hash ? 'gone' : 'unsureTransfer' })
      else if (hash) this.show({ at: 'sent' })
      else this.stop({ why: 'unsureTransfer' }, false)
      this.picked ??= this.finder.wallets.find(({ id }) => id === this.pending?.wallet) ?? null
      await sleep(timing.pollMs)
    }
  }
}

function stopFor(error: unknown): Stop {
  return isRefusal(error) ? { why: 'rejected' } : { why: 'failed', message: messageOf(error) }
}

/** Why the service has made no transaction. */
function refusalOf({ code, message }: { code: string; message: string }): Stop {
  if (code === 'ALREADY_PAID') return { why: 'paid' }
  if (code === 'PAYMENT_ENDED') return { why: 'late' }
  return { why: 'service', message }
}

/** What wallets call the cluster: https://github.com/anza-xyz/wallet-standard. */
function chainOf(wire: Answer['wire']): string {
  const { shortName } = (wire.Network ?? {}) as { shortName?: unknown }
  if (shortName === 'solana') return 'solana:mainnet'
  return String(shortName).includes('testnet') ? 'solana:testnet' : 'solana:devnet'
}
