import { expect } from '@open-wc/testing'
import { CheckoutPage } from '../test/page.ts'
import { EmulatedService, expired, paid, paymentId } from '../test/service.ts'
import { waitUntil } from '../test/wait-until.ts'

let service: EmulatedService
let count = 0
const terms = (over: Record<string, string> = {}) => ({ 'order-id': `offer-${count++}`, ...over })
setup(() => {
  sessionStorage.clear()
  service = new EmulatedService()
})
teardown(() => {
  service.restore()
  for (const element of document.querySelectorAll('stablecoin-checkout')) element.remove()
})

suite('a checkout in a dialog', () => {
  const dialog = (page: CheckoutPage) => page.find<HTMLDialogElement>('dialog')
  const place = async (over: Record<string, string> = {}) => {
    const page = await CheckoutPage.place(terms({ display: 'button', ...over }))
    await waitUntil(() => dialog(page))
    return page
  }

  test('sends no request until the customer presses the button', async () => {
    const page = await place()
    expect(page.text('[part=button]')).to.equal('Pay 25.00 USDC')
    expect(service.asked).to.deep.equal([])
    expect(dialog(page)?.open).to.equal(false)
    await expect(page.element).to.be.accessible()
    await page.press('Pay 25.00 USDC')
    await waitUntil(() => page.find('[part=address]') && !page.find('.skeleton'))
    expect(service.creates.length).to.equal(1)
    expect(dialog(page)?.matches(':modal')).to.equal(true)
    expect(page.names().filter((name) => /open|close/.test(name))).to.deep.equal(['sc-open'])
    await expect(page.element).to.be.accessible()
  })

  test('closes, returns focus, is still followed, and reopens with the same payment', async () => {
    const page = await place()
    await page.press('Pay 25.00')
    await waitUntil(() => page.find('[part=address]') && !page.find('.skeleton'))
    page.find('[part=close]')?.click()
    await waitUntil(() => page.names().includes('sc-close'))
    expect(page.element.renderRoot.activeElement).to.equal(page.find('[part=button]'))
    service.payment = paid
    await page.pollUntil(() => page.names().includes('sc-paid'))
    page.element.open()
    await waitUntil(() => dialog(page)?.open)
    await page.pollUntilShown('has received the money')
    expect(service.creates.length).to.equal(1)
  })

  test('closes by a press on the backdrop, and by Escape', async () => {
    const page = await place()
    for (const close of [
      () => dialog(page)?.click(),
      () => dialog(page)?.requestClose?.() ?? dialog(page)?.close(),
      () => page.element.close(),
    ]) {
      page.element.open()
      await waitUntil(() => dialog(page)?.open)
      page.find('.card')?.click()
      expect(dialog(page)?.open).to.equal(true)
      close()
      await waitUntil(() => !dialog(page)?.open)
    }
    await waitUntil(() => page.names().filter((name) => name === 'sc-close').length === 3)
  })

  test('without a button is opened only by the page, also before the chunk is loaded', async () => {
    const page = await CheckoutPage.place(terms({ display: 'modal' }))
    page.element.open()
    await waitUntil(() => dialog(page)?.open)
    expect(page.find('[part=button]')).to.equal(null)
    await waitUntil(() => page.find('[part=address]') && !page.find('.skeleton'))
  })

  test('stays on the page when the element is moved, and can be opened there', async () => {
    const page = await place()
    page.element.open()
    await waitUntil(() => dialog(page)?.open)
    document.body.append(page.element)
    expect(dialog(page)?.open).to.equal(false)
    page.element.open()
    await waitUntil(() => dialog(page)?.matches(':modal'))
    page.element.remove()
  })

  test('shows the shop’s label on its button, and is inline again when the tag says so', async () => {
    const page = await place()
    page.element.innerHTML = '<span slot="button">Buy the beans</span>'
    const slot = page.find<HTMLSlotElement>('slot[name=button]')
    expect(slot?.assignedElements()[0]?.textContent).to.equal('Buy the beans')
    page.element.display = 'inline'
    await waitUntil(() => page.find('[part=address]') && !page.find('.skeleton'))
    expect(dialog(page)).to.equal(null)
  })

  test('an unknown display is reported', async () => {
    const page = await CheckoutPage.place(terms({ display: 'popup' }))
    await waitUntil(() => page.text().includes('inline, modal or button'))
    expect(service.asked).to.deep.equal([])
  })
})

