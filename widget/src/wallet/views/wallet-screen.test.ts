import { expect } from '@open-wc/testing'
import { RpcError } from '../../test/chain.ts'
import type { CheckoutPage } from '../../test/page.ts'
import { waitUntil } from '../../test/wait-until.ts'
import { shown, WalletStage } from '../../test/wallet-stage.ts'
import { paymentId } from '../../test/wire.ts'

let stage: WalletStage
setup(() => {
  stage = new WalletStage()
})
teardown(() => stage.strike())

const send = 'eth_sendTransaction'
const permit = () => stage.chain.allowances.set(stage.wallet.account, 25_000_000n)

suite('every wallet screen is accessible in light and dark, and fits a narrow phone', () => {
  const screens: Record<string, () => Promise<CheckoutPage>> = {
    choosing: async () => {
      const page = await stage.open({ 'walletconnect-project-id': 'project' })
      await page.press('Pay with wallet')
      await shown(page, 'WalletConnect')
      return page
    },
    'no wallet': async () => {
      stage.wallet.remove()
      const page = await stage.open()
      await page.press('Pay with wallet')
      await shown(page, 'No wallet found')
      return page
    },
    asking: async () => {
      stage.wallet.held.add(send)
      const page = await stage.pay()
      await shown(page, 'I don’t see a request')
      return page
    },
    sent: async () => {
      permit()
      stage.chain.isMining = false
      const page = await stage.pay()
      await shown(page, 'Payment sent')
      return page
    },
    refused: async () => {
      permit()
      stage.wallet.faults.push({ method: send, error: new RpcError(4200, 'x'.repeat(400)) })
      const page = await stage.pay()
      await shown(page, 'Your wallet couldn’t do this')
      return page
    },
    'no fee': async () => {
      stage.chain.coins = 0n
      const page = await stage.pay()
      await shown(page, 'Not enough ETH')
      return page
    },
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
      page.element.style.width = '320px'
      const card = page.find('.card')
      expect(card?.scrollWidth, 'nothing sticks out').to.be.at.most(card?.clientWidth ?? 0)
      expect(page.find('[style]'), 'a strict page refuses style attributes').to.equal(null)
      stage.wallet.release()
    })
})

test('the amount that a wallet is asked for is shown beside its price', async () => {
  stage.wallet.held.add(send)
  const priced = { price: '23.00', priceCurrency: 'EUR', rate: '0.92', rateAt: '2026-11-21T12:00:00.000Z' }
  stage.service.payment = { ...stage.service.payment, ...priced }
  stage.contract = priced
  const page = await stage.pay({ amount: '', price: '23', 'price-currency': 'EUR' })
  await shown(page, 'Permit')
  expect(page.text('[part=price]')).to.include('€23.00 = 25.00 USDC, rate at')
  expect(stage.posts('payments/create')[0]?.body).to.include({ price: '23', priceCurrency: 'EUR' })
  expect(stage.posts('payments/create')[0]?.body).not.to.have.property('amount')
  await expect(page.element).to.be.accessible()
  stage.wallet.release()
})

test('on a phone without a wallet, links open the same payment inside one', async () => {
  stage.wallet.remove()
  const { matchMedia } = window
  Object.defineProperty(navigator, 'maxTouchPoints', { configurable: true, value: 5 })
  window.matchMedia = (query) =>
    query === '(pointer: coarse)' ? { ...matchMedia(query), matches: true } : matchMedia(query)
  const page = await stage.open()
  await page.press('Pay with wallet')
  await shown(page, 'Open this payment in your wallet')
  const [metaMask] = page.element.renderRoot.querySelectorAll('a')
  expect(metaMask?.href).to.equal(`https://link.metamask.io/dapp/pay.example/pay/${paymentId}`)
  await expect(page.element).to.be.accessible()
  window.matchMedia = matchMedia
  Reflect.deleteProperty(navigator, 'maxTouchPoints')
})

test('on a computer without a wallet, the button leads to wallets to install and back to the QR code', async () => {
  stage.wallet.remove()
  const page = await stage.open()
  await page.press('Pay with wallet')
  await shown(page, 'No wallet found in this browser')
  expect(page.text()).to.include('scan the QR code with a wallet on your phone')
  const sites = [...page.element.renderRoot.querySelectorAll<HTMLAnchorElement>('.links a')]
  expect(sites.map(({ hostname }) => hostname)).to.deep.equal(['metamask.io', 'rabby.io', 'www.coinbase.com'])
  expect(sites.every(({ target, rel }) => target === '_blank' && rel === 'noopener noreferrer')).to.equal(true)
  await page.press('Pay to an address instead')
  expect(page.find('[part=address]'), 'the QR code and address again').not.to.equal(null)
})

test('names and errors of wallets never become markup, and an icon is only an image', async () => {
  window.addEventListener('eip6963:requestProvider', announceEvil, { once: true })
  const page = await stage.open()
  await page.press('Pay with wallet')
  await waitUntil(() => page.text().includes('<img'))
  expect(page.text()).to.include('<img src=x onerror=alert(1)>')
  expect([...page.element.renderRoot.querySelectorAll('img')].map(({ src }) => src)).to.deep.equal([
    'data:image/svg+xml,<svg/>',
  ])
})

function announceEvil(): void {
  const info = { uuid: 'evil', name: '<img src=x onerror=alert(1)>', icon: 'https://evil.example/x.png', rdns: 'evil' }
  const provider = { request: async () => null }
  window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info, provider } }))
}
