import { expect } from '@open-wc/testing'
import { CheckoutPage } from './test/page.ts'
import { address, EmulatedService, paid, paymentId, seen, short, type Wire } from './test/service.ts'
import { states } from './test/states.ts'
import { waitUntil } from './test/wait-until.ts'

let service: EmulatedService
let count = 0
const open = (payment: Wire = {}, attributes: Record<string, string> = {}) => {
  service.payment = payment
  return CheckoutPage.open({ 'order-id': `screen-${count++}`, ...attributes })
}
setup(() => {
  service = new EmulatedService()
})
teardown(() => service.restore())

suite('every screen is accessible in light and dark', () => {
  const screens: Record<string, () => Promise<CheckoutPage>> = {
    waiting: () => open(),
    'the payment link': async () => {
      const page = await open()
      await waitUntil(() => page.find('[type=radio]'))
      page.element.renderRoot.querySelectorAll<HTMLInputElement>('[type=radio]')[1]?.click()
      await page.element.updateComplete
      return page
    },
    copied: async () => {
      const page = await open()
      await page.press('Copy')
      return page
    },
    'a refund address, refused': async () => {
      const page = await open(states['too much'])
      await waitUntil(() => page.find('form'))
      await page.press('Continue')
      return page
    },
    'a refund address, read again': async () => {
      const page = await open(states['too much'])
      await waitUntil(() => page.find('form'))
      const input = page.find<HTMLInputElement>('form input')
      if (input) input.value = address
      input?.dispatchEvent(new Event('input'))
      await page.press('Continue')
      return page
    },
    'the last minute': () => open({ expiresAt: new Date(Date.now() + 30_000).toISOString() }),
    'time is up': () => open({ expiresAt: new Date(Date.now() - 1000).toISOString() }),
    misconfigured: () => open({}, { amount: 'x', 'public-key': 'sk_live' }),
    refused: () => {
      service.fault = { status: 401, body: { error: 'Unauthorized' } }
      return open()
    },
    unreachable: () => {
      service.fault = { status: 0 }
      return open()
    },
    'the banner': async () => {
      const page = await open()
      service.fault = { status: 503 }
      await page.pollUntilShown('No connection')
      return page
    },
  }
  for (const [name, payment] of Object.entries(states))
    screens[name] = async () => {
      const page = await open(payment)
      await waitUntil(() => page.hasScreens)
      return page
    }
  for (const [name, show] of Object.entries(screens))
    test(name, async () => {
      const page = await show()
      for (const [theme, ground] of [
        ['light', '#fff'],
        ['dark', '#111'],
      ] as const) {
        page.element.theme = theme
        document.body.style.background = ground
        await page.element.updateComplete
        await expect(page.element).to.be.accessible()
      }
      document.body.style.background = ''
    })
})

