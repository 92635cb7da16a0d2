import '@awesome.me/webawesome/dist/components/button/button.js'
import '@awesome.me/webawesome/dist/components/callout/callout.js'
import '@awesome.me/webawesome/dist/components/spinner/spinner.js'
import { css, html, LitElement, nothing, type PropertyValues } from 'lit'
import { customElement, property, state } from 'lit/decorators.js'
import type { MerchantRefund } from '../../src/api-types.ts'
import { t } from '../locales/locale.ts'
import {
  type OnAsk,
  type RefundWallet,
  releasePrompt,
  type WalletAsk,
  type WalletStop,
} from '../refund-wallet/refund-prompt.ts'
import { faultCallout } from '../ui/fault-callout.ts'
import { formatMoney, formatTime, wholeTokens } from '../ui/format.ts'
import { baseStyles } from '../ui/styles.ts'

/** After this, the page says that the wallet's request may be hidden. */
const slowMs = 15_000

const styles = css`
  .hash {
    overflow-wrap: anywhere;
  }
`

/**
 * @summary Pays refunds of one network with a wallet of this browser, or shows that a wallet was asked before.
 * @event refund-sent - The wallet has sent the payment, or a person has said that an earlier one was not sent.
 */
@customElement('refund-payment')
export class RefundPayment extends LitElement {
  static override styles = [baseStyles, styles]
  @property({ attribute: false }) refunds: readonly MerchantRefund[] = []
  @state() private wallets: readonly RefundWallet[] = []
  @state() private isFinding = true
  @state() private isBusy = false
  @state() private isAsking = false
  @state() private isSlow = false
  @state() private ask: WalletAsk | null = null
  /** The refunds of the open request, as the wallet shows them: meanwhile others are paid, and sums change. */
  private asked: readonly MerchantRefund[] = []
  @state() private stop: WalletStop | null = null
  @state() private isSent = false
  @state() private fault: unknown
  private slowTimer: ReturnType<typeof setTimeout> | undefined

  override connectedCallback(): void {
    super.connectedCallback()
    void this.find()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    clearTimeout(this.slowTimer)
  }

  /** Wallet code loads only here. */
  private async find(): Promise<void> {
    const by = this.refunds[0]?.wallet?.by
    if (by === undefined) return
    const onFound = () => {
      this.wallets = read()
    }
    let read: () => RefundWallet[] = () => []
    try {
      read =
        by === 'transaction'
          ? (await import('../refund-wallet/solana-refunds.ts')).findSolanaWallets(() => onFound())
          : (await import('../refund-wallet/evm-refunds.ts')).findEvmWallets(() => onFound())
      onFound()
    } catch (fault) {
      this.fault = fault
    }
    this.isFinding = false
  }

  private async run(work: () => Promise<WalletStop | null>): Promise<void> {
    if (this.isBusy) return
    this.isBusy = true
    this.stop = null
    this.fault = undefined
    try {
      this.stop = await work()
    } catch (fault) {
      this.fault = fault
    }
    this.isBusy = false
    // Dispatched even after a failure: the wallet may have sent, and other buttons must know.
    this.dispatchEvent(new Event('refund-sent', { bubbles: true, composed: true }))
  }

  private readonly onAsk: OnAsk = (ask, refunds = []) => {
    clearTimeout(this.slowTimer)
    this.ask = ask
    this.asked = refunds
    this.isSlow = false
    if (ask === null || ask === 'allowed' || ask === 'sent') return
    this.slowTimer = setTimeout(() => {
      this.isSlow = true
    }, slowMs)
  }

  private readonly pay = (wallet: RefundWallet): Promise<void> =>
    this.run(async () => {
      const stop = await wallet.pay(this.refunds, this.onAsk)
      this.isSent = stop === null
      return stop
    })

  private readonly release = (id: string): Promise<void> =>
    this.run(async () => {
      await releasePrompt(id)
      return null
    })

  /** Once the prompt has ended without paying, a wallet can be asked again. */
  protected override willUpdate(changed: PropertyValues): void {
    const before = changed.get('refunds') as RefundPayment['refunds'] | undefined
    const isPrompted = ({ prompt }: MerchantRefund) => prompt !== null
    if (!before?.some(isPrompted) || this.refunds.length === 0 || this.refunds.some(isPrompted)) return
    this.isAsking = false
    this.isSent = false
  }

