import { expect } from '@open-wc/testing'
import { CheckoutPage } from '../test/page.ts'
import { EmulatedService } from '../test/service.ts'
import { waitUntil } from '../test/wait-until.ts'

const minuteMs = 60_000

suite('the time left', () => {
  const realNow = performance.now
  let service: EmulatedService
  setup(() => {
    sessionStorage.clear()
    service = new EmulatedService()
  })
  teardown(() => {
    performance.now = realNow
    service.restore()
  })

  test('is announced at five minutes and at one, each once', async () => {
    const page = await CheckoutPage.open()
    await waitUntil(() => page.hasScreens)
    await page.element.updateComplete
    service.holdBack()
    const endsAtMs = performance.now() + 15 * minuteMs
    const announced: string[] = []
    for (const leftMs of [5.1, 4.9, 4.8, 1.1, 0.9, 0.5].map((minutes) => minutes * minuteMs)) {
      const region = page.find('[role=status]')
      if (region) region.textContent = ''
      performance.now = () => endsAtMs - leftMs
      page.element.requestUpdate()
      await page.element.updateComplete
      announced.push(page.text('[role=status]'))
    }
    expect(announced).to.deep.equal(['', '5 minutes left to pay.', '', '', '1 minute left to pay.', ''])
  })
})