suite('a price in a currency', () => {
  const priced = (over: Record<string, string> = {}) =>
    terms({ amount: '', price: '19.99', 'price-currency': 'EUR', ...over })
  /** The service's response with the converted amount. */
  const withAmount = (amount: string, over: object = {}) => {
    service.payment = {}
    service.more = (_method, path, body) => {
      if (path.startsWith('deposits/create')) {
        const { price, priceCurrency } = body
        const rate = { price, priceCurrency, rate: '0.92', rateAt: '2026-11-21T12:00:00.000Z' }
        service.payment = { ...rate, amount, amountRemaining: amount, ...over }
      }
      return null
    }
  }
  const refuse = (status: number, message: string) => {
    service.more = (_method, path) =>
      path.startsWith('deposits/create') ? Response.json({ code: 'NO_RATE', message }, { status }) : null
  }

  test('is converted by the service, and shown beside the amount with its rate', async () => {
    withAmount('21.73')
    const page = await CheckoutPage.open(priced())
    expect(page.text('[part=amount]')).to.equal('21.73 USDC')
    expect(page.text('slot[name=header]')).to.equal('€19.99')
    await waitUntil(() => page.find('[part=price]'))
    expect(page.text('[part=price]')).to.include('€19.99 = 21.73 USDC, rate at')
    expect(service.creates[0]?.body).to.include({ price: '19.99', priceCurrency: 'EUR', currency: 'USDC' })
    expect(service.creates[0]?.body).not.to.have.property('amount')
    expect(service.asked.some((asked) => JSON.stringify(asked).includes('rates'))).to.equal(false)
  })

  test('keeps its payment and rate over a reload', async () => {
    withAmount('21.73')
    const page = await CheckoutPage.open(priced())
    const { payment } = service
    withAmount('39.98')
    service.payment = payment
    const again = await page.reload()
    expect(again.text('[part=amount]')).to.equal('21.73 USDC')
    expect(service.creates.length).to.equal(1)
  })

  test('is converted at the current rate when paid again after the end', async () => {
    withAmount('21.73')
    const page = await CheckoutPage.open(priced())
    for (const amount of ['39.98', '39.98']) {
      service.payment = { ...service.payment, ...expired, amount: service.payment['amount'] }
      await page.pollUntilShown('Start again')
      withAmount(amount)
      await page.press('Start again')
      await waitUntil(() => page.text('[part=amount]') === `${amount} USDC`)
    }
    expect(service.creates.map(({ body }) => body['price'])).to.deep.equal(['19.99', '19.99', '19.99'])
    expect(new Set(service.creates.map(({ headers }) => headers.get('Idempotency-Key'))).size).to.equal(3)
  })

  test('when changed, creates another payment', async () => {
    withAmount('21.73')
    const page = await CheckoutPage.open(priced())
    withAmount('10.87')
    page.element.price = '10'
    await waitUntil(() => page.text('[part=amount]') === '10.87 USDC')
    expect(service.creates.length).to.equal(2)
  })

  test('is not derived from an old rate: the refusal is explained, and retried by the customer', async () => {
    const message = 'price cannot be converted now. The newest rates are of 2026-11-21T10:00:00.000Z.'
    refuse(503, message)
    const page = await CheckoutPage.place(priced())
    await waitUntil(() => page.text().includes('Couldn’t convert the price'))
    await waitUntil(() => page.text().includes('There’s no current exchange rate'))
    expect(page.text()).not.to.include(message)
    expect(page.emitted.at(-1)?.detail).to.deep.equal({ code: 'NO_RATE', message, retryable: true })
    expect(service.creates.length, 'nobody asks again by himself').to.equal(1)
    await expect(page.element).to.be.accessible()
    withAmount('21.73')
    await page.press('Try again')
    await waitUntil(() => page.text('[part=amount]') === '21.73 USDC')
  })

  test('reports a currency without a rate to the shop', async () => {
    const message = 'There is no rate of USDC in NGN (priceCurrency); known: USD.'
    refuse(400, message)
    const page = await CheckoutPage.place(priced({ 'price-currency': 'NGN' }))
    await waitUntil(() => page.text().includes('Couldn’t convert the price'))
    expect(page.text()).to.include(message).and.to.include('NO_RATE')
    expect(page.text()).not.to.include('There’s no current exchange rate')
    expect(page.emitted.at(-1)?.detail).to.deep.equal({ code: 'NO_RATE', message, retryable: false })
  })

  for (const over of [{ price: '1.99' }, { priceCurrency: 'USD' }, { price: null, priceCurrency: null }])
    test(`in a response with ${JSON.stringify(over)} is rejected`, async () => {
      withAmount('21.73', over)
      const page = await CheckoutPage.place(priced())
      await waitUntil(() => page.names().includes('sc-error'))
      expect(page.emitted.at(-1)?.detail).to.include({ code: 'MISMATCH' })
      expect(page.find('[part=address]')).to.equal(null)
    })

  test('when invalid is reported with its rule, and so is an amount beside it', async () => {
    const page = await CheckoutPage.place(priced({ price: '0', 'price-currency': 'euro', amount: '25.00' }))
    await waitUntil(() => page.text().includes('19.99'))
    expect(page.text()).to.include('a currency code').and.to.include('omitted when a price is set')
    expect(service.asked).to.deep.equal([])
  })

  test('lets the customer choose network and token where the tag names none', async () => {
    withAmount('21.73')
    const { more } = service
    const networks = ['devnet', 'base'].map((shortName) => ({ name: shortName, shortName, confirmations: 3 }))
    const stablecoins = networks.map((Network) => ({ symbol: 'USDC', Network }))
    service.more = (method, path, body) =>
      path === 'networks/payable/stablecoins' ? Response.json({ success: true, stablecoins }) : more(method, path, body)
    const page = await CheckoutPage.place(priced({ currency: '', network: '' }))
    await waitUntil(() => page.find('.options button'))
    expect(page.text()).to.include('€19.99').and.to.include('How do you want to pay?')
    // As large as an amount, which no token has given yet.
    expect(page.text('[part=amount]')).to.equal('€19.99')
    expect(service.creates).to.deep.equal([])
    page.find('.options button')?.click()
    await waitUntil(() => page.text('[part=amount]') === '21.73 USDC')
    expect(service.creates[0]?.body).to.include({ price: '19.99', priceCurrency: 'EUR', currency: 'USDC' })
  })

  test('is not shown for a payment created by the shop’s server', async () => {
    const page = await CheckoutPage.open(priced({ 'payment-id': paymentId, 'public-key': '' }))
    expect(page.text('[part=amount]')).to.equal('25.00 USDC')
  })

  test('on a button is the button’s label, and converted when it is pressed', async () => {
    withAmount('21.73')
    const page = await CheckoutPage.place(priced({ display: 'button' }))
    await waitUntil(() => page.find('[part=button]'))
    expect(page.text('[part=button]')).to.equal('Pay €19.99')
    expect(service.asked).to.deep.equal([])
    await page.press('Pay €19.99')
    await waitUntil(() => page.text('[part=amount]') === '21.73 USDC')
  })
})
