import type { Fault } from '../../api/client.ts'
import { readPaymentNow } from '../../api/replace-payment.ts'
import type { Following } from '../../checkout.ts'
import type { CheckoutController } from '../../checkout-controller.ts'
import type { CheckoutHost } from '../../part.ts'
import { type Answer, type Payment, seenOf } from '../../payment.ts'
import { pinsOf } from '../../pins.ts'
import { promptsOn } from '../evm/connect-wallet.ts'
import { isRefusal, messageOf } from '../evm/wallet-errors.ts'
import { submitAuthorization } from '../submit-authorization.ts'
import { isPhone, solanaWalletLinks, solanaWalletSites } from '../wallet-links.ts'
import { verifyShown, WalletPayment } from '../wallet-payment.ts'
import type { Stop } from '../wallet-state.ts'
import { expectedTransaction } from './solana-order.ts'
import { verifySponsored, verifyTransaction } from './solana-transaction.ts'
import { type SolanaAccount, type SolanaWallet, SolanaWalletFinder } from './solana-wallets.ts'
import { toBase58 } from './token-account.ts'
import { requestTransaction } from './transaction-request.ts'

/**
 * "Pay with wallet" on Solana: the service makes the transaction, the wallet signs and sends it. The element calls no
 * node.
 */
export class SolanaPayment extends WalletPayment<SolanaWallet, SolanaWallet> {
  protected readonly finder: SolanaWalletFinder
  /** Wallets for which payment by signature is not tried again. */
  private readonly unable = new Set<string>()

  constructor(host: CheckoutHost, controller: CheckoutController) {
    super(host, controller)
    this.finder = new SolanaWalletFinder(() => host.requestUpdate())
    this.finder.ask()
  }

  protected override offers({ intent, answer }: Following) {
    const { payment } = answer
    return {
      hasWalletConnect: false,
      links: isPhone() ? solanaWalletLinks(payment, intent.apiBase) : [],
      sites: solanaWalletSites,
      qr: payment.isContract && this.pending === null ? payment.qr.uri : null,
      onPickWalletConnect: () => {},
    }
  }

  protected override nameOf({ name }: SolanaWallet): string {
    return name
  }

  protected override pick(wallet: SolanaWallet): void {
    this.picked = wallet
    void this.ask()
  }

  protected override async work(wallet: SolanaWallet, isDropped: () => boolean): Promise<Stop | null> {
    const { run } = this
    const promptWhile = promptsOn((screen) => {
      if (!isDropped()) this.show(screen)
    })
    this.show({ at: 'working', on: 'reading' })
    const account = await this.connect(wallet, promptWhile)
    if (!account) return { why: 'locked' }
    if (isDropped()) return null
    const shownId = this.paymentId
    const before = await this.paySponsored(wallet, account, promptWhile, isDropped)
    if (before !== 'unavailable') return before
    const answer = await this.prepare(isDropped)
    if (!answer || 'why' in answer) return answer
    const { payment, wire } = answer
    // The page's own deposit has been replaced by now.
    const isOther = payment.id !== shownId
    const after = isOther ? await this.paySponsored(wallet, account, promptWhile, isDropped) : 'unavailable'
    if (after !== 'unavailable') return after
    const { apiBase } = this.following?.intent ?? { apiBase: '' }
    const handed = await requestTransaction(apiBase, payment.id, account.address, 'customer')
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
    this.keepAsked(payment, wallet, account, false)
    try {
      const input = { account, transaction: handed.transaction, chain: chainOf(wire) }
      const [sent] = await promptWhile('pay', 1, 1)('pay', () => wallet.send.signAndSendTransaction(input))
      if (!sent) throw new Error('The wallet returned no signature.')
      this.pendingTransactions.keep(payment.id, { hash: toBase58(sent.signature) })
      return null
    } catch (error) {
      // Any other error leaves open whether the wallet has sent.
      if (!isRefusal(error)) return null
      // The record of an abandoned request belongs to the request after it.
      if (run !== this.run) return null
      this.pendingTransactions.keep(payment.id, null)
      return { why: 'rejected' }
    }
  }