  /** What the wallet is asked for, of each token. */
  private get sum(): string {
    const sums = new Map<string, bigint>()
    for (const { tokenAddress, remainingUnits } of this.asked)
      sums.set(tokenAddress, (sums.get(tokenAddress) ?? 0n) + BigInt(remainingUnits))
    return [...sums].map(([token, units]) => moneyOf(this.asked, token, units)).join(' + ')
  }

  private stopText(stop: WalletStop): string {
    const [first] = this.refunds
    switch (stop.why) {
      case 'account':
      case 'holder':
        return t(`refunds.wallet.${stop.why}`, stop.account)
      case 'scattered':
        return t('refunds.wallet.scattered', moneyOf(this.refunds, stop.token, stop.needed))
      case 'funds': {
        const { token, held, needed } = stop
        return t('refunds.wallet.funds', moneyOf(this.refunds, token, held), moneyOf(this.refunds, token, needed))
      }
      case 'fee':
        return t('refunds.wallet.fee', first?.wallet?.chain?.nativeCurrency.symbol ?? '')
      case 'network':
        return t('refunds.wallet.network', first?.networkName ?? '')
      case 'failed':
        return t('refunds.wallet.failed', stop.message)
      default:
        return t(`refunds.wallet.${stop.why}`)
    }
  }

  private askText(ask: WalletAsk): string {
    const [first] = this.refunds
    if (ask === 'switch') return t('refunds.wallet.switch', first?.networkName ?? '')
    return ask === 'connect' ? t('refunds.wallet.connect') : t(`refunds.wallet.${ask}`, this.sum)
  }

  /** An earlier prompt, perhaps on another page or by another person: its wallet may have paid. */
  private renderPrompt({ id, askedAt, transactionHash }: NonNullable<MerchantRefund['prompt']>) {
    const time = formatTime(askedAt)
    const open = () => {
      this.isAsking = true
    }
    return html`
      <wa-callout variant="warning" role="status">
        <p>${transactionHash === null ? t('refunds.prompt.asked', time) : t('refunds.prompt.sent', time)}</p>
        ${transactionHash === null ? nothing : html`<p class="hash small"><code dir="ltr">${transactionHash}</code></p>`}
      </wa-callout>
      ${
        this.isAsking
          ? html`
              <p>${t('refunds.prompt.release.text')}</p>
              <div class="row">
                <wa-button variant="danger" ?loading=${this.isBusy} @click=${() => this.release(id)}>
                  ${t('refunds.prompt.release.confirm')}
                </wa-button>
              </div>
            `
          : html`
              <div class="row">
                <wa-button appearance="outlined" @click=${open}>${t('refunds.prompt.release')}</wa-button>
              </div>
            `
      }
    `
  }

  private renderWallets() {
    if (this.wallets.length === 0)
      return this.isFinding ? html`<wa-spinner></wa-spinner>` : html`<p class="small">${t('refunds.wallet.none')}</p>`
    return html`
      <div class="row">
        ${this.wallets.map(
          (wallet) => html`
            <wa-button
              variant="brand"
              ?disabled=${this.isBusy}
              @click=${() => this.pay(wallet)}
            >
              ${t('refunds.wallet.choose', wallet.name)}
            </wa-button>
          `,
        )}
      </div>
    `
  }

  private renderState() {
    if (this.ask !== null) {
      return html`<p>${this.askText(this.ask)}</p>
        ${this.isSlow ? html`<p class="small">${t('refunds.wallet.late')}</p>` : nothing}`
    }
    if (this.stop !== null) return html`<wa-callout variant="warning">${this.stopText(this.stop)}</wa-callout>`
    return this.isSent ? html`<p>${t('refunds.wallet.sent')}</p>` : nothing
  }

  protected override render(): unknown {
    const prompt = this.isBusy ? null : (this.refunds.find((refund) => refund.prompt !== null)?.prompt ?? null)
    const isPayable = this.refunds.length > 0 && this.refunds.every(({ wallet }) => wallet !== null)
    return html`
      <div class="stack">
        ${prompt ? this.renderPrompt(prompt) : isPayable && !this.isSent ? this.renderWallets() : nothing}
        <div role="status">${this.renderState()}</div>
        ${this.fault === undefined ? nothing : faultCallout(this.fault)}
      </div>
    `
  }
}

/** @param token - The token's address. @param units - Base units. */
function moneyOf(refunds: readonly MerchantRefund[], token: string, units: bigint): string {
  const of = refunds.find(({ tokenAddress }) => tokenAddress === token)
  return of ? formatMoney(wholeTokens(String(units), of.tokenDecimals), of.currency) : ''
}
