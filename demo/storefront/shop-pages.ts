import { type CartLine, linePrice, totalPrice } from './cart.ts'
import { products } from './catalog.ts'
import type { StorefrontConfig } from './config.ts'
import { developerDrawer, drawerState, icon, masthead, type Visitor } from './layout.ts'
import { pictures } from './pictures.ts'
import { escapeHtml, fill } from './template.ts'

export const renderHome = (config: StorefrontConfig, visitor: Visitor): Promise<string> =>
  render(config, visitor, { title: 'Coffee and what it needs', main: home() })

export const renderCart = (config: StorefrontConfig, visitor: Visitor): Promise<string> =>
  render(config, visitor, { title: 'Cart', main: cart(visitor.cart) })

async function render(config: StorefrontConfig, visitor: Visitor, { title, main }: { title: string; main: string }) {
  return await fill('shop.html', {
    text: { title, drawer: drawerState(visitor) },
    markup: {
      icon,
      main,
      masthead: masthead(visitor),
      developer: await developerDrawer(config),
    },
  })
}

/** The texts are constants of the catalog. */
function home(): string {
  const cards = products.map(
    ({ id, name, detail, price }) => `<li class="product">
        ${pictures[id] ?? ''}
        <h2>${escapeHtml(name)}</h2>
        <p class="quiet">${escapeHtml(detail)}</p>
        <form action="/cart" method="post">
          <span class="price">$${price}</span>
          <input type="hidden" name="add" value="${id}">
          <button class="primary" aria-label="Add to cart: ${escapeHtml(name)}">Add to cart</button>
        </form>
      </li>`,
  )
  return `<div class="hero">
      <h1>Coffee from the corner, roasted on Monday</h1>
      <p class="quiet">Pay in USDC or USDT, from any wallet or exchange.</p>
    </div>
    <ul class="products">${cards.join('\n')}</ul>`
}

function cart(lines: readonly CartLine[]): string {
  if (lines.length === 0)
    return '<h1>Your cart is empty</h1><p><a class="button primary" href="/">Choose a coffee</a></p>'
  const rows = lines.map((line) => {
    const { product, quantity } = line
    const name = escapeHtml(product.name)
    const change = (sign: '−' | '+', to: number, label: string) =>
      `<button name="quantity" value="${to}" aria-label="${label} ${name}">${sign}</button>`
    return `<li>
        ${pictures[product.id] ?? ''}
        <div class="line-name"><h2>${name}</h2><p class="quiet">$${product.price} each</p></div>
        <form class="quantity" action="/cart" method="post">
          <input type="hidden" name="product" value="${product.id}">
          ${change('−', quantity - 1, quantity > 1 ? 'One less of' : 'Remove')}
          <span>${quantity}</span>
          ${change('+', quantity + 1, 'One more of')}
        </form>
        <p class="line-price">$${linePrice(line)}</p>
      </li>`
  })
  return `<h1>Cart</h1>
    <ul class="lines">${rows.join('\n')}</ul>
    <p class="total"><span>Total</span> <strong>$${totalPrice(lines)}</strong></p>
    <p class="cart-end"><a href="/">Continue shopping</a> <a class="button primary" href="/checkout">Check out</a></p>`
}

/** The order's articles, as the checkout lists them. */
export const orderLines = (lines: readonly CartLine[], sign: string): string =>
  lines
    .map(
      (line) => `<li>
          ${pictures[line.product.id] ?? ''}
          <p class="line-name">${escapeHtml(line.product.name)}${line.quantity > 1 ? ` <span class="quiet">× ${line.quantity}</span>` : ''}</p>
          <p class="line-price">${sign}${linePrice(line)}</p>
        </li>`,
    )
    .join('\n')
