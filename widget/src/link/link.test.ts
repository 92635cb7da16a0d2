import { expect } from '@open-wc/testing'
import { CheckoutPage } from '../test/page.ts'
import { clientSecret, EmulatedService, paymentId, type Wire, wireAnswer } from '../test/service.ts'
import { turnOfPage, waitUntil } from '../test/wait-until.ts'

const token = (shortName: string): Wire => ({
  symbol: 'USDC',
  amount: '25.00',
  Network: { name: shortName[0]?.toUpperCase() + shortName.slice(1), shortName, confirmations: 3 },
})

let service: EmulatedService
let state: string
let offered: Wire[]
let refusal: Response | null
const json = (body: Wire, status = 200) => new Response(JSON.stringify(body), { status })

setup(() => {
  sessionStorage.clear()
  localStorage.clear()
  service = new EmulatedService()
  state = 'open'
  offered = [token('base'), token('devnet')]
  refusal = null
  service.more = (_method, path) => {
    if (!path.startsWith('links/public/pl_')) return null
    if (path.endsWith('/stablecoins')) return json({ success: true, stablecoins: offered })
    if (path.includes('/create')) return refusal ?? json(wireAnswer({ ...service.payment, clientSecret }))
    return json({ success: true, link: { state, returnUrl: 'https://shop.example/back' } })
  }
})
teardown(() => service.restore())

const laterId = '7c1cf0a2-8a0b-4c1e-9b77-6f1f0f6f3c22'
const priced = { amount: '', price: '23.03', 'price-currency': 'EUR' }

async function open(linkId: string, attributes: Record<string, string> = {}): Promise<CheckoutPage> {
  const given = { 'public-key': linkId, currency: '', network: '', ...attributes }
  const page = await CheckoutPage.place(given)
  await waitUntil(() => page.text() !== '' && !/Loading|One moment/.test(page.text()), 'it is drawn')
  return page
}
const creates = () => service.creates.filter(({ url }) => url.includes('/links/public/'))
const press = async (page: CheckoutPage, text: string) => {
  const button = [...page.element.renderRoot.querySelectorAll('button')].find((one) => one.textContent?.includes(text))
  button?.click()
}
const asked = (page: CheckoutPage) => page.find('[part=address]:not(.skeleton *)') !== null

