import { html, raw } from 'hono/html'
import type { publicLinkView } from '../link/link-view.ts'
import type { PublicResponses } from '../read/public-response.ts'
import type { ElementFile } from './element-files.ts'
import { type Framed, frame, type Shop, script, sourceOf, stylesOf } from './page-frame.ts'
import {
  anyOf,
  fill,
  fillHtml,
  formatPrice,
  formatTokens,
  type PageLanguage,
  pageTexts,
  plain,
  timeHtml,
  titleName,
} from './page-language.ts'
import { receiptPath } from './receipt/receipt.ts'
import { mailForm, mailScript, mailStyle } from './receipt/receipt-mail-form.ts'
import { receiptTexts } from './receipt/receipt-texts.ts'

/**
 * Allows only this service's resources, no markup from strings, and no framing: customers must be able to trust the
 * address bar. Wallet icons are `data:` images; logos come from this service.
 */
export const pagePolicy = (shop: Shop): string =>
  policyOf({
    'style-src': `${stylesOf(shop)} ${sourceOf(mailStyle)}`,
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

/** The policy of a page that pages of the origin may frame. @param origin - Null: none may. */
export const framedBy = (policy: string, origin: string | null): string =>
  origin === null ? policy : policy.replace("frame-ancestors 'none'", `frame-ancestors ${origin}`)

function policyOf(rules: Readonly<Record<string, string>>): string {
  const all = {
    'default-src': "'none'",
    'script-src': `'self' ${sourceOf(script)} ${sourceOf(mailScript)}`,
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

/** JSON for a `<script>` element, escaped so that no value can close the element. */
const jsonInPage = (value: unknown) => raw(JSON.stringify(value).replaceAll('<', '\\u003c'))

/** Settings of the service, the merchant and the customer. */
export type Shown = {
  /** The Reown project id; null: no WalletConnect. */
  projectId: string | null
  language: PageLanguage
  shop: NonNullable<Shop>
  /** This service's origin for customers; null: unknown. */
  origin: string | null
  /** Whether the service sends mail. */
  hasMail: boolean
  /** Whether the page of a link returns the customer to the shop once paid, without a click. */
  returnsByItself?: boolean
  /** More of the page's head. */
  head?: unknown
}

const attributesOf = ({ projectId, language }: Shown) => [
  projectId === null ? '' : html` walletconnect-project-id="${projectId}"`,
  language === 'en' ? '' : html` lang="${language}"`,
]

const elementScript = ({ hashedName, integrity }: ElementFile) =>
  html`<script type="module" src="/${hashedName}" integrity="${integrity}" async></script>`

const mailHead = ({ hasMail }: Shown) => hasMail && html`<style>${raw(mailStyle)}</style>`

type PublicLink = ReturnType<typeof publicLinkView>
export type PublicResponse = Awaited<ReturnType<PublicResponses>>

/** Titles by the element's stage, for the page's script. Without one, the first title stays. */
function titlesOf({ language, shop }: Shown, isTest: boolean) {
  const texts = pageTexts[language]
  const titleOf = (stage: 'confirming' | 'paid' | 'expired' | 'closed') =>
    `${isTest ? `${texts.testTitle} · ` : ''}${texts[stage]} · ${titleName(shop.name, language)}`
  return html` data-confirming="${titleOf('confirming')}" data-paid="${titleOf('paid')}" data-expired="${titleOf('expired')}" data-closed="${titleOf('closed')}"`
}

/** The final stage that the element will show; null: the payment is open. */
function endOf({ outcome, isExpired }: PublicResponse['payment']): 'paid' | 'expired' | 'closed' | null {
  if (outcome === 'paid') return 'paid'
  if (outcome !== 'failed') return null
  return isExpired ? 'expired' : 'closed'
}

/** The link back to the shop. It shows the host, so that customers see where it leads. */
function backTo(url: string, { language, shop }: Shown) {
  const label = fillHtml(pageTexts[language].back, plain(shop.name))
  return html`<a class="back" href="${url}" rel="noopener noreferrer">${label} <bdi dir="ltr">(${new URL(url).host})</bdi></a>`
}

/**
 * Link to the receipt, shown once paid. The page's script points it to the payment created from a payment link, and adds the client secret.
 */
const toReceipt = (path: string, { language, hasMail }: Shown, isTest: boolean) =>
  html`<a class="receipt" href="${path}?lang=${language}">${receiptTexts[language].receipt}</a>${hasMail && !isTest && mailForm(language)}`

/**
 * The page of a payment. It embeds the payment's public response, which the element shows without a request, and the script that passes the
 * client secret. The preview of a payment omits the amount, which only the shop and its customer should see.
 */
export function renderPayPage(element: ElementFile, answer: PublicResponse, shown: Shown) {
  const { language, shop } = shown
  const { id, amount, currency, isTest, expiresAt, returnUrl } = answer.payment
  const texts = pageTexts[language]
  const name = titleName(shop.name, language)
  const end = endOf(answer.payment)
  const asked = fill(texts.pay, `${formatTokens(amount, language)} ${currency}`, name)
  const framed: Framed = {
    ...shown,
    isTest,
    isTestSaid: true,
    title: end === null ? asked : `${texts[end]} · ${name}`,
    preview: { title: fill(texts.paymentTo, name), description: fill(texts.payWith, currency) },
    mainAttributes: [titlesOf(shown, isTest), end === null ? '' : html` data-stage="${end}"`],
    head: [elementScript(element), mailHead(shown)],
  }
  return frame(
    framed,
    html`<stablecoin-checkout payment-id="${id}"${attributesOf(shown)}><script type="application/json">${jsonInPage(answer)}</script></stablecoin-checkout>
<script>${raw(script)}</script>
${expiresAt && html`<p class="by">${fillHtml(texts.payBy, timeHtml(expiresAt, language))}</p>`}
${toReceipt(receiptPath(id), shown, isTest)}${returnUrl && backTo(returnUrl, shown)}
<noscript><p>${texts.noScript}</p></noscript>`,
  )
}

/** The amount that the link asks for: a price, or an amount of one of the payable tokens. */
function sumOf(
  { amount, price, priceCurrency }: PublicLink,
  symbols: readonly string[],
  language: PageLanguage,
): string {
  if (price !== null && priceCurrency !== null) return formatPrice(price, priceCurrency, language)
  return `${formatTokens(amount ?? '', language)} ${anyOf(symbols, language)}`
}

/** `busy`: the last payment that the link allows is being confirmed. */
export type LinkStanding = PublicLink['state'] | 'busy'

/** Why the link accepts no payment now, and what to do. */
function closedCard(link: PublicLink, standing: Exclude<LinkStanding, 'open'>, shown: Shown) {
  const texts = pageTexts[shown.language]
  const key = ({ paid: 'linkPaid', expired: 'linkExpired', ended: 'linkEnded', busy: 'linkBusy' } as const)[standing]
  const until = link.expiresAt === null ? '' : timeHtml(link.expiresAt, shown.language)
  const text = fillHtml(texts[`${key}Text`], plain(shown.shop.name), until)
  const back = link.returnUrl && backTo(link.returnUrl, shown)
  return html`<section class="card"><h2>${texts[key]}</h2><p>${text}</p>${back}</section>`
}

/**
 * The page of a payment link: the customer chooses network and token, and the element creates the payment. If the link accepts no payment,
 * the element is hidden until it finds the payment that this browser created from the link.
 * @param symbols - Tokens that the link can be paid in.
 */
export function renderLinkPage(
  element: ElementFile,
  { link, standing, symbols }: { link: PublicLink; standing: LinkStanding; symbols: readonly string[] },
  shown: Shown,
) {
  const { language, shop } = shown
  const { id, amount, price, priceCurrency, description, isTest, returnUrl } = link
  const texts = pageTexts[language]
  const sum = sumOf(link, symbols, language)
  // A visible element shows the sum itself.
  const total = html`<p class="sum"><bdi>${sum}</bdi></p>`
  const money = price === null ? html`amount="${amount}"` : html`price="${price}" price-currency="${priceCurrency}"`
  const title = fill(texts.pay, sum, titleName(shop.name, language))
  const about = description === null ? fill(texts.payWith, anyOf(symbols, language)) : titleName(description, language)
  const framed: Framed = {
    ...shown,
    isTest,
    title,
    preview: { title, description: about },
    hasHeading: description !== null,
    mainAttributes: [
      titlesOf(shown, isTest),
      standing === 'open' ? '' : html` data-stage="closed"`,
      shown.returnsByItself && returnUrl ? html` data-return="${returnUrl}"` : '',
    ],
    head: [elementScript(element), mailHead(shown), shown.head ?? ''],
  }
  return frame(
    framed,
    html`${description && html`<h1><bdi>${plain(description)}</bdi></h1>`}${standing === 'open' ? html`<noscript>${total}</noscript>` : total}
${standing === 'open' ? '' : closedCard(link, standing, shown)}
<stablecoin-checkout public-key="${id}" ${money}${attributesOf(shown)}${standing === 'open' ? '' : html` hidden`}></stablecoin-checkout>
<script>${raw(script)}</script>
${toReceipt(`/pay/${id}`, shown, isTest)}
<noscript><p>${texts.noScript}</p></noscript>`,
  )
}

/** The page for unknown ids, without a shop because the merchant is unknown too. */
export function renderNoPayment(language: PageLanguage) {
  const texts = pageTexts[language]
  return frame(
    { language, shop: null, origin: null, title: texts.noPayment, preview: null },
    html`<h1>${texts.noPayment}</h1><p>${texts.noPaymentText}</p>`,
  )
}
