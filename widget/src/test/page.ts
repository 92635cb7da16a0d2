import { fixture } from '@open-wc/testing'
import type { CheckoutEvents } from '../events.ts'
import { StablecoinCheckout } from '../stablecoin-checkout.ts'
import { waitUntil } from './wait-until.ts'

const defaults = {
  'api-base': 'https://pay.example',
  'public-key': 'pk_live_a',
  amount: '25.00',
  currency: 'USDC',
  network: 'devnet',
}

/** The element on a shop's page, with the domain's verbs. */
export class CheckoutPage {
  readonly emitted: { name: keyof CheckoutEvents; detail: CheckoutEvents[keyof CheckoutEvents] }[] = []
  readonly element: StablecoinCheckout

  private constructor(element: StablecoinCheckout) {
    this.element = element
    const names = [
      ...(['ready', 'payment-created', 'status-change', 'transaction-sent'] as const),
      ...(['underpaid', 'paid', 'expired', 'error', 'open', 'close'] as const),
    ]
    for (const name of names)
      element.addEventListener(`sc-${name}`, ({ detail }) => this.emitted.push({ name: `sc-${name}`, detail }))
  }

  /** Puts the tag on the page and waits until the payment or an error is shown. */
  static async open(attributes: Record<string, string> = {}): Promise<CheckoutPage> {
    const page = await CheckoutPage.place(attributes)
    await waitUntil(() => page.find('.card') && !page.find('.skeleton'), 'the payment is shown')
    return page
  }

  /** Puts the tag on the page. */
  static async place(attributes: Record<string, string> = {}): Promise<CheckoutPage> {
    const element = document.createElement('stablecoin-checkout')
    const page = new CheckoutPage(element)
    for (const [name, value] of Object.entries({ ...defaults, ...attributes })) element.setAttribute(name, value)
    const parent = await fixture<HTMLElement>('<main></main>')
    parent.append(element)
    return page
  }

  find<Found extends Element = HTMLElement>(selector: string): Found | null {
    return this.element.renderRoot.querySelector<Found>(selector)
  }

  text(selector = '.card'): string {
    return (this.find(selector)?.textContent ?? '').replace(/\s+/g, ' ').trim()
  }

  /** Makes the page visible again, so that it polls at once; waits until the condition holds. */
  async pollUntil(until: () => boolean): Promise<void> {
    await waitUntil(() => {
      window.dispatchEvent(new Event('focus'))
      return until()
    }, 'it is shown')
    await this.element.updateComplete
  }

  async pollUntilShown(words: string): Promise<void> {
    await this.pollUntil(() => this.text().includes(words))
  }

  async press(words: string): Promise<void> {
    const button = [...this.element.renderRoot.querySelectorAll('button')].find((one) =>
      one.textContent?.includes(words),
    )
    if (!button) throw new Error(`No button "${words}".`)
    button.focus()
    button.click()
    await this.element.updateComplete
  }

  /** A reload of the page, as the element sees it: removed and added again. */
  async reload(): Promise<CheckoutPage> {
    const attributes = Object.fromEntries([...this.element.attributes].map(({ name, value }) => [name, value]))
    this.element.remove()
    return CheckoutPage.open(attributes)
  }

  /** The chunk with the screens after the first is loaded. */
  get hasScreens(): boolean {
    return this.element.renderRoot.adoptedStyleSheets.length > StablecoinCheckout.styles.length
  }

  names(): string[] {
    return this.emitted.map(({ name }) => name)
  }
}
