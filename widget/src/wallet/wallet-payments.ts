import type { TemplateResult } from 'lit'
import type { CheckoutController } from '../checkout-controller.ts'
import { LazyPart } from '../lazy-part.ts'
import { type CheckoutHost, Part } from '../part.ts'
import type { View } from '../views/view.ts'
import { EvmPayment } from './evm/evm-payment.ts'
import type { SolanaPayment } from './solana/solana-payment.ts'

/** "Pay with wallet" on the network of the payment on screen; the page may switch to an order on another one. */
export class WalletPayments extends Part {
  private readonly solana
  private evm: EvmPayment | null = null

  constructor(host: CheckoutHost, controller: CheckoutController) {
    super(host, controller)
    this.solana = new LazyPart(
      host,
      () => import('./solana/solana-payment.ts'),
      ({ SolanaPayment }) => new SolanaPayment(host, controller),
    )
    if (this.isOnSolana) this.solana.want()
    else this.onEvm()
  }

  get isBusy(): boolean {
    return this.evm?.isBusy === true || this.solana.part?.isBusy === true
  }

  open(): void {
    if (this.isOnSolana) void this.solana.load().then((part) => part?.open())
    else this.onEvm().open()
  }

  /** @returns null while no wallet screen is active, or its chunk is loading. */
  view(view: View): TemplateResult | null {
    return this.current()?.view(view) ?? null
  }

  private get isOnSolana(): boolean {
    return (this.following?.answer.payment.chainId ?? 0) < 0
  }

  private current(): EvmPayment | SolanaPayment | null {
    if (!this.isOnSolana) return this.onEvm()
    this.solana.want()
    return this.solana.part
  }

  private onEvm(): EvmPayment {
    this.evm ??= new EvmPayment(this.host, this.controller)
    return this.evm
  }
}
