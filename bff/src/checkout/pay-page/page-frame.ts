import { createHash } from 'node:crypto'
import { html, raw } from 'hono/html'
import { colors, tokenStyles } from '../../core/design-tokens.ts'
import { type Branding, brandingLinks, logoPath } from '../../merchant/branding.ts'
import { pageColorsOf } from '../../merchant/page-colors.ts'
import { neutralIconPath } from './merchant-logo.routes.ts'
import { directionOf, fill, type PageLanguage, pageTexts, plain, titleName } from './page-language.ts'

const style = `:root{color-scheme:light dark;${tokenStyles}}
body{margin:0;min-height:100vh;box-sizing:border-box;padding:16px;display:grid;place-content:center;
grid-template-columns:minmax(0,26rem);font:16px/1.5 var(--font);
background:var(--color-page);color:var(--color-text)}
main{display:grid;grid-template-columns:minmax(0,1fr);gap:12px;overflow-wrap:anywhere}
p,h1,h2,ul{margin:0}h1{font-size:21px;line-height:1.3}h2{font-size:18px;line-height:1.3}
a{color:var(--accent,var(--color-accent))}
:focus-visible{outline:3px solid var(--accent,var(--color-accent));outline-offset:2px}
.shop{display:flex;align-items:center;gap:12px;font-weight:600}.shop img{flex:none;width:48px;height:48px;object-fit:contain;border-radius:var(--radius-m)}
.shop>:last-child{min-width:0}.shop h1{font-size:inherit}.sum{font-size:28px;font-weight:700;line-height:1.2}
.test{padding:10px 14px;border:2px dashed;border-radius:var(--radius-m);font-weight:600;text-align:center;color:var(--color-warning)}
[data-stage]>.test{display:none}
.card{display:grid;gap:8px;padding:20px;border:1px solid var(--color-border);border-radius:var(--radius-l);background:var(--color-surface)}
.back,.by,a.receipt{display:none}[data-stage=paid] a.receipt,[data-stage=paid] .back,[data-stage=expired] .back,[data-stage=closed] .back{display:block}
.back,a.receipt,footer a,summary{align-content:center;min-height:44px}
footer{display:flex;flex-wrap:wrap;gap:0 16px;align-items:start;font-size:14px}
details{margin-inline-start:auto}details[open]{flex:1 0 100%}summary{cursor:pointer;width:fit-content;margin-inline-start:auto}
details ul{display:grid;grid-template-columns:repeat(auto-fill,minmax(8rem,1fr));padding:0;list-style:none}
details a,footer a{display:block}[hidden]{display:none}
stablecoin-checkout:not(:defined):not([hidden]){display:block;min-height:49.25rem}
stablecoin-checkout[public-key]::part(card){min-height:0}
@media print{body{display:block;background:#fff;color:#000}footer,.back,a.receipt{display:none!important}
.by{display:block}[data-stage=paid] .by,[data-stage=expired] .by,[data-stage=closed] .by{display:none}}`

/** Delay before the return to the shop, so that the customer sees that the payment is paid. */
const returnAfterMs = 3_000

/**
 * Passes the client secret from the URL's fragment, which browsers never send, to the element and to the language and receipt links. What
 * follows it is left out, because mail programs take the dot of a sentence for a part of the link, and paying needs no secret. Runs
 * again on DOMContentLoaded, because those links follow the script, and on hashchange, because another link to the same payment changes
 * only the fragment. Works before and after the element is defined. The receipt link points to the payment that the element created from a
 * payment link, with the secret that the element stores (`widget/src/session.ts`). Title and content follow the element's stage; times are
 * shown in the customer's time zone. If the shop asked for it, the page returns the customer once paid, except while an excess waits for a
 * refund address here.
 */
export const script = `const main=document.querySelector('main'),element=document.querySelector('stablecoin-checkout'),first=document.title
const follow=()=>{const [secret]=/^cs_[\\w-]+/.exec(new URLSearchParams(location.hash.slice(1)).get('client_secret')??'')??[]
if(secret)element.setAttribute('client-secret',secret)
for(const link of document.querySelectorAll('a[hreflang],a.receipt'))link.hash=secret?'client_secret='+secret:location.hash}
follow();addEventListener('hashchange',follow)
addEventListener('DOMContentLoaded',()=>{follow()
const local=new Intl.DateTimeFormat(document.documentElement.lang+'-u-nu-latn',{dateStyle:'medium',timeStyle:'short'})
for(const time of document.querySelectorAll('time'))time.textContent=local.format(new Date(time.dateTime))})
addEventListener('sc-status-change',({detail})=>{main.dataset.stage=detail.stage
document.title=main.dataset[detail.stage]??first
const receipt=document.querySelector('a.receipt')
if(receipt){receipt.pathname='/pay/'+detail.payment.id+'/receipt'
try{const {clientSecret}=JSON.parse(sessionStorage.getItem('stablecoin-checkout:secret:'+detail.payment.id))
receipt.hash='client_secret='+clientSecret}catch{}}
element.hidden=false;for(const card of document.querySelectorAll('.card'))card.hidden=true
if(main.dataset.return&&detail.stage==='paid'&&detail.payment.paymentState!=='overpaid_refunding')setTimeout(()=>location.assign(main.dataset.return),${returnAfterMs})})`

