import { expect } from '@open-wc/testing'
import { CheckoutPage } from './test/page.ts'
import { EmulatedService, expired, paid, paymentId } from './test/service.ts'
import { waitUntil } from './test/wait-until.ts'

let service: EmulatedService
let count = 0
const terms = (over: Record<string, string> = {}) => ({ 'order-id': `embedded-${count++}`, ...over })
setup(() => {
  service = new EmulatedService()
})
teardown(() => service.restore())

suite('settings', () => {
  test('a property is reflected to its attribute, and the reverse', async () => {
    const page = await CheckoutPage.open(terms())
    const { element } = page
    element.customerEmail = 'a@b.example'
    element.amount = '30'
    service.payment = { amount: '30.00', amountRemaining: '30.00' }
    await element.updateComplete
    expect([element.getAttribute('customer-email'), element.getAttribute('amount')]).to.deep.equal([
      'a@b.example',
      '30',
    ])
    element.setAttribute('walletconnect-project-id', 'p')
    expect(element.walletconnectProjectId).to.equal('p')
    element.customerEmail = ''
    await element.updateComplete
    expect(element.hasAttribute('customer-email')).to.equal(false)
    element.metadata = { table: 4 }
    await element.updateComplete
    expect(element.hasAttribute('metadata'), 'an object stays one').to.equal(false)
  })

  test('a property set before the element is on the page is reflected, a default is not', async () => {
    const element = document.createElement('stablecoin-checkout')
    element.paymentId = paymentId
    element.apiBase = 'https://pay.example'
    document.body.append(element)
    await element.updateComplete
    expect(element.getAttribute('payment-id')).to.equal(paymentId)
    expect(element.getAttributeNames().sort()).to.deep.equal(['api-base', 'payment-id'])
    element.remove()
  })

  test('removing the attribute restores the default', async () => {
    const page = await CheckoutPage.open(terms())
    page.element.removeAttribute('amount')
    page.element.removeAttribute('display')
    expect([page.element.amount, page.element.display]).to.deep.equal(['', 'inline'])
  })

  test('settings in the page’s head apply to every tag', async () => {
    document.head.insertAdjacentHTML(
      'beforeend',
      `<meta name="stablecoin-checkout:api" content="https://meta.example/">
       <meta name="stablecoin-checkout:public-key" content="pk_live_meta">`,
    )
    const element = document.createElement('stablecoin-checkout')
    Object.assign(element, { amount: '25.00', currency: 'USDC', network: 'devnet', orderId: 'meta' })
    document.body.append(element)
    await waitUntil(() => service.creates.length === 1)
    expect(service.creates[0]?.url).to.match(/^https:\/\/meta\.example\/api\/v1\//)
    expect(service.creates[0]?.headers.get('X-Public-Key')).to.equal('pk_live_meta')
    element.remove()
    for (const meta of document.querySelectorAll('meta[name^=stablecoin-checkout]')) meta.remove()
  })
})

suite('methods and properties', () => {
  test('the payment, as last returned by the service', async () => {
    const page = await CheckoutPage.open(terms())
    expect(page.element.payment).to.include({ id: paymentId, amount: '25.00', outcome: 'pending' })
    service.payment = paid
    await page.pollUntilShown('has received the money')
    expect(page.element.payment?.outcome).to.equal('paid')
    expect(document.createElement('stablecoin-checkout').payment).to.equal(null)
  })

  test('refresh polls the service now', async () => {
    const page = await CheckoutPage.open(terms())
    service.payment = paid
    await waitUntil(() => {
      page.element.refresh()
      return page.text().includes('has received the money')
    })
  })

  test('restart replaces a payment that has ended', async () => {
    service.payment = expired
    const page = await CheckoutPage.open(terms())
    service.payment = {}
    page.element.restart()
    await waitUntil(() => page.find('[part=address]') && !page.find('.skeleton'))
    expect(service.creates.length).to.equal(2)
  })

  test('open and close do nothing for an inline element', async () => {
    const page = await CheckoutPage.open(terms())
    page.element.open()
    page.element.close()
    await page.element.updateComplete
    expect(page.find('dialog')).to.equal(null)
    expect(page.names()).not.to.include('sc-open')
  })
})

suite('slots', () => {
  test('appear at the top and at the bottom', async () => {
    const page = await CheckoutPage.open(terms())
    page.element.innerHTML = '<b slot="header">Order 7</b><a slot="footer" href="#terms">Terms</a>'
    const [head, foot] = [...page.element.children]
    const card = page.find('.card')?.getBoundingClientRect()
    const amount = page.find('[part=amount]')?.getBoundingClientRect()
    expect(head?.getBoundingClientRect().top).to.be.within(card?.top ?? 0, amount?.top ?? 0)
    expect(foot?.getBoundingClientRect().bottom).to.be.within(amount?.bottom ?? 0, card?.bottom ?? 0)
  })

  test('an event bubbles and crosses the shadow root of a surrounding component', async () => {
    const host = document.createElement('div')
    const element = document.createElement('stablecoin-checkout')
    for (const [name, value] of Object.entries({ 'api-base': 'https://pay.example', 'payment-id': paymentId }))
      element.setAttribute(name, value)
    host.attachShadow({ mode: 'open' }).append(element)
    const heard: string[] = []
    document.addEventListener('sc-ready', ({ detail }) => heard.push(detail.payment.id), { once: true })
    document.body.append(host)
    await waitUntil(() => heard.length === 1)
    expect(heard).to.deep.equal([paymentId])
    host.remove()
  })
})
