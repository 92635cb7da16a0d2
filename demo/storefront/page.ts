import { readFile } from 'node:fs/promises'
import { currencies, products } from './catalog.ts'
import { offeredNetworks, type StorefrontConfig } from './config.ts'
import type { MadePayment } from './make-payment.ts'
import type { Order } from './shop.ts'

const template = new URL('./page.html', import.meta.url)

/**
 * Who creates the payment: the shop's server, with its secret, or the tag in the customer's browser, by the public key.
 */
type Maker = 'server' | 'page'

/** `payment` is null if the tag creates it; `preloads` are links to the chunks that the element's script imports. */
type Parts = { maker: Maker; payment: MadePayment | null; preloads: string }

/** Fills `page.html`: `{{name}}` inserts text, `{{{name}}}` markup created here. */
export async function renderPage(
  config: StorefrontConfig,
  order: Order,
  { maker, payment, preloads }: Parts,
): Promise<string> {
  const product = products.find(({ id }) => id === order.productId) ?? products[0]
  const text: Record<string, string> = {
    apiBase: config.bff,
    amount: order.amount,
    currency: order.currency,
    network: order.network,
    networkName: offeredNetworks(config).find(({ shortName }) => shortName === order.network)?.name ?? order.network,
    orderId: order.id,
    productId: product.id,
    productName: product.name,
    productDetail: product.detail,
    half: product.half,
    tooMuch: product.tooMuch,
    replica: payment?.replica ? `Replica ${payment.replica} created the payment` : '',
  }
  const link = (choice: Partial<Choice>) => pageLink({ ...order, maker, ...choice })
  const markup: Record<string, string> = {
    preloads,
    tag: payment ? followingTag(config, payment) : creatingTag(config, order),
    makerLinks: links(makers, ({ id }) => link({ maker: id }), maker),
    productLinks: links(products, ({ id }) => link({ productId: id }), order.productId),
    currencyLinks: links(
      currencies.map((id) => ({ id, name: id })),
      ({ id }) => link({ currency: id }),
      order.currency,
    ),
    networkLinks: links(
      offeredNetworks(config).map(({ shortName, name }) => ({ id: shortName, name })),
      ({ id }) => link({ network: id }),
      order.network,
    ),
    walletNetworks: config.networks
      .map(({ chainId, name }) => `<option value="${chainId}">${escapeHtml(name)}</option>`)
      .join('\n'),
  }
  const html = await readFile(template, 'utf8')
  return html.replace(/\{\{\{(\w+)\}\}\}|\{\{(\w+)\}\}/g, (_, markupName?: string, textName?: string) =>
    markupName === undefined ? escapeHtml(text[textName ?? ''] ?? '') : (markup[markupName] ?? ''),
  )
}

const makers: readonly { id: Maker; name: string }[] = [
  { id: 'server', name: 'The shop’s server' },
  { id: 'page', name: 'This page, by the public key' },
]

/** Preload links: the element's script and its imports, by the service's own list. */
export async function preloadLinks({ bff }: StorefrontConfig): Promise<string> {
  const answer = await fetch(`${bff}/stablecoin-checkout.json`).catch(() => null)
  const files = answer?.ok ? ((await answer.json()) as Record<string, { integrity: string }>) : {}
  return Object.entries(files)
    .filter(([name]) => /^stablecoin-checkout(-element-.+)?\.js$/.test(name))
    .map(([name, { integrity }]) => {
      const href = escapeHtml(`${bff}/${name}`)
      return `<link rel="modulepreload" href="${href}" integrity="${escapeHtml(integrity)}">`
    })
    .join('\n')
}

/** The payment was created here, and its response is embedded: the element sends no request first. */
const followingTag = ({ bff }: StorefrontConfig, { id, clientSecret, answer }: MadePayment) =>
  tag({ 'api-base': bff, 'payment-id': id, 'client-secret': clientSecret }, answer)

const creatingTag = ({ bff, publicKey, origin }: StorefrontConfig, { amount, currency, network, id }: Order) =>
  tag({
    'api-base': bff,
    'public-key': publicKey,
    amount,
    currency,
    network,
    'order-id': id,
    'callback-url': `${origin}/webhooks`,
  })

function tag(attributes: Readonly<Record<string, string>>, answer: string | null = null): string {
  const text = Object.entries(attributes).map(([name, value]) => `\n          ${name}="${escapeHtml(value)}"`)
  const json = answer?.replaceAll('<', '\\u003c')
  const script = json ? `<script type="application/json">${json}</script>` : ''
  return `<stablecoin-checkout${text.join('')}\n        >${script}</stablecoin-checkout>`
}

type Choice = Pick<Order, 'productId' | 'currency' | 'network'> & { maker: Maker }

function pageLink({ productId, currency, network, maker }: Choice): string {
  const query = new URLSearchParams({ product: productId, currency, network, ...(maker === 'page' && { by: maker }) })
  return `/?${query}`
}

const links = <Id extends string>(
  items: readonly { id: Id; name: string }[],
  linkTo: (item: { id: Id }) => string,
  current: string,
): string =>
  items
    .map((item) => {
      const here = item.id === current ? ' aria-current="true"' : ''
      return `<a href="${escapeHtml(linkTo(item))}"${here}>${escapeHtml(item.name)}</a>`
    })
    .join('\n')

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => escapes[character] ?? '')
