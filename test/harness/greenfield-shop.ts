import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import { listen } from './listen.ts'

/** A webhook that the shop received. */
type Heard = { type: string; invoiceId: string; isSigned: boolean; body: Record<string, unknown> }

/** A shop whose plug-in uses BTCPay's API: it gets its key through a form, shows the overlay, and verifies webhooks. */
export async function openGreenfieldShop(secret: string) {
  const heard: Heard[] = []
  let key = ''
  let page = ''
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      if (request.url === '/hook') {
        const expected = `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`
        const body = JSON.parse(text) as Record<string, unknown>
        const isSigned = request.headers['btcpay-sig'] === expected
        heard.push({ type: String(body['type']), invoiceId: String(body['invoiceId']), isSigned, body })
        response.writeHead(200).end()
        return
      }
      if (request.url === '/callback' && request.method === 'POST') key = new URLSearchParams(text).get('apiKey') ?? ''
      const posted = request.url === '/callback' ? [...new URLSearchParams(text).getAll('permissions[]')].join(' ') : ''
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      response.end(
        `<!doctype html><title>Shop</title><link rel="icon" href="data:,"><h1>Shop</h1><p>${posted}</p>${page}`,
      )
    })
  })
  const { origin, close } = await listen(server)
  return {
    origin,
    close,
    key: () => key,
    show: (html: string) => {
      page = html
    },
    /** Types of the webhooks received for an invoice, without their common prefix. */
    types: (invoiceId: string) =>
      heard.filter((one) => one.invoiceId === invoiceId).map(({ type }) => type.slice('Invoice'.length)),
    /** Test webhooks that the service sent. */
    tests: () => heard.filter((one) => one.invoiceId.startsWith('__test__')),
    heard: (invoiceId: string) => heard.filter((one) => one.invoiceId === invoiceId),
  }
}
