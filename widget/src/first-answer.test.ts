import { expect, nextFrame } from '@open-wc/testing'
import { waitUntil } from './test/wait-until.ts'
import './stablecoin-checkout.ts'
import { address, EmulatedService, paymentId, short, wireAnswer } from './test/service.ts'

const money = { amount: '25.00', currency: 'USDC', network: 'devnet' }
const terms = { 'api-base': 'https://pay.example', ...money }

suite('the first response', () => {
  let service: EmulatedService
  let element: HTMLElementTagNameMap['stablecoin-checkout']
  setup(() => {
    sessionStorage.clear()
    service = new EmulatedService()
    element = document.createElement('stablecoin-checkout')
  })
  teardown(() => {
    element.remove()
    service.restore()
  })

  /**
   * Puts the tag on the page.
   * @returns what it shows immediately.
   */
  async function place(attributes: Record<string, string>, json?: object): Promise<string> {
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
    if (json) {
      const script = Object.assign(document.createElement('script'), { type: 'application/json' })
      script.textContent = JSON.stringify(json)
      element.append(script)
    }
    document.body.append(element)
    await element.updateComplete
    return shown()
  }
  const shown = () =>
    (element.renderRoot.querySelector('[part=address]:not([inert] *)')?.textContent ?? '').replace(/\s/g, '')
  const follow = { 'api-base': 'https://pay.example', 'payment-id': paymentId }

  test('embedded in the page is shown without a request, and the service is polled at once', async () => {
    service.payment = short
    expect(await place(follow, wireAnswer())).to.equal(address)
    expect(service.asked.length).to.equal(0)
    await waitUntil(() => element.payment?.outcome === 'pending' && element.payment.received === '10.00')
    expect(service.reads.length).to.equal(1)
  })

  test('embedded for another payment, or invalid, is ignored and the service is asked', async () => {
    const id = '5d1cf0a2-8a0b-4c1e-9b77-6f1f0f6f3c11'
    for (const other of [wireAnswer({ id }), { ...wireAnswer(), payment: { id: paymentId } }]) {
      element = document.createElement('stablecoin-checkout')
      expect(await place(follow, other)).to.equal('')
      await waitUntil(() => shown() === address)
      element.remove()
    }
  })

  test('to an early create is shown in the first frame, and used once', async () => {
    const identity = JSON.stringify(['https://pay.example', 'pk_live_a', { ...money, orderId: 'early' }])
    const received = Promise.resolve({ response: new Response(), text: JSON.stringify(wireAnswer()) })
    Object.assign(element, { earlyCreate: { identity, key: 'k1', received } })
    await place({ ...terms, 'public-key': 'pk_live_a', 'order-id': 'early' })
    await nextFrame()
    expect(shown()).to.equal(address)
    expect(service.creates.length).to.equal(0)
    element.restart()
    await waitUntil(() => service.creates.length === 1)
    expect(service.creates[0]?.headers.get('Idempotency-Key')).not.to.equal('k1')
  })

  test('to an early create with other terms is ignored', async () => {
    const received = Promise.resolve({ response: new Response(), text: '{}' })
    Object.assign(element, { earlyCreate: { identity: 'other', key: 'k1', received } })
    await place({ ...terms, 'public-key': 'pk_live_a', 'order-id': 'late' })
    await waitUntil(() => shown() === address)
    expect(service.creates[0]?.headers.get('Idempotency-Key')).to.match(/^[0-9a-f]{32}$/)
  })
})
