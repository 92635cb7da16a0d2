import { expect } from '@open-wc/testing'
import { CheckoutPage } from './test/page.ts'
import { RecordedTimers } from './test/recorded-timers.ts'
import { EmulatedService, paid, seen, wireAnswer } from './test/service.ts'
import { EmulatedStream } from './test/streams.ts'
import { turnOfPage, waitUntil } from './test/wait-until.ts'

let service: EmulatedService
let count = 0
setup(() => {
  service = new EmulatedService()
})
teardown(() => {
  setHidden(false)
  for (const element of document.querySelectorAll('stablecoin-checkout')) element.remove()
  service.restore()
})

function setHidden(isHidden: boolean): void {
  Object.defineProperty(document, 'hidden', { configurable: true, value: isHidden })
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
}

/** The service repeats the same clock time, as a cached response does. */
async function open(): Promise<{ page: CheckoutPage; stream: EmulatedStream }> {
  const before = EmulatedStream.open.length
  const expiresAt = new Date(Date.now() + 900_000).toISOString()
  service.payment = { expiresAt, createdAt: '2026-11-21T12:00:00.000Z' }
  const page = await CheckoutPage.open({ 'order-id': `stream-${count++}` })
  await waitUntil(() => EmulatedStream.open.length > before)
  const stream = EmulatedStream.open.at(-1)
  if (!stream) throw new Error('no stream')
  return { page, stream }
}
const change = (over: object) => {
  service.payment = { ...service.payment, ...over }
  return wireAnswer(service.payment)
}

suite('the service’s event stream', () => {
  test('belongs to the payment on screen and triggers a poll', async () => {
    const { page, stream } = await open()
    expect(stream.url).to.equal(`https://pay.example/api/v1/payments/public/${page.element.payment?.id}/events`)
    stream.begin()
    const asked = service.reads.length
    stream.emit(wireAnswer(service.payment))
    // A poll would have started by then.
    await turnOfPage()
    expect(service.reads.length, 'what is on screen already is no change').to.equal(asked)
    stream.emit(change(seen))
    await waitUntil(() => page.text().includes('Payment detected'))
    expect(service.reads.length).to.equal(asked + 1)
  })

  test('is opened for no element that is gone when its screens have come, and for it once it is back', async () => {
    const opened = EmulatedStream.opened.length
    const page = await CheckoutPage.open({ 'order-id': `stream-${count++}` })
    const { parentElement } = page.element
    page.element.remove()
    await waitUntil(() => page.hasScreens, 'the screens have come')
    expect(EmulatedStream.opened.length).to.equal(opened)
    parentElement?.append(page.element)
    expect(EmulatedStream.open.length).to.equal(opened + 1)
  })

  test('a change reported during an older poll triggers one more poll', async () => {
    const { page, stream } = await open()
    stream.begin()
    const older = change({ amountDetected: '1.00' })
    service.more = () => {
      service.more = () => null
      return new Response(JSON.stringify(older))
    }
    const held = service.holdBack()
    stream.emit(older)
    stream.emit(change({ amountDetected: '2.00' }))
    held.answer()
    await waitUntil(() => page.text().includes('2.00 of 25.00 USDC received'))
  })

  test('a failed poll is repeated long before the next one is due', async () => {
    const { page, stream } = await open()
    stream.begin()
    service.fault = { status: 0 }
    const asked = service.reads.length
    stream.emit(change({ amountDetected: '1.00' }))
    await waitUntil(() => service.reads.length > asked)
    service.fault = null
    await waitUntil(() => page.text().includes('1.00 of 25.00 USDC received'))
  })

  test('is never shown: only poll responses are', async () => {
    const { page, stream } = await open()
    stream.begin()
    stream.emit(wireAnswer({ ...service.payment, ...paid }))
    stream.dispatchEvent(new MessageEvent('payment', { data: 'no JSON' }))
    await turnOfPage()
    expect(page.text('[part=status]')).to.equal('Waiting for your payment')
  })

  test('slows polling down, until the stream breaks', async () => {
    const timers = new RecordedTimers()
    try {
      const { page, stream } = await open()
      stream.begin()
      stream.emit(change({ amountDetected: '1.00' }))
      await page.pollUntilShown('1.00 of 25.00 USDC received')
      await waitUntil(() => timers.waitsMs.includes(30_000), 'the next poll is far')
      expect(timers.waitsMs).not.to.include(3000)
      const asked = service.reads.length
      stream.breakOff()
      await waitUntil(() => service.reads.length === asked + 1)
      await waitUntil(() => timers.waitsMs.includes(3000), 'the next poll is near')
      expect(timers.waitsMs).not.to.include(30_000)
      timers.run(3000)
      await waitUntil(() => service.reads.length === asked + 2)
    } finally {
      timers.restore()
    }
  })

  test('pauses while the page is hidden, and ends with the payment and with the element', async () => {
    const { page, stream } = await open()
    setHidden(true)
    expect(stream.isClosed).to.equal(true)
    expect(EmulatedStream.open.length).to.equal(0)
    setHidden(false)
    const [again] = EmulatedStream.open
    expect(again?.url).to.equal(stream.url)
    change(paid)
    await page.pollUntilShown('has received the money')
    expect(again?.isClosed, 'nothing more will change').to.equal(true)

    const other = await open()
    other.page.element.remove()
    expect(other.stream.isClosed).to.equal(true)
    setHidden(false)
    expect(EmulatedStream.open.length, 'nothing is left of a removed element').to.equal(0)
    document.body.append(other.page.element)
    await waitUntil(() => EmulatedStream.open.length === 1)
  })

  test('is limited to two per page; other elements poll', async () => {
    await open()
    await open()
    const third = await CheckoutPage.open({ 'order-id': `stream-${count++}` })
    service.payment = seen
    await third.pollUntilShown('Payment detected')
    expect(EmulatedStream.open.length).to.equal(2)
  })

  test('a browser without event streams polls', async () => {
    const stub = globalThis.EventSource
    Reflect.deleteProperty(globalThis, 'EventSource')
    const page = await CheckoutPage.open({ 'order-id': `stream-${count++}` })
    service.payment = seen
    await page.pollUntilShown('Payment detected')
    Object.assign(globalThis, { EventSource: stub })
  })
})
