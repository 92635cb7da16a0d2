// Sells orders by payment link, with Node alone. Environment: CHECKOUT_URL, API_KEY, API_SECRET, WEBHOOK_SECRET, SHOP_URL, PORT.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

const { CHECKOUT_URL, API_KEY, API_SECRET, WEBHOOK_SECRET, SHOP_URL, PORT } = process.env
// Anybody could sign with an empty one.
if (!/^whsec_.{32}/.test(WEBHOOK_SECRET)) throw new Error('WEBHOOK_SECRET must be the webhook secret, whsec_…')
/** Your database: what each order costs, in whole tokens, and whether it is paid. */
const orders = { 1042: { amount: '25.00', isPaid: false } }

async function payLink(orderId) {
  const body = JSON.stringify({ orderId, amount: orders[orderId].amount, callbackUrl: `${SHOP_URL}/webhooks` })
  const headers = { 'Content-Type': 'application/json', 'X-API-Key': API_KEY, 'X-API-Secret': API_SECRET }
  const { link, message } = await (
    await fetch(`${CHECKOUT_URL}/api/v1/links`, { method: 'POST', headers, body })
  ).json()
  if (!link) throw new Error(message)
  return link.url
}

function isSigned(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signatures = '' } = headers
  const mac = createHmac('sha256', Buffer.from(WEBHOOK_SECRET.slice(6), 'base64')).update(`${id}.${at}.${body}`)
  const expected = Buffer.from(`v1,${mac.digest('base64')}`)
  const given = signatures.split(' ').map((one) => Buffer.from(one))
  const isRecent = Math.abs(Date.now() / 1000 - Number(at)) < 300
  return isRecent && given.some((one) => one.length === expected.length && timingSafeEqual(one, expected))
}

async function answer({ url, headers, method }, body) {
  const [, page, orderId] = url.split('/')
  if (method === 'POST' && page === 'buy') return [303, { Location: await payLink(orderId) }]
  if (page === 'orders') return [200, {}, orders[orderId].isPaid ? 'paid' : 'open']
  if (page !== 'webhooks' || !isSigned(headers, body)) return [401, {}]
  const { data } = JSON.parse(body)
  const order = orders[data.orderId]
  // Whoever has the public key can pay the order by no link, in as many of a token that is worth less.
  const isOurs = data.linkId !== null && data.amount === order?.amount
  if (data.outcome === 'paid' && !data.isTest && isOurs) order.isPaid = true
  return [204, {}]
}

createServer(async (request, response) => {
  const [status, headers, sent] = await answer(request, await text(request)).catch((error) => [502, {}, error.message])
  response.writeHead(status, headers).end(sent)
}).listen(Number(PORT), '127.0.0.1')