export const sourceOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** The merchant of the page; null: none, as on the page for unknown payments. */
export type Shop = { name: string; branding: Branding } | null

/** CSS with the merchant's colour for the page and, through custom properties, for the element. Empty: the default colours. */
function brandStyle(shop: Shop): string {
  if (!shop?.branding.color) return ''
  const { light, onLight, dark, onDark } = pageColorsOf(shop.branding.color)
  const accent = `light-dark(${light},${dark})`
  return `:root{--accent:${accent};--sc-accent:${accent};--sc-on-accent:light-dark(${onLight},${onDark})}`
}

/** CSP hashes of the page's styles. */
export function stylesOf(shop: Shop): string {
  const brand = brandStyle(shop)
  return [style, ...(brand ? [brand] : [])].map(sourceOf).join(' ')
}

export type Framed = {
  language: PageLanguage
  shop: Shop
  /** This service's origin for customers, for the preview's picture; null: unknown. */
  origin: string | null
  isTest?: boolean
  /** Whether the element says that the payment is a test: the page then says so only where no script runs. */
  isTestSaid?: boolean
  title: string
  /** The preview that messengers show. Null: only the title. */
  preview: { title: string; description: string } | null
  /** Whether the page returns the customer automatically. The language links keep this. */
  returnsByItself?: boolean
  /** Whether the content has the page's heading; otherwise the shop's name is the heading. */
  hasHeading?: boolean
  /** Attributes of `<main>`. */
  mainAttributes?: unknown
  head?: unknown
}

/** The page around its content: head, the shop's name and logo, its links, and the choice of language. Values are escaped. */
export function frame(framed: Framed, body: unknown) {
  const {
    language,
    shop,
    origin,
    isTest = false,
    isTestSaid = false,
    hasHeading = false,
    title,
    preview,
    mainAttributes = '',
    head = '',
  } = framed
  const texts = pageTexts[language]
  const test = isTest ? `${texts.testTitle} · ` : ''
  const logo = shop?.branding.logo ? logoPath(shop.branding.logo) : null
  const icon = logo ?? neutralIconPath
  const brand = brandStyle(shop)
  const note = isTest ? html`<p class="test" role="note">${texts.test}</p>` : ''
  const name = shop && nameOf(shop, hasHeading)
  return html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}"><head><meta charset="utf-8"><title>${test}${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<meta name="theme-color" content="${colors.page[0]}" media="(prefers-color-scheme: light)"><meta name="theme-color" content="${colors.page[1]}" media="(prefers-color-scheme: dark)">
<link rel="icon" href="${icon}"><link rel="apple-touch-icon" href="${icon}">${
    preview &&
    html`
<meta property="og:type" content="website"><meta property="og:title" content="${test}${preview.title}"><meta property="og:description" content="${preview.description}">${shop && html`<meta property="og:site_name" content="${titleName(shop.name, language)}">`}<meta name="twitter:card" content="summary">${origin && html`<meta property="og:image" content="${origin}${icon}">`}`
  }<style>${raw(style)}</style>${brand && html`<style>${raw(brand)}</style>`}${head}</head>
<body><main${mainAttributes}>${isTestSaid && isTest ? html`<noscript>${note}</noscript>` : note}
${shop && html`<header class="shop">${logo && html`<img src="${logo}" alt="" width="48" height="48">`}${name}</header>`}
${body}
${footer(framed)}</main></body></html>
`
}

const nameOf = ({ name }: NonNullable<Shop>, hasHeading: boolean) =>
  hasHeading ? html`<span dir="auto">${plain(name)}</span>` : html`<h1><bdi>${plain(name)}</bdi></h1>`

function footer({ language, shop, returnsByItself = false }: Framed) {
  const texts = pageTexts[language]
  const labels = {
    termsUrl: texts.terms,
    privacyUrl: texts.privacy,
    imprintUrl: texts.imprint,
    supportUrl: texts.support,
  }
  const links = brandingLinks.map((name) => {
    const url = shop?.branding[name]
    return url ? html`<a href="${url}" rel="noopener noreferrer" target="_blank">${labels[name]}</a>` : ''
  })
  const more = returnsByItself ? '&return=auto' : ''
  const languages = Object.entries(pageTexts).map(
    ([code, { language: own }]) =>
      html`<li><a href="?lang=${code}${more}" hreflang="${code}" lang="${code}"${code === language ? html` aria-current="true"` : ''}>${own}</a></li>`,
  )
  return html`<footer>${links}<details><summary aria-label="${fill('{0}: {1}', texts.languages, texts.language)}">${texts.language}</summary><ul>${languages}</ul></details></footer>`
}
