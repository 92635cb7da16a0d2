import { expect } from '@open-wc/testing'
import { CheckoutPage } from '../test/page.ts'
import { EmulatedService, wirePayment } from '../test/service.ts'
import { waitUntil } from '../test/wait-until.ts'

const picture = (name: string) => `${location.origin}/logos/${name}.svg`
const { Token, Network } = wirePayment() as { Token: object; Network: object }
let service: EmulatedService
let count = 0
setup(() => {
  service = new EmulatedService()
})
teardown(() => service.restore())
const open = (payment: object = {}) => {
  service.payment = { ...payment }
  return CheckoutPage.open({ 'order-id': `logo-${count++}` })
}
const sources = (page: CheckoutPage) => [...page.element.renderRoot.querySelectorAll('img')].map(({ src }) => src)

suite('logos', () => {
  test('of token and network are beside the amount, hidden from screen readers', async () => {
    const page = await open({
      Token: { ...Token, logo: picture('usdc') },
      Network: { ...Network, logo: picture('base') },
    })
    expect(sources(page)).to.deep.equal([picture('usdc'), picture('base')])
    expect(page.find('.logo')?.getAttribute('aria-hidden')).to.equal('true')
    expect(page.text('[part=amount]')).to.equal('25.00 USDC')
    expect(page.element.payment?.logo).to.deep.equal({ token: picture('usdc'), network: picture('base') })
    await expect(page.element).to.be.accessible()
  })

  test('leave no gap when they fail to load', async () => {
    const page = await open({ Token: { ...Token, logo: picture('nowhere') } })
    await waitUntil(() => page.find('img')?.hidden)
    expect(getComputedStyle(page.find('img') as Element).display).to.equal('none')
  })

  test('are omitted when the service has none, and when their URL is not http or https', async () => {
    expect(sources(await open())).to.deep.equal([])
    expect(sources(await open({ Token: { ...Token, logo: 'javascript:alert(1)' } }))).to.deep.equal([])
  })
})
