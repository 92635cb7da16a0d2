import type { Following } from '../../checkout.ts'
import type { CheckoutController } from '../../checkout-controller.ts'
import type { CheckoutHost } from '../../part.ts'
import { pinsOf } from '../../pins.ts'
import { promptsOn } from '../evm/connect-wallet.ts'
import { isRefusal, messageOf } from '../evm/wallet-errors.ts'
import { formatUnits } from '../units.ts'
import { verifyShown, WalletPayment } from '../wallet-payment.ts'
import type { Stop } from '../wallet-state.ts'
import { feeLimit, transferOf, verifyBuilt } from './tron-transfer.ts'
import { type TronTransaction, type TronWallet, TronWalletClient, TronWalletFinder } from './tron-wallet.ts'

const sites = [{ name: 'TronLink', url: 'https://www.tronlink.org' }]

/** "Pay with wallet" on Tron: a transfer of tokens to the deposit address, which the wallet builds, signs and sends. */
export class TronPayment extends WalletPayment<TronWallet, TronWallet> {
  protected readonly finder = new TronWalletFinder()
  protected override readonly hasContracts = false

  constructor(host: CheckoutHost, controller: CheckoutController) {
    super(host, controller)
    this.finder.ask()
  }

  protected override offers(_: Following) {
    return { hasWalletConnect: false, links: [], sites, qr: null, onPickWalletConnect: () => {} }
  }

  /** A page has at most one Tron wallet: there is nothing to choose. */
  override open(): void {
    super.open()
    const [wallet] = this.finder.wallets
    if (wallet && this.screen.at === 'choosing') this.pick(wallet)
  }

  protected override nameOf({ name }: TronWallet): string {
    return name
  }

  protected override pick(wallet: TronWallet): void {
    this.picked = wallet
    void this.ask()
  }

  protected override async work(wallet: TronWallet, isDropped: () => boolean): Promise<Stop | null> {
    const client = new TronWalletClient(wallet)
    const prompts = promptsOn((screen) => {
      if (!isDropped()) this.show(screen)
    })
    this.show({ at: 'working', on: 'reading' })
    const account = await prompts('connect', 1, 1)('connect', () => client.connect()).catch(refused)
    if (typeof account !== 'string') return account
    if (!account) return { why: 'locked' }
    if (isDropped()) return null
    this.show({ at: 'working', on: 'reading' })
    const answer = await this.prepare(isDropped)
    if (!answer || 'why' in answer) return answer
    const { following } = this
    if (!following) return { why: 'late' }
    const { payment } = answer
    let transaction: TronTransaction
    try {
      verifyShown(following.answer, answer)
      const transfer = transferOf(answer, { intent: following.intent, pins: pinsOf(this.host) })
      const { chainId, token, to, amount, decimals } = transfer
      if ((await client.chainId()) !== chainId) {
        const isThere = await prompts('switch', 1, 1)('switch', () => client.switchTo(chainId)).catch(refused)
        if (typeof isThere === 'object') return isThere.why === 'rejected' ? isThere : { why: 'network' }
        if (!isThere) return { why: 'network' }
      }
      // A transfer without enough tokens fails, and still burns the customer's TRX.
      const balance = await client.balance(token, account)
      if (balance !== null && balance < amount)
        return { why: 'balance', missing: formatUnits(amount - balance, decimals), account }
      transaction = await client.build(token, to, amount, account, feeLimit)
      verifyBuilt(transaction, transfer, account)
      // Its money may have been detected while the wallet was asked.
      if (this.following) verifyShown(answer, this.following.answer)
    } catch (error) {
      return { why: error instanceof RangeError ? 'service' : 'failed', message: messageOf(error) }
    }
    if (isDropped()) return null
    const signed = await prompts('pay', 1, 1)('pay', () => client.sign(transaction)).catch(refused)
    // A signature that arrives after the customer has left is discarded: nothing was sent.
    if (isDropped()) return null
    if ('why' in signed) return signed
    if (this.following) verifyShown(answer, this.following.answer)
    // Explorers write it without 0x; wallets differ.
    const hash = String(transaction.txID).replace('0x', '')
    const record = {
      wallet: wallet.id,
      account,
      type: 'transfer',
      batchId: '',
      nonce: null,
      token: '',
      balance: '',
    } as const
    // Recorded before it is sent: after a reload the page must not ask for the money again. The watcher finds it without a report.
    this.pendingTransactions.keep(payment.id, { ...record, hash, askedAtMs: Date.now(), isSentByService: true })
    const refusal = await client.send(signed).catch(() => '')
    if (!refusal) return null
    this.pendingTransactions.keep(payment.id, null)
    return { why: 'failed', message: refusal }
  }

  /** A Tron transaction can land for a minute after it was built. */
  protected override async followTransaction(): Promise<void> {
    await this.followUntilExpired(({ wallet }) => this.finder.wallets.find(({ id }) => id === wallet))
  }
}

/** TronLink reports a refusal with its own message. */
function refused(error: unknown): Stop {
  if (isRefusal(error) || /declined by user/i.test(messageOf(error))) return { why: 'rejected' }
  return { why: 'failed', message: messageOf(error) }
}
