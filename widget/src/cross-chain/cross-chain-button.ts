import { html, nothing, type ReactiveController, type TemplateResult } from 'lit'
import type { CheckoutController } from '../checkout-controller.ts'
import { LazyPart } from '../lazy-part.ts'
import { t } from '../locales/locale.ts'
import { type CheckoutHost, Part } from '../part.ts'
import type { View } from '../views/view.ts'
import { type BridgeChain, type BridgeChains, readBridgeChains } from './bridge-chains.ts'

/** Entry to cross-chain payment: only the code needed before the customer chooses it. */
export class CrossChainButton extends Part implements ReactiveController {
  private readonly crossChain
  private askedOf = ''
  private asking: AbortController | null = null
  private chains: BridgeChains = { origins: [], destinations: null }

  constructor(host: CheckoutHost, controller: CheckoutController) {
    super(host, controller)
    host.addController(this)
    this.crossChain = new LazyPart(
      host,
      () => import('./cross-chain.ts'),
      ({ CrossChain }) => new CrossChain(host, controller),
    )
  }

  /** Asks again when the element is back on the page. */
  hostDisconnected(): void {
    if (!this.asking) return
    this.asking.abort()
    this.askedOf = ''
  }

  /**
   * Shown only when the page creates the payment itself, nothing was sent, and the service has a bridge from another
   * chain to this network and token.
   */
  button({ following }: View): TemplateResult | typeof nothing {
    const { intent, answer, stage } = following
    const { isTest, chainId, currency } = answer.payment
    if (intent.type !== 'create' || isTest || !chainId || stage !== 'awaiting' || this.host.isPaying) return nothing
    if (this.askedOf !== intent.apiBase) void this.readChains(intent.apiBase)
    const { origins, destinations } = this.chains
    const reaches = (one: BridgeChain) => one.chainId === chainId && one.currencies.includes(currency)
    if (destinations && !destinations.some(reaches)) return nothing
    if (!origins.some((one) => one.chainId !== chainId)) return nothing
    const open = () => void this.crossChain.load().then((part) => part?.open())
    const loadAhead = () => void this.crossChain.load(true)
    return html`<button type="button" @click=${open} @pointerenter=${loadAhead} @focus=${loadAhead}>${t('payFromOtherChain')}</button>`
  }

  /** Null while no cross-chain screen is shown. */
  view(view: View): TemplateResult | null {
    if (view.following.answer.wire.relayDepositAddress) this.crossChain.want()
    return this.crossChain.part?.view(view, this.chains.origins) ?? null
  }

  private async readChains(apiBase: string): Promise<void> {
    this.askedOf = apiBase
    const asking = new AbortController()
    this.asking = asking
    const chains = await readBridgeChains(apiBase, asking.signal)
    if (this.asking === asking) this.asking = null
    if (asking.signal.aborted || this.askedOf !== apiBase) return
    this.chains = chains
    this.host.requestUpdate()
  }
}