  /**
   * Pays by one signature, together with the service's fee payer, which pays the network fee. `unavailable` if the
   * service, wallet or page does not support it: the customer's own transaction remains. If the page pins the
   * merchant's wallet, the transaction must show it: the page's deposit first becomes a contract payment.
   */
  private async paySponsored(
    wallet: SolanaWallet,
    account: SolanaAccount,
    promptWhile: ReturnType<typeof promptsOn>,
    isDropped: () => boolean,
  ): Promise<Stop | null | 'unavailable'> {
    const { following } = this
    const { sign } = wallet
    const pins = pinsOf(this.host)
    if (!following || !sign || this.unable.has(wallet.id)) return 'unavailable'
    const { intent } = following
    const { payment, wire } = following.answer
    const hidesMerchant = intent.type === 'create' && !payment.isContract && pins.merchantWallets.length > 0
    if (wire.sponsored !== true || hidesMerchant) return 'unavailable'
    const handed = await requestTransaction(intent.apiBase, payment.id, account.address, 'service')
    const answer = 'code' in handed ? null : await readPaymentNow(intent.apiBase, payment.id)
    if (isDropped()) return null
    if ('code' in handed || !answer || !('payment' in answer)) return 'unavailable'
    if (answer.payment.outcome !== 'pending' || seenOf(answer.payment) !== seenOf(payment)) return 'unavailable'
    try {
      verifyShown(following.answer, answer)
      const expected = await expectedTransaction(answer, { intent, pins, account: account.address })
      verifySponsored(handed.transaction, { ...expected, memo: payment.id })
    } catch (error) {
      return { why: 'service', message: messageOf(error) }
    }
    const input = { account, transaction: handed.transaction, chain: chainOf(answer.wire) }
    const signed = await promptWhile(
      'authorize',
      1,
      1,
    )('authorize', () => sign.signTransaction(input)).catch((error: unknown): Stop | [] =>
      isRefusal(error) ? { why: 'rejected' } : [],
    )
    if (isDropped()) return null
    if ('why' in signed) return signed
    // Its money may have been detected while the wallet was asked.
    if (this.following) verifyShown(answer, this.following.answer)
    // Tried once per wallet: after a refusal the customer's own transaction is requested.
    this.unable.add(wallet.id)
    const [first] = signed
    if (!first) return 'unavailable'
    this.show({ at: 'working', on: 'submitting' })
    this.keepAsked(payment, wallet, account, true)
    const body = { transaction: btoa(String.fromCharCode(...first.signedTransaction)) }
    const submitted = await submitAuthorization(intent.apiBase, payment.id, { body })
    if (submitted.state === 'sent') this.pendingTransactions.keep(payment.id, { hash: submitted.hash })
    if (submitted.state !== 'refused') return null
    this.pendingTransactions.keep(payment.id, null)
    return 'unavailable'
  }

  /**
   * Recorded before the money can move: after a reload the page must not ask for it again while this may go through.
   */
  private keepAsked(
    { id, isContract }: Payment,
    wallet: SolanaWallet,
    account: SolanaAccount,
    isSentByService: boolean,
  ): void {
    const type = isContract ? 'contract' : 'transfer'
    const record = {
      wallet: wallet.id,
      account: account.address,
      type,
      batchId: '',
      nonce: null,
      isSentByService,
    } as const
    this.pendingTransactions.keep(id, { ...record, token: '', balance: '', hash: '', askedAtMs: Date.now() })
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

  /** A transaction can land for at most a minute and a half. */
  protected override async followTransaction(): Promise<void> {
    await this.followUntilExpired(({ wallet }) => this.finder.wallets.find(({ id }) => id === wallet))
  }
}

/** Why the service made no transaction. */
function refusalOf(fault: Fault): Stop {
  if (fault.code === 'ALREADY_PAID') return { why: 'paid' }
  if (fault.code === 'PAYMENT_ENDED') return { why: 'late' }
  return { why: 'service', fault }
}

/** The cluster's name in wallets: https://github.com/anza-xyz/wallet-standard. */
function chainOf(wire: Answer['wire']): string {
  const { shortName } = (wire.Network ?? {}) as { shortName?: unknown }
  if (shortName === 'solana') return 'solana:mainnet'
  return String(shortName).includes('testnet') ? 'solana:testnet' : 'solana:devnet'
}