suite('a payment link', () => {
  test('asks for network and token, then creates this customer’s payment', async () => {
    const page = await open('pl_a')
    expect(page.text()).to.include('How do you want to pay?')
    expect(page.text('[part=amount]'), 'never a bare number').to.equal('25.00 USDC')
    expect(page.text('.options .lead')).to.equal('25.00 USDC on Base')
    expect(creates()).to.deep.equal([])
    await expect(page.element).to.be.accessible()
    await press(page, 'Devnet')
    await waitUntil(() => asked(page), 'where to pay')
    const [create] = creates()
    expect(create?.url).to.equal('https://pay.example/api/v1/links/public/pl_a/create?include=qr')
    expect(create?.body).to.deep.equal({ network: 'devnet', currency: 'USDC' })
    expect(create?.headers.get('Idempotency-Key')).to.match(/^[\da-f]{32}:devnet:USDC$/)
    expect(create?.headers.get('X-Public-Key')).to.equal(null)
    expect(page.element.clientSecret).to.equal(clientSecret)
  })

  test('gives way to another link that the page sets, while the customer chooses and while a payment is shown', async () => {
    const page = await open('pl_first')
    state = 'paid'
    page.element.publicKey = 'pl_paid'
    await waitUntil(() => page.text().includes('This was already paid'), 'the state of the second link')
    state = 'open'
    page.element.publicKey = 'pl_third'
    await waitUntil(() => page.text().includes('How do you want to pay?'), 'the choice of the third')
    await press(page, 'Devnet')
    await waitUntil(() => asked(page), 'where to pay')
    page.element.publicKey = 'pl_fourth'
    await waitUntil(() => page.text().includes('How do you want to pay?'), 'the choice of the fourth')
    service.payment = { id: laterId, network: 'base' }
    await press(page, 'Base')
    await waitUntil(() => page.element.paymentId === laterId, 'its payment')
    expect(creates().map(({ url }) => /pl_\w+/.exec(url)?.[0])).to.deep.equal(['pl_third', 'pl_fourth'])
    service.payment = {}
    page.element.remove()
    const again = await open('pl_third')
    await waitUntil(() => asked(again), 'where to pay')
    expect(again.element.paymentId).to.equal(paymentId)
  })

  test('gives way to a payment or a shop’s key that the page sets while the link’s payment is looked for or shown', async () => {
    const first = await open('pl_hers')
    await press(first, 'Devnet')
    await waitUntil(() => asked(first), 'where to pay')
    first.element.remove()
    const { more } = service
    let answerRead = () => {}
    const isAnswered = new Promise<void>((resolve) => {
      answerRead = resolve
    })
    let reads = 0
    service.more = async (method, path, body) => {
      if (path === `payments/public/${paymentId}` && reads++ === 0) await isAnswered
      if (path.endsWith('payable/stablecoins')) return json({ success: true, stablecoins: offered })
      const id = path.endsWith(laterId) ? laterId : paymentId
      return (await more(method, path, body)) ?? json(wireAnswer({ ...service.payment, id }))
    }
    const page = await CheckoutPage.place({ 'public-key': 'pl_hers', currency: '', network: '' })
    await waitUntil(() => reads === 1, 'the link’s payment is looked for')
    page.element.paymentId = laterId
    answerRead()
    await waitUntil(() => asked(page), 'where to pay')
    await turnOfPage()
    expect(page.element.paymentId).to.equal(laterId)
    expect(page.element.publicKey).to.equal('pl_hers')
    page.element.paymentId = ''
    await waitUntil(() => page.element.paymentId === paymentId && asked(page), 'the link’s payment')
    Object.assign(page.element, { publicKey: 'pk_test_shop', amount: '25.00' })
    await waitUntil(() => page.text().includes('How do you want to pay?'), 'the shop’s own choice')
    expect(page.element.paymentId).to.equal('')
  })

  test('shows the link’s payment again when the page sets the tag’s first attributes again', async () => {
    const page = await open('pl_morph')
    await press(page, 'Devnet')
    await waitUntil(() => asked(page), 'where to pay')
    page.element.removeAttribute('payment-id')
    page.element.removeAttribute('client-secret')
    page.element.setAttribute('public-key', 'pl_morph')
    await waitUntil(() => page.element.paymentId === paymentId && asked(page), 'where to pay')
    expect(creates()).to.have.length(1)
  })

  test('belongs to one of two tags, also once the other one has created a payment by the same link', async () => {
    const [page, second] = [await open('pl_both'), await open('pl_both')]
    await press(page, 'Devnet')
    await waitUntil(() => asked(page), 'where to pay')
    service.payment = { id: laterId, network: 'base' }
    await press(second, 'Base')
    await waitUntil(() => second.element.paymentId === laterId, 'its payment')
    page.element.publicKey = 'pl_else'
    await waitUntil(() => page.text().includes('How do you want to pay?'), 'the choice of the other link')
    expect([page.element.paymentId, second.element.paymentId]).to.deep.equal(['', laterId])
  })

  test('chooses nothing for the next link from the options of the one before, and shows nothing of its failure', async () => {
    const page = await open('pl_one')
    refusal = json({ code: 'NO_RATE', message: 'price cannot be converted now.' }, 503)
    await press(page, 'Devnet')
    await waitUntil(() => page.text('[role=alert]') !== '', 'the reason')
    refusal = null
    const { more } = service
    const answers: (() => void)[] = []
    service.more = async (method, path, body) => {
      if (path === 'links/public/pl_slow/stablecoins') {
        await new Promise<void>((resolve) => answers.push(resolve))
        return json({ success: true, stablecoins: [token('devnet')] })
      }
      if (path === 'links/public/pl_next') await new Promise<void>((resolve) => answers.push(resolve))
      return (await more(method, path, body)) ?? json(wireAnswer(service.payment))
    }
    page.element.publicKey = 'pl_slow'
    await waitUntil(() => answers.length === 1, 'its options are asked for')
    page.element.publicKey = 'pl_next'
    await waitUntil(() => answers.length === 2, 'the next link is asked for')
    answers[0]?.()
    await turnOfPage()
    await turnOfPage()
    answers[1]?.()
    await waitUntil(() => page.text().includes('How do you want to pay?'), 'the choice')
    expect(page.find('[role=alert]')).to.equal(null)
    expect(creates().map(({ url }) => /pl_\w+/.exec(url)?.[0])).to.deep.equal(['pl_one'])
  })

  test('keeps its choice when an earlier search for the same link fails late', async () => {
    const { more } = service
    let reads = 0
    let failFirst = () => {}
    const isFailed = new Promise<void>((resolve) => {
      failFirst = resolve
    })
    service.more = async (method, path, body) => {
      if (path === 'links/public/pl_back' && reads++ === 0) {
        await isFailed
        return json({ code: 'BUSY', message: 'Try again later.' }, 503)
      }
      return (await more(method, path, body)) ?? json(wireAnswer(service.payment))
    }
    const page = await CheckoutPage.place({ 'public-key': 'pl_back', currency: '', network: '' })
    await waitUntil(() => reads === 1, 'the link is looked for')
    page.element.publicKey = 'pl_other'
    await waitUntil(() => page.text().includes('How do you want to pay?'), 'the choice of the other link')
    page.element.publicKey = 'pl_back'
    await waitUntil(() => reads === 2 && page.text().includes('How do you want to pay?'), 'the choice')
    failFirst()
    await turnOfPage()
    await turnOfPage()
    expect(page.text()).to.include('How do you want to pay?')
  })

  test('shows its payment again when the link was left and set again while the payment was made', async () => {
    const page = await open('pl_made')
    const { more } = service
    const held: (() => void)[] = []
    const hold = () => new Promise<void>((resolve) => held.push(resolve))
    service.more = async (method, path, body) => {
      if (path.includes('pl_made') && !path.endsWith('/stablecoins')) await hold()
      return (await more(method, path, body)) ?? json(wireAnswer(service.payment))
    }
    await press(page, 'Devnet')
    await waitUntil(() => held.length === 1, 'the payment is made')
    page.element.publicKey = 'pl_left'
    await waitUntil(() => service.asked.some(({ url }) => url.endsWith('pl_left')), 'the other link')
    page.element.publicKey = 'pl_made'
    await waitUntil(() => held.length === 2, 'the link is looked for')
    held[0]?.()
    await waitUntil(() => page.element.paymentId === paymentId && asked(page), 'its payment')
    held[1]?.()
    await turnOfPage()
    await turnOfPage()
    page.element.removeAttribute('payment-id')
    page.element.setAttribute('public-key', 'pl_made')
    await turnOfPage()
    await waitUntil(() => page.element.paymentId === paymentId && asked(page), 'its payment again')
    expect(creates()).to.have.length(1)
  })

  test('shows the same payment to the same browser after a reload, without a second one', async () => {
    const page = await open('pl_b')
    await press(page, 'Devnet')
    await waitUntil(() => asked(page), 'where to pay')
    page.element.remove()
    sessionStorage.clear()
    const again = await open('pl_b')
    await waitUntil(() => asked(again), 'where to pay')
    expect(creates()).to.have.length(1)
    expect(again.element.paymentId).to.equal(paymentId)
    expect(again.element.clientSecret).to.equal(clientSecret)
  })

  test('returns to the choice once the payment has ended, also after a reload', async () => {
    const page = await open('pl_c')
    await press(page, 'Devnet')
    await waitUntil(() => asked(page), 'where to pay')
    service.payment = { outcome: 'failed', isFinal: true }
    await page.pollUntilShown('Start again')
    await press(page, 'Start again')
    await waitUntil(() => page.text().includes('How do you want to pay?'), 'the choice')
    expect(page.element.paymentId).to.equal('')
  })

  test('returns to the choice once the payment has ended with less than its amount', async () => {
    const page = await open('pl_short')
    await press(page, 'Devnet')
    await waitUntil(() => asked(page), 'where to pay')
    service.payment = { outcome: 'failed', isFinal: true, amountReceived: '10.00' }
    await page.pollUntilShown('Start again')
    service.payment = { outcome: 'failed', isFinal: true, amountReceived: '25.00' }
    await press(page, 'Start again')
    await waitUntil(() => page.text().includes('25.00 USDC arrived'), 'the rest, which came meanwhile')
    expect(page.text()).not.to.include('Start again')
    // A reorg takes the rest back.
    service.payment = { outcome: 'failed', isFinal: true, amountReceived: '10.00' }
    await page.pollUntilShown('Start again')
    await press(page, 'Start again')
    await waitUntil(() => page.text().includes('How do you want to pay?'), 'the choice')
    expect(page.element.paymentId).to.equal('')
  })

  test('returns to the choice once for two presses, and keeps the payment that was made meanwhile', async () => {
    const page = await open('pl_twice')
    await press(page, 'Devnet')
    await waitUntil(() => page.text().includes('Pay another way'), 'the way back')
    const { more } = service
    let cancels = 0
    let answerSecond = () => {}
    const isAnswered = new Promise<void>((resolve) => {
      answerSecond = resolve
    })
    service.more = async (method, path, body) => {
      if (path === 'payments/fail') {
        cancels += 1
        if (cancels === 2) await isAnswered
        return json({ success: true })
      }
      if (path === `payments/public/${paymentId}` && cancels > 0)
        return json(wireAnswer({ outcome: 'failed', isFinal: true }))
      return (await more(method, path, body)) ?? json(wireAnswer(service.payment))
    }
    await press(page, 'Pay another way')
    await press(page, 'Pay another way')
    await waitUntil(() => page.text().includes('How do you want to pay?'), 'the choice')
    service.payment = { id: laterId, network: 'base' }
    await press(page, 'Base')
    await waitUntil(() => page.element.paymentId === laterId && asked(page), 'the second payment')
    const before = service.reads.filter(({ url }) => url.includes(paymentId)).length
    answerSecond()
    await waitUntil(() => service.reads.filter(({ url }) => url.includes(paymentId)).length > before, 'its answer')
    await page.element.updateComplete
    await turnOfPage()
    expect(page.element.paymentId).to.equal(laterId)
    expect(creates()).to.have.length(2)
  })

  test('names no time of a rate where one token is one unit of the price', async () => {
    service.payment = { price: '25.00', priceCurrency: 'EUR', rate: '1', rateAt: new Date().toISOString() }
    const page = await open('pl_e', priced)
    await press(page, 'Base')
    await waitUntil(() => page.text().includes('€25.00 = 25.00 USDC'), 'the price')
    expect(page.text()).not.to.include('rate at')
  })

  test('shows its price and how it was converted to the amount', async () => {
    service.payment = { price: '23.03', priceCurrency: 'EUR', rate: '0.9213', rateAt: new Date().toISOString() }
    const page = await open('pl_d', priced)
    expect(page.text()).to.include('€23.03').and.to.include('How do you want to pay?')
    expect(page.text('.options .lead')).to.equal('≈ 25.00 USDC on Base')
    await press(page, 'Base')
    await waitUntil(() => /€23\.03 = 25\.00 USDC, rate at \d+:\d\d/.test(page.text()), 'the rate')
    await expect(page.element).to.be.accessible()
    expect(service.asked.some(({ url }) => url.includes('currency/rates'))).to.equal(false)
  })

  test('chooses automatically with a single payment option', async () => {
    offered = [token('devnet')]
    const page = await open('pl_e')
    await waitUntil(() => asked(page), 'where to pay')
  })

  for (const [closed, text] of [
    ['paid', 'This was already paid'],
    ['ended', 'This payment link has ended'],
    ['expired', 'This payment link has ended'],
  ] as const)
    test(`reports a closed link: ${closed}`, async () => {
      state = closed
      const page = await open(`pl_f-${closed}`)
      expect(page.text()).to.include(text).and.to.include('Back to the shop (shop.example)')
      expect(page.find('.options')).to.equal(null)
      await expect(page.element).to.be.accessible()
    })

  test('says that an unknown link does not exist', async () => {
    const before = service.more
    service.more = (method, path, body) =>
      path === 'links/public/pl_unknown'
        ? json({ code: 'LINK_NOT_FOUND', message: 'There is no payment link pl_unknown.' }, 404)
        : before(method, path, body)
    const page = await open('pl_unknown')
    expect(page.text('.title')).to.equal('There is no such payment')
    await expect(page.element).to.be.accessible()
  })

  test('reads the link’s state when the choice came too late', async () => {
    const page = await open('pl_g')
    refusal = json({ code: 'LINK_CLOSED', message: 'This payment link was paid already.' }, 409)
    state = 'paid'
    await press(page, 'Devnet')
    await waitUntil(() => page.text().includes('This was already paid'), 'the state')
  })

  test('explains why creating fails, and keeps the choice', async () => {
    const page = await open('pl_h', priced)
    refusal = json({ code: 'NO_RATE', message: 'price cannot be converted now.' }, 503)
    await press(page, 'Devnet')
    await waitUntil(() => page.text('[role=alert]').startsWith('There’s no current exchange rate.'), 'the reason')
    expect(page.text()).to.include('How do you want to pay?')
  })
})

suite('the return link', () => {
  test('names its host, and only the customer follows it', async () => {
    service.payment = { outcome: 'paid', isFinal: true, returnUrl: 'https://shop.example/orders?paymentId=1' }
    const page = await CheckoutPage.open({ 'payment-id': paymentId })
    await waitUntil(() => page.find('[part=return]'), 'the return link')
    const link = page.find<HTMLAnchorElement>('[part=return]')
    expect(page.text('[part=return]')).to.equal('Back to Moss & Fern (shop.example)')
    expect([link?.href, link?.target]).to.deep.equal(['https://shop.example/orders?paymentId=1', ''])
  })

  for (const returnUrl of ['javascript:alert(1)', 'data:text/html,x', '//shop.example', 7, null])
    test(`is not shown for an invalid URL: ${returnUrl}`, async () => {
      service.payment = { outcome: 'paid', isFinal: true, returnUrl }
      const page = await CheckoutPage.open({ 'payment-id': paymentId })
      await waitUntil(() => page.text().includes('Payment id'), 'the receipt')
      expect(page.find('[part=return]')).to.equal(null)
    })
})
