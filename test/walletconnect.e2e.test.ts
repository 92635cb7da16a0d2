import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { openBrowser } from './harness/browser.ts'
import { openStorefront } from './harness/storefront.ts'
import { openStory } from './harness/story.ts'
import { openPhoneWallet, openRelayServer } from './harness/walletconnect.ts'

const story = await openStory('walletconnect', { keepsPort: true })
const { bff, chain, devnet, openTill } = story
const shop = await openStorefront(story)
const browser = await openBrowser()
const [here] = devnet.networks
const relay = await openRelayServer()
const phone = await openPhoneWallet(relay.url, devnet.customer.privateKey, here)
afterAll(async () => {
  await phone.close()
  await relay.close()
})

const projectId = '0123456789abcdef0123456789abcdef'
/** Hosts of Reown's that AppKit asks for its list of wallets and the like; nobody answers here. */
const reown =
  /https:\/\/[\w.]*(walletconnect|web3modal|reown)\.(org|com)|Failed to load resource|Reown|AppKit|Lit is in dev mode/

/** The code on screen, as a telephone reads it. AppKit keeps it in the component that draws it. */
const codeOf = (page: Page) =>
  page.evaluate(() => {
    const find = (root: ParentNode): string => {
      for (const element of root.querySelectorAll('*')) {
        const { uri } = element as unknown as { uri?: unknown }
        if (element.localName === 'wui-qr-code' && typeof uri === 'string') return uri
        const found = element.shadowRoot ? find(element.shadowRoot) : ''
        if (found) return found
      }
      return ''
    }
    return find(document)
  })

test('a customer scans the code with a wallet on a telephone, which signs and pays what is on screen', () =>
  browser.visit(
    { url: shop.url, origins: [shop.url, bff.url(), here.rpcUrl], tolerated: reown },
    async ({ page, press, reads, title, orderId }) => {
      await relay.takeOver(page)
      await page.route(/(walletconnect|web3modal|reown)\.(org|com)/, (route) =>
        route.fulfill({ status: 503, body: '{}' }),
      )
      const earned = await openTill()
      await reads('Waiting for your payment')
      await page.locator('stablecoin-checkout').evaluate((element, id) => {
        element.setAttribute('walletconnect-project-id', id)
      }, projectId)
      await press('Pay with wallet')
      await press('WalletConnect')
      await expect.poll(() => codeOf(page), { timeout: 60_000 }).toMatch(/^wc:/)
      await phone.scan(await codeOf(page))
      await expect.poll(() => phone.asked.map(({ method }) => method)).toContain('eth_sendTransaction')
      const sql = "select id from payments where order_id = ? and mode = 'contract' and closed_as is null"
      const [payment] = bff.query<{ id: string }>(sql, orderId())
      await bff.shows(payment?.id ?? '', { amountDetected: '25.00' })
      await chain.mine(2)
      await expect.poll(title).toBe('Paid')
      expect(await earned()).toEqual({ merchant: '24.625', platform: '0.375' })
      expect(phone.asked.map(({ method }) => method)).toEqual(['eth_signTypedData_v4', 'eth_sendTransaction'])
      expect(phone.proposals[0]?.methods).toContain('wallet_sendCalls')
    },
  ))
