import { html, raw } from 'hono/html'
import type { MerchantRefundViewer } from '../../merchant-refund/merchant-refund-view.ts'
import { explorerLink } from '../../networks/network-view.ts'
import type { PublicView } from '../../read/payment-view.ts'
import { type Framed, frame, type Shop, sourceOf, stylesOf } from '../page-frame.ts'
import { fill, formatPrice, formatTokens, type PageLanguage, plain, timeHtml, titleName } from '../page-language.ts'
import { isZero, type ReceiptState, receiptNumberOf } from './receipt.ts'
import { mailForm, mailScript, mailStyle } from './receipt-mail-form.ts'
import { receiptTexts } from './receipt-texts.ts'
import type { ReceiptTexts } from './texts/en.ts'

/**
 * A printed receipt is black on white, without controls. The paper's width decides the layout: values beside their labels on A4 and Letter,
 * below them on a roll of 58 or 80 mm.
 */
const style = `.receipt{gap:16px}.receipt h2{font-size:15px;font-weight:600;color:var(--color-muted)}
.receipt .state{justify-self:start;padding:2px 12px;border:1px solid;border-radius:99px;font-size:14px;font-weight:600}
.state.paid{color:var(--color-success)}.state.refunded,.state.partlyRefunded,.state.notPaid{color:var(--color-warning)}
.receipt dl{display:grid;grid-template-columns:minmax(7rem,max-content) minmax(0,1fr);gap:8px 12px;margin:0;padding-top:16px;font-size:15px;border-top:1px solid var(--color-border)}
.receipt dt{color:var(--color-muted)}.receipt dd{margin:0;text-align:end}.receipt .code{font:13px/1.5 ui-monospace,monospace;overflow-wrap:anywhere}
.receipt .note{font-size:14px;color:var(--color-muted)}.receipt .code a{display:inline-block;min-height:24px}
.do{display:flex;flex-wrap:wrap;gap:8px 16px;align-items:center}.do a{align-content:center;min-height:44px}
.do button{min-height:44px;padding:0 20px;border:0;border-radius:var(--radius-m);font:inherit;font-weight:600;cursor:pointer;background:var(--accent,var(--color-accent));color:var(--sc-on-accent,var(--color-on-accent))}
@media (max-width:24rem){.receipt dl{grid-template-columns:minmax(0,1fr);gap:2px}.receipt dd{margin-bottom:8px;text-align:start}}
@media print{@page{margin:12mm}:root{color-scheme:light}body{min-height:0;padding:0;grid-template-columns:minmax(0,1fr);place-content:start stretch}
main{max-width:150mm}.do,footer{display:none!important}.receipt{padding:0;border:0;color:#000}.receipt *{color:#000!important}.receipt dl{border-color:#000}.receipt a{text-decoration:none}.test{border-color:#000;color:#000}}
@media print and (max-width:90mm){@page{margin:3mm}body{font-size:12px}.sum{font-size:20px}.shop img{width:32px;height:32px}.receipt dl{grid-template-columns:minmax(0,1fr);gap:1px}.receipt dd{margin-bottom:5px;text-align:start}.receipt .code{font-size:9px}}`

/**
 * Shows times in the reader's time zone and runs the print button. Adds the order, which the public view withholds, for a reader with the
 * client secret in the URL's fragment and for a signed-in member of the shop (`#shop`).
 */
const script = `const { hash, pathname } = location
const [secret] = /^[\\w-]+/.exec(new URLSearchParams(hash.slice(1)).get('client_secret') ?? '') ?? []
for (const link of document.querySelectorAll('a[hreflang],a.open')) link.hash = hash
const local = new Intl.DateTimeFormat(document.documentElement.lang + '-u-nu-latn', { dateStyle: 'medium', timeStyle: 'short' })
for (const time of document.querySelectorAll('time')) time.textContent = local.format(new Date(time.dateTime))
const button = document.querySelector('.do button')
if (button) { button.hidden = false; button.addEventListener('click', () => print()) }
const order = document.querySelector('.receipt')
if (order && (secret || hash === '#shop')) {
  const body = JSON.stringify(secret ? { clientSecret: secret } : {})
  const mode = document.querySelector('.test') ? { 'X-Mode': 'test' } : {}
  const headers = { 'Content-Type': 'application/json', ...mode }
  fetch('/api/v1/payments/' + pathname.split('/')[2] + '/receipt', { method: 'POST', headers, body })
    .then((answer) => (answer.ok ? answer.json() : { receipt: {} }))
    .then(({ receipt }) => {
      for (const name of ['orderId', 'description']) {
        if (!receipt[name]) continue
        for (const part of document.querySelectorAll('[data-of=' + name + ']')) part.hidden = false
        document.querySelector('dd[data-of=' + name + '] bdi').textContent = receipt[name]
      }
    }, () => {})
}`

