import { readFile } from 'node:fs/promises'
import { currencies, products } from './catalog.ts'
import { offeredNetworks, type StorefrontConfig } from './config.ts'
import type { Order } from './shop.ts'

const template = new URL('./page.html', import.meta.url)

/** Fills `page.html`: `{{name}}` takes text, `{{{name}}}` markup that was made here. */
export async function renderPage(config: StorefrontConfig, order: Order): Promise<string> {
  const product = products.find(({ id }) => id === order.productId) ?? products[0]
  const text: Record<string, string> = {
    apiBase: config.bff,
    publicKey: config.publicKey,
    amount: order.amount,
    currency: order.currency,
    network: order.network,
    networkName: offeredNetworks(config).find(({ shortName }) => shortName === order.network)?.name ?? order.network,
    orderId: order.id,
    callbackUrl: `${config.origin}/webhooks`,
    productId: product.id,
    productName: product.name,
    productDetail: product.detail,
    half: product.half,
    tooMuch: product.tooMuch,
  }
  const markup: Record<string, string> = {
    productLinks: links(products, ({ id }) => ({ ...order, productId: id }), order.productId, nameOf),
    currencyLinks: links(
      currencies.map((id) => ({ id })),
      ({ id }) => ({ ...order, currency: id }),
      order.currency,
      ({ id }) => id,
    ),
    networkLinks: links(
      offeredNetworks(config).map(({ shortName, name }) => ({ id: shortName, name })),
      ({ id }) => ({ ...order, network: id }),
      order.network,
      nameOf,
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

const nameOf = ({ name }: { name: string }) => name

type Choice = Pick<Order, 'productId' | 'currency' | 'network'>

function links<Item extends { id: string }>(
  items: readonly Item[],
  choose: (item: Item) => Choice,
  current: string,
  label: (item: Item) => string,
): string {
  return items
    .map((item) => {
      const { productId, currency, network } = choose(item)
      const query = new URLSearchParams({ product: productId, currency, network })
      const here = item.id === current ? ' aria-current="true"' : ''
      return `<a href="/?${escapeHtml(query.toString())}"${here}>${escapeHtml(label(item))}</a>`
    })
    .join('\n')
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => escapes[character] ?? '')
