import { html, nothing, type TemplateResult } from 'lit'
import { type Balances, type PaymentOption, readPaymentOptions } from '../api/payment-options.ts'
import { replacePayment } from '../api/replace-payment.ts'
import type { Following } from '../checkout.ts'
import type { CheckoutController } from '../checkout-controller.ts'
import { isAtLeast } from '../decimals.ts'
import { formatDuration, formatEither } from '../locales/format.ts'
import { formatAmount, t } from '../locales/locale.ts'
import { type CheckoutHost, Part } from '../part.ts'
import { type ChooseIntent, type CreateIntent, identityOf } from '../terms.ts'
import { viewLogo } from '../ui/icon.ts'
import { explainFault } from './fault-text.ts'
import { viewButton, viewMessage } from './frame.ts'

type ReadBalances = (options: PaymentOption[]) => Promise<Balances>

/** The choice of token and network, if the page leaves them open: at the start, and again while nothing was sent. */
export class PaymentOptions extends Part {
  /** The payment that the customer chooses again to replace; empty: none. */
  private openFor = ''
  private options: PaymentOption[] | 'asked' | 'unreached' | null = null
  private balances: Balances = new Map()
  /** The customer asked for the rest of the options. */
  private isAllShown = false
  /** The intent for which the options were read. */
  private readFor: ChooseIntent | null = null
  private isReplacing = false
  protected problem: (() => string) | null = null
  private readonly readBalances: ReadBalances

  /** @param readBalances - Never rejects. */
  constructor(host: CheckoutHost, controller: CheckoutController, readBalances: ReadBalances) {
    super(host, controller)
    this.readBalances = readBalances
  }

  /** @param following - The payment that a choice would replace, if any. */
  view(choice: ChooseIntent, following: Following | null): TemplateResult {
    if (!this.readFor || identityOf(this.readFor) !== identityOf(choice)) void this.read(choice)
    const { options } = this
    const again = viewButton(t('tryAgain'), () => void this.read(choice))
    if (options === 'unreached')
      return html`${viewMessage('warning', t('loadFailed'), t('notReached'), nothing, 'alert')} ${again}`
    if (!Array.isArray(options) || this.isReplacing) return viewMessage('clock', t('oneMoment'), '')
    const back = following ? viewButton(t('keepOption'), () => this.open(false), 'quiet') : nothing
    if (options.length === 0)
      return html`${viewMessage('warning', t('noOption'), t('networkDownText'), nothing, 'alert')} ${again} ${back}`
    const shown = this.isAllShown ? options : firstOf(options)
    const hidden = options.length - shown.length
    const onPick = (option: PaymentOption) => () => void this.pick(choice, following, option)
    return html`<p class="title" part="status" role="heading" aria-level="2" tabindex="-1">${t('chooseOption')}</p>
      ${viewSum(choice, options)} ${this.problem ? html`<p class="problem" role="alert">${this.problem()}</p>` : nothing}
      <ul class="options">
        ${shown.map((option) => html`<li>${viewOption(option, this.balances.get(option), choice, onPick(option))}</li>`)}
      </ul>
      ${hidden > 0 ? viewButton(t('optionsMore', hidden), () => void this.showAll(shown.length), 'quiet') : nothing}
      <p class="label">${t('optionsHint')}</p>
      ${back}`
  }

  /** The customer chooses again, to replace the payment on screen. */
  get isOpen(): boolean {
    return this.following?.answer.payment.id === this.openFor
  }

  /** Opens the list in place of the payment on screen, or returns to the payment. */
  open(isOpen: boolean): void {
    this.openFor = isOpen ? (this.following?.answer.payment.id ?? '') : ''
    this.problem = null
    this.isAllShown = false
    // Read again: options may have changed.
    this.readFor = null
    this.host.requestUpdate()
  }

  private async read(choice: ChooseIntent): Promise<void> {
    this.readFor = choice
    this.options = 'asked'
    const options = await readPaymentOptions(choice)
    const balances: Balances = options && options.length > 1 ? await this.readBalances(options) : new Map()
    if (this.readFor !== choice) return
    this.balances = balances
    this.options = options && moneyFirst(options, balances)
    this.options ??= 'unreached'
    this.host.requestUpdate()
    const [only] = options ?? []
    const { checkout } = this.controller
    if (!only || options?.length !== 1 || checkout.phase !== 'choosing') return
    // Nothing to choose from: the button is not shown. Unless the page has set other terms meanwhile.
    if (identityOf(checkout.intent) === identityOf(choice)) this.choose(checkout.intent, only)
  }

