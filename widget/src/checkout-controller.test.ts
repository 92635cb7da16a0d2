import { expect } from '@open-wc/testing'
import { CheckoutPage } from './test/page.ts'
import { address, EmulatedService, expired, paid, paymentId, seen, short } from './test/service.ts'
import { waitUntil } from './test/wait-until.ts'

suite('a payment from tag to completion', () => {
  let service: EmulatedService
  setup(() => {
    sessionStorage.clear()
    service = new EmulatedService()
  })
  teardown(() => service.restore())

  const keyOf = (index: number) => service.creates[index]?.headers.get('Idempotency-Key')
  /** Unique terms per test, because the tab remembers payments by their terms. */
  const order = (() => {
    let count = 0
    return (over: Record<string, string> = {}) => ({ 'order-id': `order-${count++}`, ...over })
  })()

  test('is created once with exactly the given terms and its own key', async () => {
    const page = await CheckoutPage.open(
      order({ 'customer-email': 'a@b.example', 'callback-url': 'https://shop.example/hook', metadata: '{"table":4}' }),
    )
    const [create] = service.creates
    expect(create?.url).to.equal('https://pay.example/api/v1/deposits/create?include=qr')
    expect(create?.headers.get('X-Public-Key')).to.equal('pk_live_a')
    expect(keyOf(0)).to.match(/^[0-9a-f]{32}$/)
    expect(create?.body).to.deep.equal({
      amount: '25.00',
      currency: 'USDC',
      network: 'devnet',
      orderId: page.element.orderId,
      customerEmail: 'a@b.example',
      callbackUrl: 'https://shop.example/hook',
      metadata: { table: 4 },
    })
    expect(service.creates.length).to.equal(1)
    expect(page.names()).to.deep.equal(['sc-payment-created', 'sc-ready', 'sc-status-change'])
  })

  test('is read without custom headers, so the browser sends no preflight', async () => {
    const page = await CheckoutPage.open(order())
    await page.pollUntil(() => service.reads.length > 0)
    const [read] = service.reads
    expect(read?.url).to.equal(`https://pay.example/api/v1/payments/public/${paymentId}?include=qr`)
    expect([...(read?.headers.keys() ?? [])]).to.deep.equal([])
  })

  test('moves from waiting over underpaid and detected to paid, and emits each step', async () => {
    const page = await CheckoutPage.open(order())
    expect(page.text('[part=status]')).to.equal('Waiting for your payment')
    service.payment = short
    await page.pollUntilShown('Still to send')
    expect(page.text('[part=amount]')).to.equal('15.00 USDC')
    service.payment = seen
    await page.pollUntilShown('1 of 3')
    expect(page.text()).not.to.include(address.slice(-4))
    service.payment = { ...paid, settlement: { state: 'settling', message: '' } }
    await page.pollUntilShown('Being paid out')
    service.payment = paid
    await page.pollUntilShown('has received the money')
    expect(page.names().filter((name) => name !== 'sc-status-change')).to.deep.equal([
      'sc-payment-created',
      'sc-ready',
      'sc-underpaid',
      'sc-paid',
    ])
  })

  test('continues after a reload, even if the first create had no response yet', async () => {
    service.fault = { status: 0 }
    const page = await CheckoutPage.open(order())
    service.fault = null
    const again = await page.reload()
    expect(service.creates.length).to.equal(2)
    expect(keyOf(1)).to.equal(keyOf(0))
    const third = await again.reload()
    expect(service.creates.length, 'a payment whose id is known is read').to.equal(2)
    expect(service.reads.at(-1)?.cache, 'and not from the cache').to.equal('reload')
    expect(third.names()).not.to.include('sc-payment-created')
  })

  test('two elements with the same terms hold two payments', async () => {
    const terms = order()
    await CheckoutPage.open(terms)
    await CheckoutPage.open(terms)
    expect(service.creates.length).to.equal(2)
    expect(keyOf(0)).not.to.equal(keyOf(1))
  })

  test('a paid order stays paid after a reload; without an order id a reload creates a new payment', async () => {
    service.payment = paid
    const page = await CheckoutPage.open(order())
    expect((await page.reload()).text('[part=status]')).to.equal('Paid')
    expect(service.creates.length).to.equal(1)
    const other = await CheckoutPage.open({ 'order-id': '', network: 'no-order' })
    await other.reload()
    expect(service.creates.length).to.equal(3)
    expect(keyOf(1)).not.to.equal(keyOf(2))
  })

  test('starting again after the end creates another payment', async () => {
    service.payment = expired
    const page = await CheckoutPage.open(order())
    await waitUntil(() => page.text().includes('Your money isn’t lost'))
    service.payment = {}
    await page.press('Start again')
    await waitUntil(() => page.text().includes('Send to this address') && !page.find('.skeleton'))
    expect(keyOf(1)).not.to.equal(keyOf(0))
  })

  test('other terms create another payment, unless money was detected', async () => {
    const page = await CheckoutPage.open(order())
    service.payment = { amount: '30.00', amountRemaining: '30.00' }
    page.element.amount = '30'
    await waitUntil(() => page.text('[part=amount]') === '30.00 USDC')
    expect(service.creates.length).to.equal(2)
    service.payment = { amount: '30.00', amountDetected: '10.00', amountRemaining: '20.00' }
    await page.pollUntilShown('20.00 USDC')
    page.element.amount = '40'
    await page.element.updateComplete
    expect(page.text('[part=amount]')).to.equal('20.00 USDC')
    expect(service.creates.length).to.equal(2)
  })

  test('a payment created on the merchant’s server is followed by its id, without a create', async () => {
    const page = await CheckoutPage.open({ 'payment-id': paymentId, 'public-key': '', amount: '' })
    expect(service.creates).to.deep.equal([])
    expect(page.names()).to.deep.equal(['sc-ready', 'sc-status-change'])
    service.payment = expired
    await page.pollUntilShown('Go back to the shop')
    expect(page.find('button.main')).to.equal(null)
  })

  test('a remembered payment that the service has lost is created again', async () => {
    const page = await CheckoutPage.open(order())
    service.fault = { status: 404, body: { success: false, code: 'NOT_FOUND' } }
    page.element.remove()
    const again = CheckoutPage.open({ 'order-id': page.element.orderId })
    await waitUntil(() => service.creates.length === 2)
    service.fault = null
    expect(keyOf(1)).not.to.equal(keyOf(0))
    await again
  })

  test('an outage is shown when it lasts, and cleared by the next response', async () => {
    const page = await CheckoutPage.open(order())
    service.fault = { status: 503 }
    await page.pollUntilShown('No connection to the payment service')
    expect(page.text('[part=address]')).to.equal(address)
    expect(page.names().filter((name) => name === 'sc-error')).to.deep.equal(['sc-error'])
    service.fault = null
    await page.pollUntil(() => !page.text().includes('No connection'))
  })

  test('a service that is down at first is polled until it responds', async () => {
    service.fault = { status: 429, headers: { 'Retry-After': '1' } }
    const page = await CheckoutPage.open(order())
    expect(page.text()).to.include('couldn’t be loaded')
    service.fault = null
    await page.press('Try again')
    await waitUntil(() => page.text().includes('Send to this address') && !page.find('.skeleton'))
    expect(keyOf(1)).to.equal(keyOf(0))
  })

  test('a refusal is shown with the service’s message and code', async () => {
    const body = { success: false, error: 'Bad', message: 'No settlement wallet for devnet.', code: 'wallet_missing' }
    service.fault = { status: 400, body }
    const page = await CheckoutPage.open(order())
    expect(page.text()).to.include('The payment couldn’t be started')
    await waitUntil(() => page.text().includes('wallet_missing'), 'its code comes with the whole screen')
    expect(page.text(), 'in English only').to.include('No settlement wallet for devnet.')
    expect(page.emitted.at(-1)?.detail).to.deep.equal({
      code: 'wallet_missing',
      message: body.message,
      retryable: false,
    })
  })

  test('a response that is not a payment is requested again', async () => {
    service.payment = { depositAddress: null }
    const page = await CheckoutPage.open(order())
    expect(page.emitted.at(-1)?.detail).to.include({ code: 'BAD_ANSWER', retryable: true })
    service.payment = {}
    await page.pollUntil(() => Boolean(page.find('[part=address]')))
  })

  test('a browser that denies storage can pay, and a moved element continues', async () => {
    const { setItem } = Storage.prototype
    Storage.prototype.setItem = () => {
      throw new DOMException('denied', 'SecurityError')
    }
    try {
      const page = await CheckoutPage.open(order())
      document.body.append(page.element)
      service.payment = paid
      await page.pollUntilShown('has received the money')
      expect(service.creates.length).to.equal(1)
      page.element.remove()
    } finally {
      Storage.prototype.setItem = setItem
    }
  })

  test('terms that change during a create: only the last terms count', async () => {
    const { answer } = service.holdBack()
    const opening = CheckoutPage.open(order())
    await waitUntil(() => service.creates.length === 1)
    const element = document.querySelector('stablecoin-checkout')
    service.payment = { amount: '30.00', amountRemaining: '30.00' }
    if (element) element.amount = '30'
    await waitUntil(() => service.creates.length === 2)
    answer()
    const page = await opening
    expect(page.text('[part=amount]')).to.equal('30.00 USDC')
    expect(page.names().filter((name) => name === 'sc-payment-created').length).to.equal(1)
  })

  test('a removed element sends no requests', async () => {
    const page = await CheckoutPage.open(order())
    page.element.remove()
    const before = service.asked.length
    window.dispatchEvent(new Event('focus'))
    await Promise.resolve()
    expect(service.asked.length).to.equal(before)
  })
})
