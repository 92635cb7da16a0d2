import { randomUUID } from 'node:crypto'
import type { Context, Hono } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { type CartLine, formatCart, parseCart, totalPrice, withQuantity } from './cart.ts'
import { currencies } from './catalog.ts'
import { preloadLinks, renderCheckout, themes } from './checkout-page.ts'
import { offeredNetworks, type StorefrontConfig } from './config.ts'
import { languages } from './gallery/page.ts'
import type { Visitor } from './layout.ts'
import { createPaymentMaker } from './make-payment.ts'
import type { Order, Shop } from './shop.ts'
import { renderCart, renderHome } from './shop-pages.ts'

const noStore = { 'Cache-Control': 'no-store' }

const cartCookie = 'cart'

function visitorOf(c: Context): Visitor {
  const isDrawerOpen = (c.req.query('developer') ?? getCookie(c, 'developer')) === 'open'
  return { cart: parseCart(getCookie(c, cartCookie) ?? ''), isDrawerOpen }
}

type Deps = { config: StorefrontConfig; shop: Shop; policy: string }

/** The shop's pages: articles, cart, and the checkout with the tag. `policy`: their Content-Security-Policy. */
export function shopRoutes(app: Hono, { config, shop, policy }: Deps): void {
  const makePayment = createPaymentMaker(config)

  app.use(async (c, next) => {
    c.header('Content-Security-Policy', policy)
    await next()
  })

  app.get('/', async (c) => c.html(await renderHome(config, visitorOf(c)), 200, noStore))

  app.get('/cart', async (c) => c.html(await renderCart(config, visitorOf(c)), 200, noStore))

  // Two forms: `add` one more of an article, or set its `quantity`.
  app.post('/cart', async (c) => {
    const { add, product, quantity } = (await c.req.parseBody()) as Record<string, string | undefined>
    const { cart } = visitorOf(c)
    const before = cart.find((line) => line.product.id === add)?.quantity ?? 0
    const changed = add ? withQuantity(cart, add, before + 1) : withQuantity(cart, product ?? '', Number(quantity) || 0)
    setCookie(c, cartCookie, formatCart(changed), { path: '/', sameSite: 'Lax' })
    return c.redirect('/cart', 303)
  })

  // The shop records the price before the customer sees a payment: it decides what pays the order. The payment is
  // created with the page, so that the page contains it. With `?by=page` the tag creates it in the browser, by the
  // public key.
  app.get('/checkout', async (c) => {
    const { by, lang = '', theme = '' } = c.req.query()
    const found = orderOf(c)
    if (found === null) return c.redirect('/cart')
    const { order, missing } = found
    const maker = by === 'page' ? 'page' : 'server'
    const [payment, preloads] = await Promise.all([
      maker === 'server' ? makePayment(order) : null,
      preloadLinks(config),
    ])
    const appearance = {
      lang: lang in languages ? lang : '',
      theme: themes.find((known) => known === theme) ?? '',
    }
    const parts = { maker, payment, preloads, visitor: visitorOf(c), appearance, missing } as const
    return c.html(await renderCheckout(config, order, parts), 200, noStore)
  })

  app.get('/orders/:id', (c) => {
    const order = shop.order(c.req.param('id'))
    c.header('Cache-Control', 'no-store')
    if (order?.state === 'paid') deleteCookie(c, cartCookie)
    return order === undefined ? c.json({ error: 'No such order.' }, 404) : c.json(order)
  })

  /**
   * The order in the URL if it has the URL's token and network; otherwise a new order of the articles in the URL, or of the cart. Missing
   * or invalid values fall back to the first choice; null without an article. `missing`: the URL's token, if the network does not have it.
   */
  function orderOf(c: Context): { order: Order; missing: string | null } | null {
    const { order: id = '', items, product, currency = '', network = '' } = c.req.query()
    const known = shop.order(id)
    const choice = choose(currency || (known?.currency ?? ''), network || (known?.network ?? ''))
    const { missing } = choice
    if (known && known.currency === choice.currency && known.network === choice.network)
      return { order: known, missing }
    const asked = items ?? (product ? `${product}-1` : null)
    const lines = asked === null ? visitorOf(c).cart : parseCart(asked)
    return lines.length > 0 ? { order: openOrder(lines, choice), missing } : null
  }

  function choose(asked: string, askedNetwork: string) {
    const { shortName: network, tokens } =
      offeredNetworks(config).find(({ shortName }) => shortName === askedNetwork) ?? config.networks[0]
    const known = currencies.find((currency) => currency === asked)
    if (known && known in tokens) return { network, currency: known, missing: null }
    const currency = currencies.find((one) => one in tokens) ?? currencies[0]
    return { network, currency, missing: known ?? null }
  }

  function openOrder(lines: readonly CartLine[], { currency, network }: { currency: string; network: string }): Order {
    return shop.open({
      id: `order-${randomUUID().slice(0, 13)}`,
      items: formatCart(lines),
      amount: totalPrice(lines),
      currency,
      network,
    })
  }
}
