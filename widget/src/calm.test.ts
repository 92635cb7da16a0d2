import { expect } from '@open-wc/testing'
import { CheckoutPage } from './test/page.ts'
import { RecordedTimers } from './test/recorded-timers.ts'
import { EmulatedService, paid } from './test/service.ts'
import { states } from './test/states.ts'
import { waitUntil } from './test/wait-until.ts'

let service: EmulatedService
let count = 0
const open = (attributes: Record<string, string> = {}) =>
  CheckoutPage.open({ 'order-id': `calm-${count++}`, ...attributes })
setup(() => {
  sessionStorage.clear()
  service = new EmulatedService()
})
teardown(() => service.restore())

/** Runs `during` and returns the waits of the element's timers that are still pending afterwards, in milliseconds. */
async function timersLeft(during: () => Promise<void>): Promise<number[]> {
  const timers = new RecordedTimers()
  try {
    await during()
    expect(timers.count, 'the element has set some').to.be.greaterThan(0)
    return timers.waitsMs
  } finally {
    timers.restore()
  }
}

suite('an element that is removed from the page', () => {
  for (const name of ['waiting', 'short', 'confirming', 'too much', 'expired', 'test'])
    test(`leaves no timer (${name})`, async () => {
      service.payment = states[name] ?? {}
      const left = await timersLeft(async () => {
        const page = await open()
        await waitUntil(() => page.hasScreens, 'the screens have come')
        page.find('[data-copy]')?.click()
        await page.element.updateComplete
        page.element.remove()
        const asked = service.asked.length
        window.dispatchEvent(new Event('focus'))
        await page.element.updateComplete
        expect(service.asked.length).to.equal(asked)
      })
      expect(left).to.deep.equal([])
    })

  test('leaves no timer when removed while it asks where a bridge leads from', async () => {
    service.payment = states['waiting'] ?? {}
    const left = await timersLeft(async () => {
      service.more = (_, path) => (path.endsWith('/sources') ? new Promise<Response>(() => {}) : null)
      const page = await open()
      await waitUntil(() => service.asked.some(({ url }) => url.endsWith('/sources')))
      page.element.remove()
    })
    expect(left).to.deep.equal([])
  })

  test('leaves no timer when removed before its first frame', async () => {
    const { requestAnimationFrame } = window
    const frames: FrameRequestCallback[] = []
    try {
      const left = await timersLeft(async () => {
        const page = await CheckoutPage.place({ 'order-id': 'calm-frame' })
        window.requestAnimationFrame = (run) => frames.push(run)
        await waitUntil(() => frames.length > 0, 'the payment is about to be drawn')
        page.element.remove()
        for (const run of frames.splice(0)) run(performance.now())
      })
      expect(left).to.deep.equal([])
    } finally {
      window.requestAnimationFrame = requestAnimationFrame
    }
  })
})

suite('accessibility', () => {
  test('focus moves through the first screen in reading order', async () => {
    const page = await open()
    await waitUntil(() => page.find('.more button') && page.find('[type=radio]'))
    const stops = [...page.element.renderRoot.querySelectorAll<HTMLElement>('button, a, input, select')]
    for (const stop of stops) expect(stop.tabIndex, stop.outerHTML).to.equal(0)
    const tops = stops.map((stop) => Math.round(stop.getBoundingClientRect().top))
    expect(tops).to.deep.equal([...tops].sort((one, other) => one - other))
  })

  test('every control is at least 24 px high, main controls at least 44 px', async () => {
    for (const name of ['waiting', 'too much']) {
      service.payment = states[name] ?? {}
      const page = await open()
      await waitUntil(() => page.hasScreens && page.find(name === 'waiting' ? '.more button' : 'form'))
      for (const button of page.element.renderRoot.querySelectorAll('button'))
        expect(button.offsetHeight, button.textContent ?? '').to.be.at.least(44)
    }
  })

  test('nothing is cut off at 200 % zoom and at 320 px', async () => {
    for (const name of Object.keys(states)) {
      service.payment = states[name] ?? {}
      const page = await open()
      await waitUntil(() => page.hasScreens)
      const card = page.find('.card')
      for (const [zoom, width] of [
        ['1', '320px'],
        ['2', '320px'],
      ] as const) {
        page.element.style.setProperty('zoom', zoom)
        page.element.style.width = width
        expect(card?.scrollWidth, `${name} at ${zoom}`).to.be.at.most(card?.clientWidth ?? 0)
      }
    }
  })

  test('animations respect reduced motion, and the QR code keeps its colours in forced-colours mode', async () => {
    const page = await open()
    await waitUntil(() => page.hasScreens)
    const rules = page.element.renderRoot.adoptedStyleSheets.flatMap(({ cssRules }) => [...cssRules])
    const moving = rules.filter((rule) => rule.cssText.includes('animation:'))
    expect(moving.length).to.be.greaterThan(0)
    for (const rule of moving) expect(rule.cssText).to.match(/^@media \(prefers-reduced-motion: no-preference\)/)
    expect(getComputedStyle(page.find('[part=qr]') as Element).forcedColorAdjust).to.equal('none')
  })

  test('the live region exists before its first message and announces each state once', async () => {
    const page = await open()
    const region = page.find('[role=status]')
    const heard: string[] = []
    const watcher = new MutationObserver(() => heard.push(region?.textContent ?? ''))
    if (region) watcher.observe(region, { childList: true, characterData: true, subtree: true })
    service.payment = paid
    await page.pollUntilShown('has received the money')
    await waitUntil(() => heard.length > 0)
    await page.pollUntil(() => service.reads.length > 2 || heard.length > 1 || !page.find('.skeleton'))
    watcher.disconnect()
    expect(page.find('[role=status]')).to.equal(region)
    expect(heard).to.deep.equal(['Paid'])
  })
})
