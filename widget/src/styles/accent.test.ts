import { expect } from '@open-wc/testing'
import { CheckoutPage } from '../test/page.ts'
import { EmulatedService, short } from '../test/service.ts'
import { waitUntil } from '../test/wait-until.ts'

let service: EmulatedService
setup(() => {
  sessionStorage.clear()
  service = new EmulatedService()
  service.payment = short
})
teardown(() => service.restore())

/** The pixel that a colour is drawn as. */
function pixelOf(colour: string): number[] {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('There is no canvas.')
  context.fillStyle = colour
  context.fillRect(0, 0, 1, 1)
  return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)]
}

/** WCAG 2.2's contrast ratio, 1 to 21. */
function contrast(one: string, other: string): number {
  const luminance = (colour: string) => {
    const [red = 0, green = 0, blue = 0] = pixelOf(colour).map((part) =>
      part <= 10 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

const readable = 4.5

for (const accent of ['#ffd400', '#00e0a0', '#ffffff', '#000000', '#e5007d', '#7a00ff'])
  for (const theme of ['light', 'dark'] as const)
    test(`text on and in the shop’s accent ${accent} is readable in ${theme}`, async () => {
      const page = await CheckoutPage.open({ 'order-id': `accent-${accent}-${theme}`, theme })
      page.element.style.setProperty('--sc-accent', accent)
      await waitUntil(() => page.hasScreens && page.find('.more button'))
      const styleOf = (selector: string) => getComputedStyle(page.find(selector) as Element)
      const main = styleOf('.main')
      expect(contrast(main.color, main.backgroundColor), 'on it').to.be.at.least(readable)
      const card = styleOf('.card').backgroundColor
      expect(contrast(styleOf('.more button').color, card), 'in it').to.be.at.least(readable)
    })
