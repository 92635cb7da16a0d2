import { createHash } from 'node:crypto'
import { html, raw } from 'hono/html'
import type { ElementFile } from './element-files.ts'

/** What the page says of the payment before the element has come. The rest it reads by itself, as on a shop's page. */
export type PayPage = { paymentId: string; merchant: string; amount: string; currency: string; isTest: boolean }

const style = `:root{color-scheme:light dark}
body{margin:0;min-height:100vh;box-sizing:border-box;padding:16px;display:grid;place-content:center;
grid-template-columns:minmax(0,26rem);gap:12px;font:16px/1.5 system-ui,sans-serif;
background:light-dark(#eef0f4,#0b0d11);color:light-dark(#151922,#f2f4f8)}
p,h1{margin:0}h1{font-size:21px}
.test{padding:10px 14px;border:2px dashed;border-radius:10px;font-weight:600;text-align:center;color:light-dark(#85560a,#f2b950)}
stablecoin-checkout:not(:defined){display:block;min-height:49.25rem}`

/**
 * Gives the element what stands in the link's fragment, which no server sees. The element may be there before this runs, or
 * after; another link to the same payment changes only the fragment.
 */
const script = `const follow=()=>{const secret=new URLSearchParams(location.hash.slice(1)).get('client_secret')
if(secret)document.querySelector('stablecoin-checkout').setAttribute('client-secret',secret)}
follow();addEventListener('hashchange',follow)`

const sourceOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/**
 * Everything comes from this service, nothing may be written into the page as markup, and no page may frame it: a customer
 * who pays by a link must be able to believe the address bar. Icons of wallets are `data:` pictures, logos are ours.
 */
export const pagePolicy = [
  "default-src 'none'",
  `script-src 'self' ${sourceOf(script)}`,
  "connect-src 'self'",
  `style-src ${sourceOf(style)}`,
  "img-src 'self' data:",
  "require-trusted-types-for 'script'",
  'trusted-types lit-html',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Whatever stands between `${` and `}` is text, unless it was made by `html` or `raw` itself. */
const page = (title: string, head: unknown, body: unknown) => html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<link rel="icon" href="data:,"><style>${raw(style)}</style>${head}</head>
<body><main>${body}</main></body></html>
`

/** The element, and what hands it the client secret; it follows the payment by its id. */
export function renderPayPage({ hashedName, integrity }: ElementFile, payment: PayPage) {
  const { paymentId, merchant, amount, currency, isTest } = payment
  const title = `${isTest ? 'TEST · ' : ''}Pay ${amount} ${currency} to ${merchant}`
  const note = html`<p class="test" role="note">Test payment. Do not send money: nothing real is paid here.</p>`
  return page(
    title,
    html`<script type="module" src="/${hashedName}" integrity="${integrity}" async></script>`,
    html`${isTest ? note : ''}<stablecoin-checkout payment-id="${paymentId}"></stablecoin-checkout>
<script>${raw(script)}</script>
<noscript><p>This page needs JavaScript to show where to pay.</p></noscript>`,
  )
}

/** For whoever came here by a link that is no payment's. */
export function renderNoPayment() {
  return page(
    'No such payment',
    '',
    html`<h1>There is no such payment</h1>
<p>The link may be cut off or mistyped: open it again from where you got it, or ask the shop for a new one. Nothing was charged.</p>`,
  )
}
