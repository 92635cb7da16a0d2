import type { TemplateResult } from 'lit'
import type { CheckoutController } from '../checkout-controller.ts'
import type { SolanaPath } from '../solana/solana-path.ts'
import type { View } from '../views/view.ts'
import { pace, sleep } from './pace.ts'
import type { WalletHost } from './sendings.ts'
import { loadSolana } from './solana-loader.ts'
import { WalletPath as EvmPath } from './wallet-path.ts'

/** Times that the file for Solana is asked for before the customer has to press again. */
const triesMax = 5

/** "Pay with wallet" on whatever network the payment is; a page may be given another order on another one. */
export class WalletPath {
  static readonly english = EvmPath.english
  private readonly host: WalletHost
  private readonly controller: CheckoutController
  private evm: EvmPath | null = null
  private solana: SolanaPath | null = null
  private isLoading = false
  private isWanted = false
  private tries = 0

  constructor(host: WalletHost, controller: CheckoutController) {
    this.host = host
    this.controller = controller
    this.path()
  }

  get isBusy(): boolean {
    return this.evm?.isBusy === true || this.solana?.isBusy === true
  }

  open(): void {
    const path = this.path()
    this.isWanted = !path
    path?.open()
  }

  view(view: View): TemplateResult | null {
    return this.path()?.view(view) ?? null
  }

  /** What pays the payment on screen; null while its file has not come. */
  private path(): EvmPath | SolanaPath | null {
    const { checkout } = this.controller
    if (checkout.phase === 'following' && checkout.answer.payment.chainId < 0) {
      if (!this.solana) void this.load()
      return this.solana
    }
    this.evm ??= new EvmPath(this.host, this.controller)
    return this.evm
  }

  private async load(): Promise<void> {
    if (this.isLoading) return
    this.isLoading = true
    for (let tries = 0; tries < triesMax && !this.solana; tries++) {
      if (tries > 0) await sleep(pace.retryMs)
      const loaded = await loadSolana(this.tries++).catch(() => null)
      if (loaded) this.solana = new loaded.SolanaPath(this.host, this.controller)
    }
    this.isLoading = false
    if (this.isWanted) this.solana?.open()
    this.isWanted = false
    if (this.solana) this.host.requestUpdate()
  }
}
