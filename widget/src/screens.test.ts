import { expect } from '@open-wc/testing'
import { clientSecretOf } from './api/replace-payment.ts'
import { CheckoutPage } from './test/page.ts'
import { clientSecret, EmulatedService, paid, paymentId, seen, type Wire, wireAnswer } from './test/service.ts'
import { states } from './test/states.ts'
import { waitUntil } from './test/wait-until.ts'

const own = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const apart = '11111111-2222-4333-8444-555555555555'
const foreign = '11111111-2222-4333-8444-666666666666'
const later = '11111111-2222-4333-8444-777777777777'
let service: EmulatedService
let count = 0

/** Opens the page with a payment in the given state, and waits for its complete screen. */
async function open(name: keyof typeof states, attributes: Record<string, string> = {}): Promise<CheckoutPage> {
  service.payment = { ...states[name], ...(attributes['payment-id'] && { id: attributes['payment-id'] }) }
  const page = await CheckoutPage.open({ 'order-id': `screens-${count++}`, ...attributes })
  await waitUntil(() => page.hasScreens, 'the screens have come')
  return page
}

function write(page: CheckoutPage, text: string): void {
  const input = page.find<HTMLInputElement>('form input')
  if (!input) throw new Error('There is no field.')
  input.value = text
  input.dispatchEvent(new Event('input'))
}

/** The service accepts POST requests; other requests are answered as usual. */
function takePosts(path: string, answer: (body: Wire) => Response): void {
  service.more = (method, asked, body) => (method === 'POST' && asked.startsWith(path) ? answer(body) : null)
}
const taken = () => new Response('{"success":true}')
const refusal = (status: number, code: string, message: string) =>
  new Response(JSON.stringify({ success: false, error: message, message, code }), { status })

setup(() => {
  sessionStorage.clear()
  service = new EmulatedService()
})
teardown(() => service.restore())