suite('the deposit screen', () => {
  test('shows amount, address, network and the time left', async () => {
    const page = await open()
    expect(page.text('[part=amount]')).to.equal('25.00 USDC')
    expect(page.text('[part=address]')).to.equal(address)
    expect(page.text('[part=countdown]')).to.match(/Time left to pay 1[45]:\d\d/)
    expect(page.text()).to.include('Pay Moss & Fern').and.to.include('Send only USDC on Devnet.')
  })

  test('the skeleton has the screen’s height, so that the page’s layout does not shift', async () => {
    const { answer } = service.holdBack()
    const opening = open()
    await waitUntil(() => document.querySelector('stablecoin-checkout')?.renderRoot.querySelector('.skeleton'))
    const heightBefore = document.querySelector('stablecoin-checkout')?.offsetHeight
    answer()
    const page = await opening
    expect(page.text('[part=address]')).to.equal(address)
    expect(page.element.offsetHeight).to.equal(heightBefore)
  })

  test('the QR code holds the plain address until the payment link is chosen, by keyboard too', async () => {
    const page = await open()
    const label = () => page.find('[part=qr]')?.getAttribute('aria-label')
    expect(label()).to.equal('QR code of the deposit address')
    await waitUntil(() => page.find('[type=radio]'))
    const [plain, link] = page.element.renderRoot.querySelectorAll<HTMLInputElement>('[type=radio]')
    plain?.focus()
    expect(page.element.renderRoot.activeElement).to.equal(plain)
    link?.click()
    await page.element.updateComplete
    expect(label()).to.equal('QR code of a payment link')
    expect(page.text()).to.include('EIP-681')
  })

  test('copies the exact text, confirms it, and shows the last six characters', async () => {
    const taken: string[] = []
    const page = await open(short)
    Object.defineProperty(navigator, 'clipboard', {
      configurable: true,
      value: { writeText: async (text: string) => void taken.push(text) },
    })
    page.find('[data-copy=address]')?.click()
    await waitUntil(() => page.text('[data-copy=address]') === 'Copied')
    expect(page.text()).to.include(`ends in ${address.slice(-6)}`)
    expect(page.text('[role=status]')).to.include(address.slice(-6))
    page.find('[data-copy=amount]')?.click()
    await waitUntil(() => page.text('[data-copy=amount]') === 'Copied')
    expect(taken).to.deep.equal([address, '15.00'])
  })

  test('without a clipboard the address is selected', async () => {
    const page = await open()
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: undefined })
    page.find('[data-copy=address]')?.click()
    await waitUntil(() => page.text().includes('Ctrl+C'))
    expect(page.text('[data-copy=address]')).to.equal('Copy')
  })

  test('the selected address contains no spaces', async () => {
    const page = await open()
    expect(page.find('[part=address]')?.textContent?.trim()).to.equal(address)
    expect(getComputedStyle(page.find('[part=address] span') as Element).marginInlineEnd).not.to.equal('0px')
  })

  test('when the countdown ends, the address is removed and the service is polled', async () => {
    const page = await open({ expiresAt: new Date(Date.now() + 300).toISOString() })
    const before = service.reads.length
    await waitUntil(() => page.text('[part=status]') === 'Time is up')
    expect(page.find('[part=address]')).to.equal(null)
    expect(page.text()).to.include('Checking for your payment').and.to.include(paymentId)
    await waitUntil(() => service.reads.length > before)
  })

  test('focus stays in the card when the screen changes', async () => {
    const page = await open()
    page.find('[data-copy=address]')?.focus()
    service.payment = paid
    await page.pollUntilShown('has received the money')
    expect(page.element.renderRoot.activeElement?.textContent).to.equal('Paid')
  })

  test('a screen reader hears each new state and no ticking', async () => {
    const page = await open()
    const heard = () => page.text('[role=status]')
    expect(heard()).to.equal('Waiting for your payment')
    expect(page.find('[role=timer]')?.getAttribute('aria-live')).to.equal('off')
    service.payment = short
    await page.pollUntilShown('Still to send')
    expect(heard()).to.equal('Send 15.00 USDC more to the same address. What you already sent counts.')
    service.payment = paid
    await page.pollUntilShown('has received the money')
    expect(heard()).to.equal('Paid')
  })
})

suite('untrusted text', () => {
  test('names never become markup, and links have only web URLs', async () => {
    const page = await open({
      ...seen,
      Merchant: { businessName: '<img src=x onerror=alert(1)>' },
      explorer: { transaction: 'javascript:alert(1)', address: null },
    })
    expect(page.find('img')).to.equal(null)
    expect(page.find('a')).to.equal(null)
    expect(page.text()).to.include('<img src=x')
  })

  test('no element has a style attribute, which a strict CSP would refuse', async () => {
    const page = await open()
    expect(page.find('[style]')).to.equal(null)
  })
})

suite('the tag', () => {
  test('an invalid tag reports each attribute with its rule and sends no request', async () => {
    const page = await open({}, { amount: '0', network: 'de vnet' })
    await waitUntil(() => page.text().includes('a decimal number above 0'), 'the rules have come')
    expect(page.text()).to.include('amount').and.to.include('network')
    expect(service.asked).to.deep.equal([])
    page.element.amount = '25.00'
    page.element.network = 'devnet'
    await waitUntil(() => page.find('[part=address]'))
  })

  test('properties set before the script is loaded are kept', async () => {
    const early = document.createElement('stablecoin-later')
    Object.assign(early, {
      apiBase: 'https://pay.example',
      publicKey: 'pk_live_a',
      network: 'devnet',
      currency: 'USDC',
    })
    Object.assign(early, { amount: '25.00', metadata: { early: true }, orderId: 'early' })
    document.body.append(early)
    const { StablecoinCheckout } = await import('./stablecoin-checkout.ts')
    customElements.define('stablecoin-later', class extends StablecoinCheckout {})
    await waitUntil(() => service.creates.length === 1)
    expect(service.creates[0]?.body).to.deep.include({ amount: '25.00', metadata: { early: true }, orderId: 'early' })
    early.remove()
  })
})
