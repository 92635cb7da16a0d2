import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { openBrowser } from './harness/browser.ts'
import { openPages, pageOf } from './harness/page-server.ts'
import { openStory } from './harness/story.ts'
import { openPhoneWallet, openRelayServer } from './harness/walletconnect.ts'

const story = await openStory('walletconnect')
const { bff, chain, devnet, openTill } = story
const browser = await openBrowser()
const [here] = devnet.networks
const relay = await openRelayServer()
const phone = await openPhoneWallet(relay.url, devnet.customer.privateKey, here)
afterAll(async () => {
  await phone.close()
  await relay.close()
})

/** What a shop's page that offers WalletConnect has to allow beside the service: widget/README.md, "WalletConnect". */
const policy = [
  "default-src 'none'",
  `script-src ${bff.url()}`,
  "style-src 'unsafe-inline'",
  `img-src ${bff.url()} data: blob:`,
  'font-src https://fonts.reown.com',
  'frame-src https://verify.walletconnect.org',
  `connect-src ${bff.url()} ${here.rpcUrl} https://api.web3modal.org https://pulse.walletconnect.org https://rpc.walletconnect.org wss://relay.walletconnect.org`,
  "require-trusted-types-for 'script'",
  "trusted-types lit-html 'allow-duplicates'",
].join('; ')

const tag = `<stablecoin-checkout api-base="${bff.url()}" public-key="${bff.merchant.publicKey}" amount="25.00" currency="USDC"
  network="${here.shortName}" order-id="walletconnect" walletconnect-project-id="0123456789abcdef0123456789abcdef"></stablecoin-checkout>`
const script = `<script type="module" src="${bff.url()}/stablecoin-checkout.js"></script>`
const page = { body: pageOf(script, tag), headers: { 'Content-Security-Policy': policy } }
const shop = await openPages(new Map([['/', page]]))

/** Reown's hosts, which nobody answers for here, and what AppKit says about that. */
const reown = /(walletconnect|web3modal|reown)\.(org|com)|Failed to load resource|\[Reown|\{context: client\}/

/** The code on screen, as a phone reads it. AppKit keeps it in the component that draws it. */
const codeOf = (page: Page) =>
  page.evaluate(() => {
    const roots: ParentNode[] = [document]
    for (const root of roots)
      for (const element of root.querySelectorAll('*')) {
        const { uri } = element as unknown as { uri?: unknown }
        if (element.localName === 'wui-qr-code' && typeof uri === 'string') return uri
        if (element.shadowRoot) roots.push(element.shadowRoot)
      }
    return ''
  })

test('a customer scans the code with a wallet on a phone, which signs and pays what is on screen', () =>
  browser.visit(
    { url: shop, origins: [shop, bff.url(), here.rpcUrl], tolerated: reown },
    async ({ page, press, reads, title }) => {
      await relay.takeOver(page)
      await page.route(reown, (route) => route.fulfill({ status: 503, body: '{}' }))
      const earned = await openTill()
      await reads('Waiting for your payment')
      await press('Pay with wallet')
      await press('WalletConnect')
      await expect.poll(() => codeOf(page)).toMatch(/^wc:/)
      await phone.scan(await codeOf(page))
      await expect.poll(() => phone.asked.map(({ method }) => method)).toContain('eth_sendTransaction')
      const sql = "select id from payments where order_id = 'walletconnect' and mode = 'contract' and closed_as is null"
      const [payment] = bff.query<{ id: string }>(sql)
      await bff.shows(payment?.id ?? '', { amountDetected: '25.00' })
      await chain.mine(2)
      await expect.poll(title).toBe('Paid')
      expect(await earned()).toEqual({ merchant: '24.625', platform: '0.375' })
      expect(phone.asked.map(({ method }) => method)).toEqual([
        ...['wallet_getCapabilities', 'eth_signTypedData_v4', 'eth_sendTransaction'],
      ])
      expect(phone.proposals[0]?.methods).toContain('wallet_sendCalls')
    },
  ))