suite('what happens to the money', () => {
  test('a paid customer keeps a receipt with the time, the transaction and the id, complete when copied', async () => {
    const page = await open('paid')
    expect(page.text('[part=receipt]')).to.include('2026').and.to.include('Payment id')
    expect(page.find('[data-source=id]')?.textContent).to.equal(paymentId)
    expect(page.find('[data-source=transaction]')?.textContent).to.equal(`0x${'5c'.repeat(32)}`)
    expect(page.find<HTMLAnchorElement>('a')?.href).to.equal(`https://explorer.example/tx/0x${'5c'.repeat(32)}`)
  })

  test('without a configured explorer there are no explorer links', async () => {
    service.payment = { ...states['refunded'], explorer: { transaction: null }, Network: { name: 'Devnet' } }
    const page = await CheckoutPage.open({ 'order-id': `screens-${count++}` })
    await page.pollUntilShown('was returned to you')
    expect(page.find('a') === null).to.equal(true)
  })

  test('overpaid: the customer enters an address, confirms it, and it is sent once', async () => {
    const page = await open('too much')
    expect(page.text()).to.include('You sent 5.00 USDC too much').and.to.include('Get 5.00 USDC back')
    write(page, own)
    await page.press('Continue')
    expect(page.text()).to.include('Send 5.00 USDC to this address on Devnet?')
    expect(page.find('.address b')?.textContent).to.equal('0x7099')
    expect([...page.element.renderRoot.querySelectorAll('.address b')].at(-1)?.textContent).to.equal('79C8')
    takePosts('deposits/refund-request', taken)
    service.payment = states['refund under way'] ?? {}
    await page.press('Yes, send it')
    await waitUntil(() => page.text().includes('5.00 USDC is on its way back to you.'))
    const asked = service.creates.filter(({ url }) => url.includes('refund-request'))
    expect(asked.map(({ url, body }) => [url, body])).to.deep.equal([
      [`https://pay.example/api/v1/deposits/refund-request/${paymentId}`, { address: own, clientSecret }],
    ])
    expect(asked[0]?.headers.get('X-Public-Key')).to.equal('pk_live_a')
    service.payment = states['refunded'] ?? {}
    await page.pollUntilShown('5.00 USDC was returned to you.')
  })

  test('an invalid address is refused before it is sent, and can be corrected', async () => {
    const page = await open('too much')
    for (const text of ['', 'hello', own.slice(0, -1)]) {
      write(page, text)
      await page.press('Continue')
      expect(page.text('[role=alert]'), text).to.equal('This isn’t a valid Devnet address.')
    }
    expect(page.find('input')?.getAttribute('aria-invalid')).to.equal('true')
    write(page, own)
    await page.press('Continue')
    await page.press('Change the address')
    expect(page.find<HTMLInputElement>('form input')?.value).to.equal(own)
    expect(page.find('[role=alert]')).to.equal(null)
  })

  test('a refused address has a reason, and the input stays', async () => {
    const page = await open('too much')
    write(page, own)
    await page.press('Continue')
    takePosts('deposits/refund-request', () => refusal(400, 'VALIDATION_FAILED', 'address must not be a token'))
    await page.press('Yes, send it')
    await waitUntil(() => page.text().includes('The money can’t be returned to this address.'))
    expect(page.find<HTMLInputElement>('form input')?.value).to.equal(own)
  })

  test("an address set earlier is not an error: the payment shows the refund's progress", async () => {
    const page = await open('expired, short')
    write(page, own)
    await page.press('Continue')
    takePosts('deposits/refund-request', () => refusal(403, 'REFUND_ALREADY_REQUESTED', 'given already'))
    service.payment = { ...states['expired, short'], refund: states['refund takes long']?.['refund'] }
    await page.press('Yes, send it')
    await waitUntil(() => page.text().includes('is taking longer than usual'))
    expect(page.text()).not.to.include('given already')
  })

  test('a reload keeps the proof that this customer made the payment', async () => {
    const page = await open('too much', { 'order-id': 'kept' })
    const again = await page.reload()
    await again.pollUntilShown('Get 5.00 USDC back')
    expect(service.reads.length).to.be.greaterThan(0)
    expect(clientSecretOf(paymentId)).to.equal(clientSecret)
  })

  test('a payment of the merchant’s server is returned to the holder of its client secret, without a public key', async () => {
    const page = await open('too much', { 'payment-id': apart, 'public-key': '', 'client-secret': 'cs_of-the-link' })
    write(page, own)
    await page.press('Continue')
    takePosts('deposits/refund-request', taken)
    await page.press('Yes, send it')
    await waitUntil(() => service.creates.length > 0)
    const [asked] = service.creates
    expect(asked?.body).to.deep.equal({ address: own, clientSecret: 'cs_of-the-link' })
    expect(asked?.headers.get('X-Public-Key')).to.equal(null)
  })

  test('a client secret set later by the property opens the form', async () => {
    const page = await open('too much', { 'payment-id': later, 'public-key': '' })
    expect(page.find('form')).to.equal(null)
    page.element.clientSecret = 'cs_later'
    await page.pollUntilShown('Get 5.00 USDC back')
  })

  test('without the client secret the customer is referred to the shop, also with a public key', async () => {
    for (const key of ['', 'pk_live_a']) {
      const page = await open('too much', { 'payment-id': foreign, 'public-key': key })
      expect(page.text()).to.include('Contact Moss & Fern with the payment id to get it back.')
      expect(page.find('form')).to.equal(null)
    }
  })

  test('shows an unmatched transfer and its network, and returns it to an address on that network', async () => {
    const page = await open('wrong token on another network')
    expect(page.text()).to.include('You sent 7.50 USDT on Polygon.').and.to.include('Your own address on Polygon')
    write(page, own)
    await page.press('Continue')
    expect(page.text()).to.include('Send 7.50 USDT to this address on Polygon?')
    takePosts('deposits/refund-request', taken)
    await page.press('Yes, send it')
    await waitUntil(() => service.creates.some(({ url }) => url.includes('refund-request')))
    expect(service.creates.at(-1)?.body).to.deep.equal({ address: own, network: 'polygon', clientSecret })
    const { unmatched } = states['wrong token on another network'] as { unmatched: [Wire] }
    const [transfer] = unmatched
    service.payment = {
      ...paid,
      unmatched: [{ ...transfer, amount: '0.00', amountRefunded: '7.50', refund: { state: 'refunded' } }],
    }
    await page.pollUntilShown('7.50 USDT was returned to you.')
    service.payment = { ...paid, unmatched: [null, 'x', { amount: '<b>' }, { ...transfer, amount: '0.00' }] }
    const fresh = await CheckoutPage.open({ 'order-id': `screens-${count++}` })
    await fresh.pollUntilShown('has received the money')
    expect(fresh.text()).not.to.include('You sent')
  })

  test('late money is shown as late, and money that may still count is awaited', async () => {
    const page = await open('late')
    expect(page.text('.title')).to.equal('Your payment came too late')
    expect(page.text()).to.include('25.00 USDC arrived').and.to.include('owes it to you')
    const open_ = await open('expired, may still be paid')
    expect(open_.text()).to.include('it still counts once all of it has arrived')
  })

  test('an unavailable network has its own message, and can be retried', async () => {
    service.fault = {
      status: 400,
      body: { code: 'NETWORK_UNAVAILABLE', message: 'devnet cannot be paid on now: no node' },
    }
    const page = await CheckoutPage.open({ 'order-id': `screens-${count++}` })
    await waitUntil(() => page.text('.title') === 'Payments on devnet are unavailable right now')
    expect(page.text()).to.include('Nothing was charged').and.not.to.include('no node')
    service.fault = null
    await page.press('Try again')
    await waitUntil(() => page.find('[part=address]'))
  })
})

