import { html, raw } from 'hono/html'
import type { z } from 'zod'
import { type Framed, frame, type Shop, sourceOf, stylesOf } from '../pay-page/page-frame.ts'
import { fill, fillHtml, formatTokens, type PageLanguage, plain, titleName } from '../pay-page/page-language.ts'
import type { PublicMerchantRefund } from '../wire/merchant-refund-schemas.ts'
import { refundTexts } from './refund-texts.ts'

type Refund = z.output<typeof PublicMerchantRefund>

export type ShownRefundPage = { language: PageLanguage; shop: NonNullable<Shop>; origin: string | null }

/**
 * Sends the address with the client secret of the URL's fragment, and reloads the page when the refund has changed. Polls every five
 * seconds while the page is visible, until the refund is decided. Mail programs may take the dot of a sentence for a part of the link.
 */
const script = `const main=document.querySelector('main'),form=document.querySelector('form'),{id,status,texts}=main.dataset
const [secret]=/^[\\w-]+/.exec(new URLSearchParams(location.hash.slice(1)).get('client_secret')??'')??[]
const say=(name)=>{document.querySelector('[role=alert]').textContent=JSON.parse(texts)[name]}
for(const link of document.querySelectorAll('a[hreflang]'))link.hash=location.hash
if(form){if(!secret)say('incomplete')
form.addEventListener('submit',async(event)=>{event.preventDefault()
const button=form.querySelector('button');button.disabled=true
try{const response=await fetch('/api/v1/refunds/'+id+'/address',{method:'POST',headers:{'Content-Type':'application/json'},
body:JSON.stringify({address:form.elements.address.value.trim(),clientSecret:secret??''})})
if(response.ok||response.status===409)return location.reload()
say({400:'badAddress',403:'incomplete'}[response.status]??'tryAgain')}catch{say('tryAgain')}
button.disabled=false})}
const ask=async()=>{if(document.visibilityState==='visible'){
const answer=await fetch('/api/v1/refunds/public/'+id).then((response)=>response.json()).catch(()=>({}))
if(answer.refund&&answer.refund.status!==status)return location.reload()}
setTimeout(ask,5000)}
if(status!=='paid'&&status!=='cancelled')setTimeout(ask,5000)`

const style = `input{box-sizing:border-box;width:100%;min-height:44px;padding:8px 12px;font:inherit;color:inherit;
background:var(--color-page);border:1px solid var(--color-control);border-radius:var(--radius-m)}
form{display:grid;gap:12px}label{font-weight:600}
button{min-height:48px;font:inherit;font-weight:600;border:0;border-radius:var(--radius-m);cursor:pointer;
color:var(--sc-on-accent,var(--color-on-accent));background:var(--accent,var(--color-accent))}
button:disabled{opacity:.6}[role=alert]{color:var(--color-danger)}[role=alert]:empty{display:none}
.mono{font-family:ui-monospace,monospace;font-size:14px;overflow-wrap:anywhere}
@media print{form{display:none}}`

/** Allows the page's own styles and script, and requests to this service. */
export const refundPolicy = (shop: Shop): string =>
  Object.entries({
    'default-src': "'none'",
    'script-src': sourceOf(script),
    'style-src': `${stylesOf(shop)} ${sourceOf(style)}`,
    'img-src': "'self'",
    'connect-src': "'self'",
    'require-trusted-types-for': "'script'",
    'base-uri': "'none'",
    // The script sends the form: a browser without scripts must not put the address into a URL.
    'form-action': "'none'",
    'frame-ancestors': "'none'",
  })
    .map((rule) => rule.join(' '))
    .join('; ')

const inMono = (text: string, href: string | null) =>
  href === null
    ? html`<bdi class="mono" dir="ltr">${text}</bdi>`
    : html`<a class="mono" dir="ltr" href="${href}" rel="noopener noreferrer" target="_blank">${text}</a>`

/** The page on which the customer names a refund address and follows the refund. */
export function renderRefundPage(refund: Refund, shown: ShownRefundPage) {
  const { language, shop } = shown
  const texts = refundTexts[language]
  const sum = `${formatTokens(refund.amount, language)} ${refund.currency}`
  const title = fill(texts.title, sum, titleName(shop.name, language))
  const { badAddress, incomplete, tryAgain } = texts
  const said = { badAddress: fill(badAddress, plain(refund.networkName)), incomplete, tryAgain }
  const framed: Framed = {
    ...shown,
    isTest: refund.isTest,
    title,
    // Only the shop and its customer should see the amount.
    preview: null,
    hasHeading: true,
    mainAttributes: html` data-id="${refund.id}" data-status="${refund.status}" data-texts="${JSON.stringify(said)}"`,
    head: html`<style>${raw(style)}</style>`,
  }
  const transactions = refund.transactions.map(
    ({ hash, explorerUrl }) => html`<p>${texts.transaction}: ${inMono(hash, explorerUrl)}</p>`,
  )
  return frame(
    framed,
    html`<h1>${fillHtml(texts.title, sum, plain(shop.name))}</h1>
${refund.reason && html`<p><bdi>${plain(refund.reason)}</bdi></p>`}
<section class="card" aria-live="polite">${stateOf(refund, shown)}
${refund.address && html`<p>${texts.address}: ${inMono(refund.address, null)}</p>`}${transactions}</section>
<script>${raw(script)}</script>`,
  )
}

function stateOf({ status, currency, networkName }: Refund, { language, shop }: ShownRefundPage) {
  const texts = refundTexts[language]
  const name = plain(shop.name)
  switch (status) {
    case 'awaiting_address':
      return html`<h2>${texts.ask}</h2><p>${fillHtml(texts.prompt, currency, plain(networkName))}</p>
<form><label for="address">${texts.label}</label>
<input id="address" name="address" class="mono" dir="ltr" required maxlength="100" autocomplete="off" autocapitalize="off" spellcheck="false" aria-describedby="warning">
<p id="warning">${fillHtml(texts.warning, currency, plain(networkName))}</p><p role="alert"></p><button>${texts.send}</button></form>`
    case 'to_pay':
      return html`<h2>${texts.toPay}</h2><p>${fillHtml(texts.toPayText, name)}</p>`
    case 'confirming':
      return html`<h2>${texts.confirming}</h2>`
    case 'paid':
      return html`<h2>${texts.paid}</h2>`
    case 'cancelled':
      return html`<h2>${texts.cancelled}</h2><p>${fillHtml(texts.cancelledText, name)}</p>`
    default:
      return status satisfies never
  }
}

export function renderNoRefund(language: PageLanguage) {
  const { none } = refundTexts[language]
  const framed: Framed = { language, shop: null, origin: null, title: none, preview: null, hasHeading: true }
  return frame(framed, html`<h1>${none}</h1>`)
}