  /** Shows the rest; the keyboard continues at its first option. */
  private async showAll(shown: number): Promise<void> {
    this.isAllShown = true
    this.host.requestUpdate()
    await this.host.updateComplete
    this.host.renderRoot.querySelectorAll<HTMLElement>('.options button')[shown]?.focus()
  }

  protected choose(choice: ChooseIntent, option: PaymentOption): void {
    this.controller.choose(choice, option)
  }

  private async pick(choice: ChooseIntent, following: Following | null, option: PaymentOption): Promise<void> {
    if (!following) return this.choose(choice, option)
    if (following.intent.type === 'create' && isSameOption(following.intent, option)) return this.open(false)
    this.isReplacing = true
    this.host.requestUpdate()
    await this.replace(choice, following, option)
    this.isReplacing = false
    this.host.requestUpdate()
  }

  /** The service cancels the payment on screen in the same step, unless it has received money: then it stays. */
  private async replace(choice: ChooseIntent, following: Following, option: PaymentOption): Promise<void> {
    const { id } = following.answer.payment
    const { currency, network } = option
    const intent: CreateIntent = { ...choice, type: 'create', terms: { ...choice.terms, currency, network }, choice }
    const replaced = await replacePayment(intent, id, { path: 'deposits/create', purpose: `${network}:${currency}` })
    if (this.following?.answer.payment.id !== id) return
    if (replaced.type === 'failed') {
      const { fault } = replaced
      this.problem = () => explainFault(fault)
      return
    }
    if (replaced.type === 'replaced') this.controller.change(intent, option, replaced.answer)
    else this.controller.pollNow()
    this.openFor = ''
  }
}

function isSameOption({ terms }: CreateIntent, { currency, network }: PaymentOption): boolean {
  return (
    terms.network.toLowerCase() === network.toLowerCase() && terms.currency.toUpperCase() === currency.toUpperCase()
  )
}

/** Options for which the customer's wallet holds enough, then the others, each in the given order: cheapest first. */
function moneyFirst(options: PaymentOption[], balances: Balances): PaymentOption[] {
  const hasEnough = (option: PaymentOption) => {
    const balance = balances.get(option)
    return balance !== undefined && isAtLeast(balance, option.amount || '0')
  }
  return options.toSorted((one, other) => Number(hasEnough(other)) - Number(hasEnough(one)))
}

/** Options shown at first. */
const firstMax = 2

/** The best option of each token, so that the choice between tokens is visible, filled up with the next best. */
function firstOf(options: PaymentOption[]): PaymentOption[] {
  const best = options.filter(
    (option, place) => place === options.findIndex(({ currency }) => currency === option.currency),
  )
  const kept = [...new Set([...best, ...options])].slice(0, firstMax)
  return options.filter((option) => kept.includes(option))
}

/** An amount in tokens with the tokens that can pay it. A price is shown above the screen instead. */
function viewSum({ terms }: ChooseIntent, options: PaymentOption[]): TemplateResult | typeof nothing {
  if (!terms.amount) return nothing
  const sum = formatEither([...new Set(options.map(({ currency }) => currency))])
  return html`<p class="amount" part="amount"><bdi>${formatAmount(terms.amount)} <small>${sum}</small></bdi></p>`
}

function viewOption(
  option: PaymentOption,
  balance: string | undefined,
  { terms }: ChooseIntent,
  onPick: () => void,
): TemplateResult {
  const { currency, logo, networkName, networkLogo, seconds, confirmations, fee, amount } = option
  const time = seconds === null ? t('optionConfirmations', confirmations) : t('optionTime', formatDuration(seconds))
  const cost = fee === 'low' ? t('feeLow') : fee === 'high' ? t('feeHigher') : ''
  const has = balance ? t('optionHas', `${formatAmount(balance)} ${currency}`) : ''
  // A price is converted when the payment is created; the rate may differ by then.
  const sum = amount ? `${terms.price ? '≈ ' : ''}${formatAmount(amount)} ${currency}` : currency
  return html`<button type="button" @click=${onPick}>
    ${viewLogo(logo, networkLogo)}
    <span class="lead"><bdi>${sum}</bdi> ${t('on', networkName)}</span>
    <span class="label">${[has, cost, time].filter(Boolean).join(' · ')}</span>
  </button>`
}
