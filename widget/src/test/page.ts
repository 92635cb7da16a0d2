import { fixture, waitUntil } from '@open-wc/testing'
import type { CheckoutEvents } from '../events.ts'
import { StablecoinCheckout } from '../stablecoin-checkout.ts'

const defaults = {
  'api-base': 'https://pay.example',
  'public-key': 'pk_live_a',
  amount: '25.00',
  currency: 'USDC',
  network: 'devnet',
}

/** The files of a page that is not built come one by one, and a busy machine takes its time. */
const shownWithinMs = 5000

/** The element as a shop's page has it, by the domain's verbs. */
export class CheckoutPage {
  readonly told: { name: keyof CheckoutEvents; detail: CheckoutEvents[keyof CheckoutEvents] }[] = []
  readonly element: StablecoinCheckout

  private constructor(element: StablecoinCheckout) {
    this.element = element
    const names = [
      ...(['ready', 'payment-created', 'status-change', 'transaction-sent'] as const),
      ...(['underpaid', 'paid', 'expired', 'error', 'open', 'close'] as const),
    ]
    for (const name of names)
      element.addEventListener(`sc-${name}`, ({ detail }) => this.told.push({ name: `sc-${name}`, detail }))
  }

  /** Puts the tag on the page and waits until the payment, or what is in its way, is shown. */
  static async open(attributes: Record<string, string> = {}): Promise<CheckoutPage> {
    const page = await CheckoutPage.place(attributes)
    await waitUntil(() => page.find('.card') && !page.find('.skeleton'), 'the payment is shown', {
      timeout: shownWithinMs,
    })
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

  /** The customer's eye is on the page again, which looks at the service at once. */
  async look(until: () => boolean): Promise<void> {
    await waitUntil(
      () => {
        window.dispatchEvent(new Event('focus'))
        return until()
      },
      'it is shown',
      { timeout: shownWithinMs },
    )
    await this.element.updateComplete
  }

  async lookUntilShown(words: string): Promise<void> {
    await this.look(() => this.text().includes(words))
  }

  async press(words: string): Promise<void> {
    const button = [...this.element.renderRoot.querySelectorAll('button')].find((one) =>
      one.textContent?.includes(words),
    )
    if (!button) throw new Error(`There is no button "${words}".`)
    button.focus()
    button.click()
    await this.element.updateComplete
  }

  /** A reload of the page as the element meets it: gone, and there again. */
  async reload(): Promise<CheckoutPage> {
    const attributes = Object.fromEntries([...this.element.attributes].map(({ name, value }) => [name, value]))
    this.element.remove()
    return CheckoutPage.open(attributes)
  }

  /** The chunk with the screens after the first has come. */
  get hasScreens(): boolean {
    return this.element.renderRoot.adoptedStyleSheets.length > StablecoinCheckout.styles.length
  }

  names(): string[] {
    return this.told.map(({ name }) => name)
  }
}
