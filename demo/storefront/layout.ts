import { type CartLine, countOf } from './cart.ts'
import type { StorefrontConfig } from './config.ts'
import { escapeHtml, fill } from './template.ts'

export const icon = `<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='8' fill='%23a8512a'/%3E%3Cpath d='M8 12h13v6a6 6 0 0 1-6 6h-1a6 6 0 0 1-6-6zM21 13h2a3 3 0 0 1 0 7h-2' fill='none' stroke='%23fff' stroke-width='2.4'/%3E%3C/svg%3E">`

/** What every page of the shop needs: the visitor's cart, and whether the developer's drawer is open. */
export type Visitor = { cart: readonly CartLine[]; isDrawerOpen: boolean }

export const drawerState = ({ isDrawerOpen }: Visitor) => (isDrawerOpen ? 'open' : 'closed')

export function masthead({ cart, isDrawerOpen }: Visitor): string {
  const count = countOf(cart)
  return `<header class="masthead">
      <a class="brand" href="/">
        <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true"><path d="M7 11h14v7a6 6 0 0 1-6 6h-2a6 6 0 0 1-6-6zM21 13h2a3.5 3.5 0 0 1 0 7h-2M11 4v3M15 3v4M19 4v3"/></svg>
        Corner Coffee
      </a>
      <nav aria-label="Shop">
        <a class="cart-link" href="/cart">Cart <span class="count" data-cart-count>${count}</span></a>
        <button type="button" data-developer-toggle aria-expanded="${isDrawerOpen}" aria-controls="developer">Developer</button>
      </nav>
    </header>`
}

type Drawer = { tools?: string; replica?: string }

/** The developer's drawer. `tools`: the part about one order. */
export async function developerDrawer(
  { bff, links }: StorefrontConfig,
  { tools = '', replica = '' }: Drawer = {},
): Promise<string> {
  const pages = {
    ...(links && { Dashboard: links.dashboard, 'A payment link': links.paymentLink }),
    'API reference': `${bff}/docs`,
    'Every state of the checkout': '/gallery',
  }
  const items = Object.entries(pages).map(([name, href]) => `<li><a href="${escapeHtml(href)}">${name}</a></li>`)
  return await fill('developer.html', { text: { replica }, markup: { tools, links: items.join('\n') } })
}