/** The payment page's policy, with the receipt's script and style instead of the element's. */
export const receiptPolicy = (shop: Shop): string =>
  [
    "default-src 'none'",
    `script-src ${sourceOf(script)} ${sourceOf(mailScript)}`,
    `style-src ${stylesOf(shop)} ${sourceOf(style)} ${sourceOf(mailStyle)}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** A refund that the merchant's wallet pays, as anyone who knows its id may read it. */
export type ReceiptRefund = Pick<
  ReturnType<MerchantRefundViewer['public']>,
  'amount' | 'paid' | 'remaining' | 'status' | 'transactions'
>

type Shown = {
  state: ReceiptState
  language: PageLanguage
  shop: NonNullable<Shop>
  origin: string | null
  refunds: readonly ReceiptRefund[]
  /** Whether the service sends mail. */
  hasMail: boolean
}

/** One line; empty if the payment does not have the value. */
const line = (label: string, value: unknown) =>
  value === null ? '' : html`<dt>${label}</dt><dd><bdi>${value}</bdi></dd>`

/** A line that the page's script fills. */
const laterLine = (label: string, name: string) =>
  html`<dt data-of="${name}" hidden>${label}</dt><dd data-of="${name}" hidden><bdi></bdi></dd>`

function transactionLine(label: string, id: string | null, link: string | null) {
  if (id === null) return ''
  const shown = link === null ? id : html`<a href="${link}" rel="noopener noreferrer" target="_blank">${id}</a>`
  return html`<dt>${label}</dt><dd class="code"><bdi dir="ltr">${shown}</bdi></dd>`
}

/** The receipt in the reader's language. It shows the payment's public view, which anyone with its id may read. */
export function renderReceipt(payment: PublicView, shown: Shown) {
  const { language, shop, origin, state, hasMail } = shown
  const texts = receiptTexts[language]
  const title = `${texts[state === 'none' ? 'none' : 'receipt']} · ${titleName(shop.name, language)}`
  // Receipts of test payments are sent by the merchant only.
  const canMail = hasMail && payment.outcome === 'paid' && !payment.isTest
  const framed: Framed = {
    language,
    shop,
    origin,
    isTest: payment.isTest,
    title,
    preview: null,
    head: html`<style>${raw(style)}</style>${canMail && html`<style>${raw(mailStyle)}</style>`}`,
  }
  const open = html`<a class="open" href="/pay/${payment.id}?lang=${language}">${texts.open}</a>`
  const body =
    state === 'none'
      ? html`<section class="card"><h2>${texts.none}</h2><p>${texts.noneText}</p><p class="do">${open}</p></section>`
      : html`${card(payment, state, shown)}<p class="do"><button type="button" hidden>${texts.print}</button>${open}</p>${canMail && mailForm(language)}`
  return frame(framed, html`${body}<script type="module">${raw(script)}</script>`)
}

function card(payment: PublicView, state: Exclude<ReceiptState, 'none'>, { language, refunds }: Shown) {
  const texts = receiptTexts[language]
  const { amount, amountReceived, currency, price, priceCurrency, rate, rateAt, refund, explorer } = payment
  const tokens = (text: string) => `${formatTokens(text, language)} ${currency}`
  const priced = price !== null && priceCurrency !== null ? formatPrice(price, priceCurrency, language) : null
  const received = tokens(amountReceived ?? '0')
  const rated =
    rate === null || rateAt === null
      ? null
      : html`${fill('{0} = {1}', `1 ${currency}`, `${formatTokens(rate, language)} ${priceCurrency ?? ''}`)}<br>${timeHtml(rateAt, language)}`
  const isBack = refund?.state === 'refunded'
  const back = refund === null ? null : tokens(isBack ? refund.amountRefunded : refund.amount)
  const refundLink = refund?.txHash && payment.Network.explorerUrl ? linkOf(payment, refund.txHash) : null
  return html`<section class="card receipt"><h2>${texts.receipt}</h2>
<p class="sum"><bdi>${priced ?? received}</bdi></p><span class="state ${state}">${texts[state]}</span>
<dl>${laterLine(texts.about, 'description')}${laterLine(texts.order, 'orderId')}${line(texts.number, receiptNumberOf(payment))}
${line(texts.time, timeHtml(payment.confirmedAt ?? payment.createdAt ?? '', language))}
${line(texts.price, priced)}${line(texts.asked, isSame(amount, amountReceived) ? null : tokens(amount))}${line(texts.received, received)}
${line(texts.rate, rated)}${line(texts.network, plain(payment.Network.name))}
${transactionLine(texts.transaction, payment.transactionHash, explorer.transaction)}
${line(isBack ? texts.refund : texts.refundDue, back)}${transactionLine(texts.refundTransaction, refund?.txHash ?? null, refundLink)}
${refunds.map((one) => refundLines(one, texts, tokens))}</dl>
<p class="note">${state === 'notPaid' || payment.isTest ? '' : texts.note}</p></section>`
}

/** Omits the reason and address, which only the shop and the customer may see. The customer has the refund's own page. */
function refundLines(refund: ReceiptRefund, texts: ReceiptTexts, tokens: (amount: string) => string) {
  const { status, amount, paid, remaining, transactions } = refund
  if (status === 'cancelled') return ''
  const due = isZero(paid) ? amount : remaining
  return [
    line(texts.refund, isZero(paid) ? null : tokens(paid)),
    line(texts.refundDue, status === 'paid' || isZero(due) ? null : tokens(due)),
    ...transactions.map(({ hash, explorerUrl }) => transactionLine(texts.refundTransaction, hash, explorerUrl)),
  ]
}

const linkOf = ({ Network }: PublicView, txId: string): string | null =>
  explorerLink({ explorerUrl: Network.explorerUrl, family: Network.type }, 'tx', txId)

/** Whether two decimal texts are the same number, such as 25.00 and 25.0. */
const isSame = (one: string, other: string | null): boolean => {
  const bare = (text: string) => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)
  return other !== null && bare(one) === bare(other)
}
