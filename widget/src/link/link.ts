import { html, type ReactiveController, type TemplateResult } from 'lit'
import type { PublicAnswer } from '../../../bff/src/api-types.ts'
import { isRetryable, request } from '../api/client.ts'
import { record, text, webUrl } from '../api/parse-answer.ts'
import type { PaymentOption } from '../api/payment-options.ts'
import { answerOf, readPayment } from '../api/payments.ts'
import { cancelPayment, clientSecretOf, readPaymentNow } from '../api/replace-payment.ts'
import { t } from '../locales/locale.ts'
import { seenOf } from '../payment.ts'
import { keepClientSecret } from '../session.ts'
import type { ChooseIntent } from '../terms.ts'
import { explainFault } from '../views/fault-text.ts'
import { viewButton, viewMessage } from '../views/frame.ts'
import { PaymentOptions } from '../views/payment-options.ts'
import { viewReturn } from '../views/price-line.ts'

/** This browser's record of a link: the payment created by it, so that a reload finds it again. */
type Visit = { key: string; paymentId?: string; clientSecret?: string }

/** `closed`: the link creates no more payments. */
type Standing = { type: 'asked' | 'open' | 'unreached' } | { type: 'closed'; state: string; returnUrl: string }

type PublicLink = { link: { state: string; returnUrl: string | null } }

/** The customer of a payment link chooses network and token, and gets their own payment. A chunk of its own. */
export class Link extends PaymentOptions implements ReactiveController {
  private standing: Standing | null = null
  private isMaking = false
  /** While a payment is followed, the tag works like one with `payment-id`, which needs no key. */
  private linkId = ''
  /** The payment that this tag shows for its link; empty: none yet. */
  private followed = ''

  constructor(...parts: ConstructorParameters<typeof PaymentOptions>) {
    super(...parts)
    this.host.addController(this)
  }

  /** The page has set another link, or its own key, while this link's payment is shown. */
  hostUpdated(): void {
    const { paymentId, publicKey } = this.host
    if (!paymentId || !publicKey || publicKey === this.linkId || !this.isOf(paymentId)) return
    this.host.clientSecret = ''
    this.host.paymentId = ''
  }

  override view(choice: ChooseIntent): TemplateResult {
    if (this.standing === null || choice.publicKey !== this.linkId) void this.find(choice)
    const { standing } = this
    if (standing?.type === 'closed') {
      if (standing.state === 'unknown') return viewMessage('warning', t('notFound'), t('notFoundText'))
      const title = standing.state === 'paid' ? t('linkPaid') : t('linkEnded')
      return html`${viewMessage(standing.state === 'paid' ? 'check' : 'clock', title, t('askShop'))}
        ${viewReturn(standing.returnUrl)}`
    }
    if (standing?.type === 'unreached') {
      const again = viewButton(t('tryAgain'), () => void this.find(choice))
      return html`${viewMessage('warning', t('loadFailed'), t('notReached'), '', 'alert')} ${again}`
    }
    if (standing?.type !== 'open' || this.isMaking) return viewMessage('clock', t('oneMoment'), '')
    return super.view(choice, null)
  }

  /** Whether the payment was created by this tag's link, so that the customer may choose again. */
  isOf(paymentId: string): boolean {
    return paymentId === this.followed
  }

  /** Asks for network and token again. Cancels the payment on screen first, which stays if money has come meanwhile. */
  readonly chooseAgain = async (): Promise<void> => {
    const { paymentId } = this.host
    const seen = this.following ? seenOf(this.following.answer.payment) : ''
    const apiBase = this.host.apiBase.replace(/\/+$/, '')
    await cancelPayment(apiBase, '', paymentId)
    const now = await readPaymentNow(apiBase, paymentId)
    // A second press has chosen again already.
    if (this.host.paymentId !== paymentId) return
    if (!('payment' in now) || now.payment.outcome !== 'failed' || seenOf(now.payment) !== seen)
      return this.controller.pollNow()
    this.forget()
    this.host.clientSecret = ''
    this.host.paymentId = ''
    this.host.publicKey = this.linkId
  }

