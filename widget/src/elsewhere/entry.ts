import { html, nothing, type TemplateResult } from 'lit/html.js'
import type { CheckoutController } from '../checkout-controller.ts'
import type { Speaker } from '../speaker.ts'
import type { ControllerHost } from '../ui/small-element.ts'
import type { View } from '../views/view.ts'
import { say } from '../words/say.ts'
import type { Elsewhere } from './elsewhere.ts'
import { loadElsewhere } from './loader.ts'
import { readSources, type Source } from './sources.ts'

export type ElsewhereHost = ControllerHost & {
  readonly renderRoot: ShadowRoot
  /** A wallet is asked for the payment: nothing else may take the place of it. */
  readonly isPaying: boolean
}

/** The way to pay from another chain, as far as it is needed before the customer takes it. */
export class ElsewhereEntry {
  private readonly host: ElsewhereHost
  private readonly controller: CheckoutController
  private readonly speaker: Speaker
  private path: Elsewhere | null = null
  private attempts = 0
  private loading: Promise<Elsewhere | null> | null = null
  private askedOf = ''
  private sources: Source[] = []

  constructor(host: ElsewhereHost, controller: CheckoutController, speaker: Speaker) {
    this.host = host
    this.controller = controller
    this.speaker = speaker
  }

  /** Only where the page makes the payment itself, nothing was sent, and the service has a bridge from another chain. */
  button({ following }: View): TemplateResult | typeof nothing {
    const { intent, answer, stage } = following
    const { isTest, chainId } = answer.payment
    if (intent.type !== 'create' || isTest || !chainId || stage !== 'awaiting' || this.host.isPaying) return nothing
    if (this.askedOf !== intent.apiBase) void this.ask(intent.apiBase)
    if (!this.sources.some((source) => source.chainId !== chainId)) return nothing
    const open = () => void this.load().then((path) => path?.open())
    const prepare = () => void this.load()
    return html`<button type="button" @click=${open} @pointerenter=${prepare} @focus=${prepare}>${say('elsewhere')}</button>`
  }

  /** Null while there is nothing of another chain to show. */
  view(view: View): TemplateResult | null {
    if (view.following.answer.wire.relayDepositAddress && !this.path) void this.load()
    return this.path?.view(view, this.sources) ?? null
  }

  private async ask(apiBase: string): Promise<void> {
    this.askedOf = apiBase
    const sources = await readSources(apiBase)
    if (this.askedOf !== apiBase) return
    this.sources = sources
    this.host.requestUpdate()
  }

  /** Whoever asks while it comes gets the same: a finger that looks ahead also taps. */
  private load(): Promise<Elsewhere | null> {
    this.loading ??= this.loadOnce().finally(() => {
      this.loading = null
    })
    return this.loading
  }

  private async loadOnce(): Promise<Elsewhere | null> {
    if (this.path) return this.path
    try {
      const { Elsewhere } = await loadElsewhere(this.attempts++)
      this.path ??= new Elsewhere(this.host, this.controller)
      this.speaker.learn(Elsewhere.english, 'elsewhere')
    } catch {
      // The next tap, or the next answer of the service, brings the next try.
    }
    return this.path
  }
}
