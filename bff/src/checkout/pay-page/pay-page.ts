import { createHash } from 'node:crypto'
import { html, raw } from 'hono/html'
import type { publicLinkView } from '../link/link-view.ts'
import type { PublicResponses } from '../read/public-response.ts'
import type { ElementFile } from './element-files.ts'

const style = `:root{color-scheme:light dark}
body{margin:0;min-height:100vh;box-sizing:border-box;padding:16px;display:grid;place-content:center;
grid-template-columns:minmax(0,26rem);gap:12px;font:16px/1.5 system-ui,sans-serif;
background:light-dark(#eef0f4,#0b0d11);color:light-dark(#151922,#f2f4f8)}
p,h1{margin:0}h1{font-size:21px}
.test{padding:10px 14px;border:2px dashed;border-radius:10px;font-weight:600;text-align:center;color:light-dark(#85560a,#f2b950)}
stablecoin-checkout:not(:defined){display:block;min-height:49.25rem}`

/**
 * Passes the client secret from the URL's fragment, which browsers never send, to the element. Works before and after
 * the element is defined. Another link to the same payment changes only the fragment.
 */
const script = `const follow=()=>{const secret=new URLSearchParams(location.hash.slice(1)).get('client_secret')
if(secret)document.querySelector('stablecoin-checkout').setAttribute('client-secret',secret)}
follow();addEventListener('hashchange',follow)`

function sourceOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

/**
 * Allows only this service's resources, no markup from strings, and no framing: customers must be able to trust the
 * address bar. Wallet icons are `data:` images; logos come from this service.
 */
export const pagePolicy = policyOf({
  'style-src': sourceOf(style),
  'img-src': "'self' data:",
  'connect-src': "'self'",
  'trusted-types': 'lit-html',
})

/**
 * Also allows the sources that AppKit needs for its modal and for wallets on other devices.
 * @param nodes - URLs of the RPC nodes that a wallet payment reads.
 */
export const walletConnectPolicy = (nodes: readonly string[]): string =>
  policyOf({
    'style-src': "'unsafe-inline'",
    'img-src': "'self' data: blob:",
    'font-src': 'https://fonts.reown.com',
    'frame-src': 'https://verify.walletconnect.org',
    'connect-src': ["'self'", ...new Set(nodes.map((url) => new URL(url).origin)), ...walletConnectHosts].join(' '),
    // AppKit bundles its own Lit for some components.
    'trusted-types': "lit-html 'allow-duplicates'",
  })

const walletConnectHosts = [
  'https://api.web3modal.org',
  'https://pulse.walletconnect.org',
  'https://rpc.walletconnect.org',
  'wss://relay.walletconnect.org',
]

function policyOf(rules: Readonly<Record<string, string>>): string {
  const all = {
    'default-src': "'none'",
    'script-src': `'self' ${sourceOf(script)}`,
    'require-trusted-types-for': "'script'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
    ...rules,
  }
  return Object.entries(all)
    .map((rule) => rule.join(' '))
    .join('; ')
}

/** Interpolated values are escaped, unless created by `html` or `raw`. */
const page = (title: string, head: unknown, body: unknown) => html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<link rel="icon" href="data:,"><style>${raw(style)}</style>${head}</head>
<body><main>${body}</main></body></html>
`

/** JSON for a `<script>` element, escaped so that no value can close the element. */
const jsonInPage = (value: unknown) => raw(JSON.stringify(value).replaceAll('<', '\\u003c'))

const testNote = html`<p class="test" role="note">Test payment. Do not send money: nothing real is paid here.</p>`

/** The element's languages besides English, the language of the page's own texts. */
export const elementLanguages = ['ar', 'de', 'es', 'fr', 'hi', 'id', 'pt', 'sw', 'tr', 'vi', 'zh']

/** Settings of the service and the customer. */
type Shown = {
  /** The Reown project id; null: no WalletConnect. */
  projectId: string | null
  /** One of `elementLanguages`; null: English. */
  language: string | null
}

const attributesOf = ({ projectId, language }: Shown) => [
  projectId === null ? '' : html` walletconnect-project-id="${projectId}"`,
  language === null ? '' : html` lang="${language}"`,
]

type PublicLink = ReturnType<typeof publicLinkView>
export type PublicResponse = ReturnType<PublicResponses>

/**
 * The page of a payment. It embeds the payment's public response, which the element shows without a request, and the
 * script that passes the client secret.
 */
export function renderPayPage({ hashedName, integrity }: ElementFile, answer: PublicResponse, shown: Shown) {
  const { id, amount, currency, isTest, Merchant } = answer.payment
  const title = `${isTest ? 'TEST · ' : ''}Pay ${amount} ${currency} to ${Merchant.businessName}`
  return page(
    title,
    html`<script type="module" src="/${hashedName}" integrity="${integrity}" async></script>`,
    html`${isTest ? testNote : ''}<stablecoin-checkout payment-id="${id}"${attributesOf(shown)}><script type="application/json">${jsonInPage(answer)}</script></stablecoin-checkout>
<script>${raw(script)}</script>
<noscript><p>This page needs JavaScript to show where to pay.</p></noscript>`,
  )
}

/** The page of a payment link: the customer chooses network and token, and the element creates the payment. */
export function renderLinkPage({ hashedName, integrity }: ElementFile, link: PublicLink, shown: Shown) {
  const { id, amount, price, priceCurrency, currency, description, isTest, Merchant } = link
  const sum = price === null ? `${amount} ${currency ?? ''}`.trim() : `${price} ${priceCurrency}`
  const money = price === null ? html`amount="${amount}"` : html`price="${price}" price-currency="${priceCurrency}"`
  return page(
    `${isTest ? 'TEST · ' : ''}Pay ${sum} to ${Merchant.businessName}`,
    html`<script type="module" src="/${hashedName}" integrity="${integrity}" async></script>`,
    html`${isTest ? testNote : ''}<p dir="auto">${Merchant.businessName}</p>${description === null ? '' : html`<h1 dir="auto">${description}</h1>`}
<stablecoin-checkout public-key="${id}" ${money}${attributesOf(shown)}></stablecoin-checkout>
<noscript><p>This page needs JavaScript to show how to pay.</p></noscript>`,
  )
}

/** The page for unknown ids. */
export function renderNoPayment() {
  return page(
    'No such payment',
    '',
    html`<h1>There is no such payment</h1>
<p>The link may be cut off or mistyped: open it again from where you got it, or ask the shop for a new one. Nothing was charged.</p>`,
  )
}