  protected override choose(choice: ChooseIntent, option: PaymentOption): void {
    void this.make(choice, option)
  }

  private get entry(): string {
    return `stablecoin-checkout:link:${this.linkId}`
  }

  /** This browser's earlier payment by the link, unless it has failed; else the link's state. */
  private async find(choice: ChooseIntent): Promise<void> {
    if (choice.publicKey !== this.linkId) this.problem = null
    const asked: Standing = { type: 'asked' }
    this.standing = asked
    this.linkId = choice.publicKey
    // The page may set another link meanwhile, or this one again.
    const isLate = () => this.standing !== asked
    const visit = loadVisit(this.entry)
    if (visit?.paymentId) {
      const known = await readPayment(choice.apiBase, visit.paymentId, true)
      if (isLate()) return
      if ('payment' in known && (known.payment.outcome !== 'failed' || seenOf(known.payment)))
        return this.follow(visit.paymentId, visit.clientSecret)
      if (!('payment' in known) && isRetryable(known)) return this.stand({ type: 'unreached' })
      this.forget()
    }
    const reply = await request<PublicLink>(choice.apiBase, `links/public/${choice.publicKey}`)
    if (isLate()) return
    if ('fault' in reply) {
      const { code } = reply.fault
      const state = code === 'LINK_NOT_FOUND' ? 'unknown' : ''
      return this.stand(isRetryable(reply.fault) ? { type: 'unreached' } : { type: 'closed', state, returnUrl: '' })
    }
    const { state, returnUrl } = record<PublicLink['link']>(reply.body.link)
    if (state === 'open') this.stand({ type: 'open' })
    else this.stand({ type: 'closed', state: text(state), returnUrl: webUrl(returnUrl) })
  }

  private async make({ apiBase, publicKey }: ChooseIntent, { network, currency }: PaymentOption): Promise<void> {
    this.isMaking = true
    this.problem = null
    this.host.requestUpdate()
    const { entry } = this
    const visit = loadVisit(entry) ?? { key: randomKey() }
    // Stored before sending: a page that closes meanwhile finds the same payment again.
    saveVisit(entry, visit)
    const body = { network, currency }
    const idempotencyKey = `${visit.key}:${network}:${currency}`
    const path = `links/public/${publicKey}/create?include=qr`
    const made = answerOf(await request<PublicAnswer>(apiBase, path, { idempotencyKey, body }))
    this.isMaking = false
    const id = 'payment' in made ? made.payment.id : ''
    if (id) saveVisit(entry, { ...visit, paymentId: id, clientSecret: clientSecretOf(id) })
    // Otherwise the page has set another link.
    if (publicKey !== this.linkId) return this.host.requestUpdate()
    if ('payment' in made) return this.follow(id, clientSecretOf(id))
    if (made.code === 'LINK_CLOSED') this.standing = null
    this.problem = () => explainFault(made)
    this.host.requestUpdate()
  }

  private follow(paymentId: string, clientSecret = ''): void {
    // A page that shows the link again shows this payment again.
    this.standing = null
    // The page has set another payment, or another key, meanwhile.
    if (this.host.paymentId || this.host.publicKey !== this.linkId) return
    keepClientSecret(paymentId, clientSecret)
    this.followed = paymentId
    this.host.clientSecret = clientSecret
    this.host.paymentId = paymentId
    this.host.publicKey = ''
  }

  private forget(): void {
    try {
      localStorage.removeItem(this.entry)
    } catch {}
    memory.delete(this.entry)
  }

  private stand(standing: Standing): void {
    this.standing = standing
    this.host.requestUpdate()
  }
}

/** Fallback when the browser denies storage: a reload then asks again. */
const memory = new Map<string, Visit>()

function loadVisit(entry: string): Visit | null {
  try {
    return memory.get(entry) ?? (JSON.parse(localStorage.getItem(entry) ?? 'null') as Visit | null)
  } catch {
    return null
  }
}

function saveVisit(entry: string, visit: Visit): void {
  memory.set(entry, visit)
  try {
    localStorage.setItem(entry, JSON.stringify(visit))
  } catch {}
}

/** 128 random bits. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
