import { expect } from '@open-wc/testing'
import { CheckoutPage } from '../test/page.ts'
import { EmulatedService, expired, paymentId, short, type Wire } from '../test/service.ts'
import { states } from '../test/states.ts'
import { waitUntil } from '../test/wait-until.ts'

let service: EmulatedService
let count = 0
setup(() => {
  sessionStorage.clear()
  service = new EmulatedService()
})
teardown(() => service.restore())

async function open(payment: Wire, attributes: Record<string, string> = {}): Promise<CheckoutPage> {
  service.payment = payment
  const page = await CheckoutPage.open({ 'order-id': `outcome-${count++}`, ...attributes })
  await waitUntil(() => page.hasScreens, 'the screens have come')
  return page
}
const buttons = (page: CheckoutPage) =>
  [...page.element.renderRoot.querySelectorAll('button')].map(({ textContent }) => textContent?.trim())

async function refused(fault: EmulatedService['fault'], attributes: Record<string, string> = {}) {
  service.fault = fault
  const page = await CheckoutPage.open({ 'order-id': `outcome-${count++}`, ...attributes })
  await waitUntil(() => page.hasScreens && page.find('.title'), 'the refusal is shown')
  return page
}

suite('money that came late', () => {
  test('in full: says so, what happens with it and what to do, and does not invite to pay again', async () => {
    const page = await open(states['late'] ?? {})
    expect(page.text('.title')).to.equal('Your payment came too late')
    expect(page.text()).to.include('All of it arrived, but after the time to pay had ended.')
    expect(page.text()).to.include('25.00 USDC arrived. It isn’t lost: Moss & Fern can accept or return it.')
    expect(page.text()).to.include('Please don’t pay again. Ask Moss & Fern first')
    expect(buttons(page)).not.to.include('Start again')
    expect(page.find('[part=address], .qr')).to.equal(null)
    await expect(page.element).to.be.accessible()
  })

  test('in full by a wallet, where nothing is refunded by the service: the same', async () => {
    const page = await open({ ...expired, paymentMode: 'contract', amountReceived: '25.00', amountRemaining: '25.00' })
    await waitUntil(() => page.text('.title') === 'Your payment came too late')
    expect(buttons(page)).not.to.include('Start again')
  })

  test('and is held, without being counted as received: the same', async () => {
    const refund = { state: 'held', message: '', address: null, amount: '25.00', amountRefunded: '0.00', txHash: null }
    const page = await open({ ...expired, paymentMode: 'contract', amountReceived: '0.00', refund })
    await waitUntil(() => page.text('.title') === 'Your payment came too late')
    expect(page.text()).to.include('25.00 USDC arrived.')
    expect(buttons(page)).not.to.include('Start again')
  })

  test('and still counts: says so, and offers nothing to pay', async () => {
    const page = await open({ ...expired, isFinal: false, amountReceived: '25.00' })
    expect(page.text('.title')).to.equal('Your payment came too late')
    expect(page.text()).to.include('It still counts. Please don’t pay again; this page updates by itself.')
    expect(buttons(page)).not.to.include('Start again')
  })

  test('after a cancelled payment: the money comes first', async () => {
    const page = await open({ outcome: 'failed', isFinal: true, amountReceived: '25.00' })
    expect(page.text('.title')).to.equal('Payment cancelled')
    expect(page.text()).to.include('25.00 USDC arrived').and.to.include('Please don’t pay again')
    expect(buttons(page)).not.to.include('Start again')
  })

  for (const state of ['sending', 'refunded'])
    test(`in full, and goes back to the customer: does not say that the shop can accept it (${state})`, async () => {
      const back = { state, message: '', address: '0x1', amount: '25.00', txHash: null }
      const amountRefunded = state === 'refunded' ? '25.00' : '0.00'
      const page = await open({ ...states['late'], refund: { ...back, amountRefunded } })
      expect(page.text()).not.to.include('Please don’t pay again')
      expect(page.text()).not.to.include('can accept or return it')
      expect(buttons(page)).to.include('Start again')
    })

  test('as the rest of what came in time: all of it is there', async () => {
    const page = await open({ ...states['late'], amountDetected: '5.00', amountRemaining: '20.00' })
    expect(page.text('.title')).to.equal('Your payment came too late')
    expect(page.text()).to.include('25.00 USDC arrived')
    expect(buttons(page)).not.to.include('Start again')
  })

  test('after a part of it went back: only the rest is there', async () => {
    const back = { state: 'address_needed', message: '', address: null, amount: '15.00', txHash: null }
    const page = await open({ ...states['late'], isFinal: false, refund: { ...back, amountRefunded: '10.00' } })
    expect(page.text()).to.include('15.00 USDC arrived, 10.00 USDC is missing.')
  })

  test('in part: says how much arrived and is missing, and a new payment is not the first button', async () => {
    const page = await open(states['expired, short'] ?? {})
    expect(page.text('.title')).to.equal('Only a part arrived in time')
    expect(page.text()).to.include('5.00 USDC arrived, 20.00 USDC is missing.')
    expect(buttons(page).at(-1)).to.equal('Start again')
    expect(page.find('.main:not(.quiet)')?.textContent?.trim()).to.equal('Continue')
  })
})

test('a half paid payment says first how much arrived, then how much is missing', async () => {
  const page = await open({ ...short, amount: '1250.00', amountRemaining: '1240.00' }, { amount: '1250.00' })
  const text = page.text()
  const arrived = text.indexOf('10.00 of 1,250.00 USDC received')
  const missing = text.indexOf('Still to send1,240.00')
  expect(arrived, text).to.be.greaterThan(0)
  expect(missing, text).to.be.greaterThan(arrived)
  expect(page.find<HTMLProgressElement>('progress')?.value).to.equal(10)
  await expect(page.element).to.be.accessible()
})

suite('an unknown payment', () => {
  for (const status of [404, 500])
    test(`says that there is no such payment: ${status}`, async () => {
      const body = { code: 'PAYMENT_NOT_FOUND', message: `There is no payment ${paymentId}.` }
      const page = await refused({ status, body }, { 'payment-id': paymentId })
      expect(page.text('.title')).to.equal('There is no such payment')
      expect(page.text()).to.include('ask the shop for a new one')
      expect(buttons(page)).to.deep.equal([])
      expect(page.emitted.at(-1)?.detail).to.include({ code: 'PAYMENT_NOT_FOUND', retryable: false })
      await expect(page.element).to.be.accessible()
    })
})

suite('a refusal of the service', () => {
  const headers = { 'X-Request-Id': 'req-7f3' }

  test('that is known is explained in the customer’s language, without the service’s English', async () => {
    const body = { code: 'TOO_MANY_OPEN_PAYMENTS', message: 'Too many payments are open.' }
    const page = await refused({ status: 403, body, headers }, { lang: 'de' })
    await waitUntil(() => page.text().includes('Zu viele Versuche'))
    expect(page.text()).not.to.include('Too many')
  })

  test('that is unknown has a general sentence, its code and the request’s id', async () => {
    const body = { code: 'NEW_REASON', message: 'The moon is in the way.' }
    const page = await refused({ status: 403, body, headers }, { lang: 'de' })
    await waitUntil(() => page.text().includes('NEW_REASON · req-7f3'))
    expect(page.text()).not.to.include('moon')
    expect(page.text()).to.include('Das hat nicht funktioniert.')
  })
})