suite('the same order in two tabs', () => {
  const other = new BroadcastChannel('stablecoin-checkout')
  suiteTeardown(() => other.close())
  const orderOf = ({ element }: CheckoutPage) => JSON.stringify([element.apiBase, element.publicKey, element.orderId])
  /** The payment of the other tab, in addition to the one of this tab. */
  const elsewhere = (over: Wire) => {
    service.more = (method, path) =>
      method === 'GET' && path.endsWith(apart) ? new Response(JSON.stringify(wireAnswer({ id: apart, ...over }))) : null
  }

  test('a payment in another tab is shown as paid here, and this one is cancelled', async () => {
    const page = await open('waiting')
    elsewhere(paid)
    other.postMessage({ order: orderOf(page), paymentId: apart })
    await waitUntil(() => page.text().includes('You paid this order in another tab.'))
    await waitUntil(() => service.creates.some(({ url }) => url.endsWith('/payments/fail')))
    expect(service.creates.at(-1)?.body).to.deep.equal({ paymentId, status: 'cancelled', clientSecret })
    expect(page.names().filter((name) => name === 'sc-payment-created')).to.have.length(1)
  })

  test('a message from another tab alone changes nothing: the service must confirm it, and money of this payment has priority', async () => {
    const page = await open('waiting')
    elsewhere({})
    other.postMessage({ order: orderOf(page), paymentId: apart })
    await waitUntil(() => service.reads.some(({ url }) => url.includes(apart)))
    await page.pollUntil(() => service.reads.at(-1)?.url.includes(paymentId) === true)
    expect(page.find('[part=address]')).not.to.equal(null)

    elsewhere(paid)
    service.payment = seen
    await page.pollUntilShown('Payment detected')
    const before = service.reads.filter(({ url }) => url.includes(apart)).length
    other.postMessage({ order: orderOf(page), paymentId: apart })
    await page.pollUntil(() => service.reads.at(-1)?.url.includes(paymentId) === true)
    expect(service.reads.filter(({ url }) => url.includes(apart)).length).to.equal(before)
  })

  test('a tab that has paid announces it, at once and on request', async () => {
    const heard: unknown[] = []
    other.onmessage = ({ data }) => heard.push(data)
    const page = await open('waiting')
    service.payment = paid
    await page.pollUntilShown('has received the money')
    const told = { order: orderOf(page), paymentId }
    await waitUntil(() => JSON.stringify(heard.at(-1)) === JSON.stringify(told))
    other.postMessage({ order: orderOf(page), paymentId: '' })
    await waitUntil(() => heard.filter((data) => JSON.stringify(data) === JSON.stringify(told)).length > 1)
  })
})
