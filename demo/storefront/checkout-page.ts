import { parseCart, wrongAmounts } from './cart.ts'
import { type currencies, pricesIn } from './catalog.ts'
import { offeredNetworks, type StorefrontConfig } from './config.ts'
import { languages } from './gallery/page.ts'
import { developerDrawer, drawerState, icon, masthead, type Visitor } from './layout.ts'
import type { MadePayment } from './make-payment.ts'
import type { Order } from './shop.ts'
import { orderLines } from './shop-pages.ts'
import { escapeHtml, fill } from './template.ts'

/**
 * Who creates the payment: the shop's server, with its secret, or the tag in the customer's browser, by the public key.
 */
type Maker = 'server' | 'page'

/** Language and theme of the element. Empty: the browser's preference. */
type Appearance = { lang: string; theme: string }

export const themes = ['light', 'dark'] as const

/**
 * `payment` is null if the tag creates it; `preloads` are links to the chunks that the element's script imports; `missing` is the requested
 * token, if the order's network does not have it.
 */
type Parts = {
  maker: Maker
  payment: MadePayment | null
  preloads: string
  visitor: Visitor
  appearance: Appearance
  missing: string | null
}

/** The page with the tag, and the developer's tools beside it. */
export async function renderCheckout(config: StorefrontConfig, order: Order, parts: Parts): Promise<string> {
  const { maker, payment, preloads, visitor, appearance, missing } = parts
  const networks = offeredNetworks(config)
  const network = networks.find(({ shortName }) => shortName === order.network)
  const networkName = network?.name ?? order.network
  const text: Record<string, string> = {
    apiBase: config.bff,
    amount: order.amount,
    total: `${pricesIn(order.currency).sign}${order.amount}`,
    currency: order.currency,
    networkName,
    orderId: order.id,
    items: order.items,
    theme: appearance.theme,
    drawer: drawerState(visitor),
    ...wrongAmounts(order.amount),
  }
  const tools = await fill('developer-tools.html', {
    text,
    markup: {
      currencies: currencyOptions(order.currency, network),
      networks: options(Object.fromEntries(networks.map(networkOption)), order.network),
      makers: options(makers, maker),
      languages: options({ '': 'As the browser', ...languages }, appearance.lang),
      themes: options({ '': 'As the browser', light: 'Light', dark: 'Dark' }, appearance.theme),
      walletNetworks: options(walletNetworks(config), ''),
      bridge: config.relay ? bridgeChoice : '',
    },
  })
  const replica = payment?.replica ? `Replica ${payment.replica} created the payment` : ''
  return await fill('checkout.html', {
    text,
    markup: {
      icon,
      preloads,
      masthead: masthead(visitor),
      replaced: missing ? replacedToken(missing, order, networkName) : '',
      lines: orderLines(parseCart(order.items), pricesIn(order.currency).sign),
      tag: payment ? followingTag(config, payment, appearance) : creatingTag(config, order, appearance),
      developer: await developerDrawer(config, { tools, replica }),
    },
  })
}

const currencyNames: Readonly<Record<(typeof currencies)[number], string>> = {
  USDC: 'USDC',
  USDT: 'USDT',
  EURC: 'EURC, at prices in euros',
}

/** Tokens that the network does not have are disabled. */
const currencyOptions = (current: string, network: OfferedNetwork | undefined): string =>
  Object.entries(currencyNames)
    .map(([value, name]) =>
      network && !(value in network.tokens)
        ? `<option disabled>${escapeHtml(`${name} (not on ${network.name})`)}</option>`
        : options({ [value]: name }, current),
    )
    .join('\n')

/** Tells the customer that another token, perhaps with prices in another currency, replaces the requested one. */
const replacedToken = (missing: string, { currency }: Order, networkName: string): string =>
  `<p class="order-note" data-state="replaced" role="alert">${escapeHtml(`${networkName} has no ${missing}: this order is paid in ${currency}.`)}</p>`

type OfferedNetwork = ReturnType<typeof offeredNetworks>[number]

const networkOption = ({ shortName, name, note }: OfferedNetwork) => [shortName, note ? `${name} (${note})` : name]

const walletNetworks = ({ networks }: StorefrontConfig) =>
  Object.fromEntries(networks.filter(({ wallet }) => wallet !== 'none').map(({ chainId, name }) => [chainId, name]))

const makers = { server: 'The shop’s server', page: 'This page, by the public key' }

/** The bridge emulator's behaviour with later deposits. */
const bridgeChoice = `<label class="choice">The bridge
    <select data-bridge>
      <option value="fill">Delivers</option>
      <option value="short">Delivers too little</option>
      <option value="refund">Sends the money back</option>
      <option value="expire">Is too late</option>
    </select>
  </label>`

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
const followingTag = ({ bff }: StorefrontConfig, { id, clientSecret, answer }: MadePayment, appearance: Appearance) =>
  tag({ 'api-base': bff, 'payment-id': id, 'client-secret': clientSecret }, appearance, answer)

const creatingTag = (
  { bff, publicKey, origin }: StorefrontConfig,
  { amount, currency, network, id }: Order,
  appearance: Appearance,
) =>
  tag(
    {
      'api-base': bff,
      'public-key': publicKey,
      ...(pricesIn(currency).currency === 'USD' ? { amount } : { price: amount, 'price-currency': 'EUR' }),
      currency,
      network,
      'order-id': id,
      'callback-url': `${origin}/webhooks`,
    },
    appearance,
  )

function tag(
  attributes: Readonly<Record<string, string>>,
  { lang, theme }: Appearance,
  answer: string | null = null,
): string {
  const all = Object.entries({ ...attributes, lang, theme }).filter(([, value]) => value !== '')
  const text = all.map(([name, value]) => `\n          ${name}="${escapeHtml(value)}"`)
  const json = answer?.replaceAll('<', '\\u003c')
  const script = json ? `<script type="application/json">${json}</script>` : ''
  return `<stablecoin-checkout${text.join('')}\n        >${script}</stablecoin-checkout>`
}

/** Select options: names by value. */
const options = (names: Readonly<Record<string, string>>, current: string): string =>
  Object.entries(names)
    .map(([value, name]) => {
      const selected = value === current ? ' selected' : ''
      return `<option value="${escapeHtml(value)}"${selected}>${escapeHtml(name)}</option>`
    })
    .join('\n')
