import type { TemplateResult } from 'lit'
import type { CheckoutController } from '../checkout-controller.ts'
import { LazyPart } from '../lazy-part.ts'
import { type CheckoutHost, Part } from '../part.ts'
import type { View } from '../views/view.ts'
import { EvmPayment } from './evm/evm-payment.ts'
import type { SolanaPayment } from './solana/solana-payment.ts'
import type { TronPayment } from './tron/tron-payment.ts'

/** "Pay with wallet" on the network of the payment on screen; the page may switch to an order on another one. */
export class WalletPayments extends Part {
  /** Non-EVM wallets, each in its own chunk, by {@link Payment.chainId}. */
  private readonly others: ReadonlyMap<
    number,
    Pick<LazyPart<unknown, SolanaPayment | TronPayment>, 'part' | 'want' | 'load'>
  >
  private evm: EvmPayment | null = null

  constructor(host: CheckoutHost, controller: CheckoutController) {
    super(host, controller)
    const solana = new LazyPart(
      host,
      () => import('./solana/solana-payment.ts'),
      ({ SolanaPayment }) => new SolanaPayment(host, controller),
    )
    const tron = new LazyPart(
      host,
      () => import('./tron/tron-payment.ts'),
      ({ TronPayment }) => new TronPayment(host, controller),
    )
    this.others = new Map<number, typeof solana | typeof tron>([
      [-1, solana],
      [-2, tron],
    ])
    const { other } = this
    if (other) other.want()
    else this.onEvm()
  }

  get isBusy(): boolean {
    return [this.evm, ...[...this.others.values()].map(({ part }) => part)].some((part) => part?.isBusy)
  }

  open(): void {
    const { other } = this
    if (other) void other.load().then((part) => part?.open())
    else this.onEvm().open()
  }

  /** @returns null while no wallet screen is active, or its chunk is loading. */
  view(view: View): TemplateResult | null {
    return this.current()?.view(view) ?? null
  }

  private get other() {
    return this.others.get(this.following?.answer.payment.chainId ?? 0)
  }

  private current(): EvmPayment | SolanaPayment | TronPayment | null {
    const { other } = this
    if (!other) return this.onEvm()
    other.want()
    return other.part
  }

  private onEvm(): EvmPayment {
    this.evm ??= new EvmPayment(this.host, this.controller)
    return this.evm
  }
}
