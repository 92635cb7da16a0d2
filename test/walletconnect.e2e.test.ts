import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { openBrowser, type Visit } from './harness/browser.ts'
import { openPages, pageOf } from './harness/page-server.ts'
import { openStory } from './harness/story.ts'
import { patientSettings } from './harness/wallet.ts'
import { openPhoneWallet, openRelayServer } from './harness/walletconnect.ts'

const walletconnectProjectId = '0123456789abcdef0123456789abcdef'
const story = await openStory('walletconnect', { settings: { walletconnectProjectId, ...patientSettings } })
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
  network="${here.shortName}" order-id="walletconnect" walletconnect-project-id="${walletconnectProjectId}"></stablecoin-checkout>`
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

/** The customer picks WalletConnect in the list of wallets and points a phone at the code, which pays what is on screen. */
async function payByPhone({ page, press, title }: Visit, paymentId: () => Promise<string> | string): Promise<void> {
  const earned = await openTill()
  phone.asked.length = 0
  await press('WalletConnect')
  await expect.poll(() => codeOf(page)).toMatch(/^wc:/)
  await phone.scan(await codeOf(page))
  await expect.poll(() => phone.asked.map(({ method }) => method)).toContain('eth_sendTransaction')
  await bff.shows(await paymentId(), { amountDetected: '25.00' })
  await chain.mine(2)
  await expect.poll(title).toBe('Paid')
  expect(await earned()).toEqual({ merchant: '24.625', platform: '0.375' })
  expect(phone.asked.map(({ method }) => method)).toEqual([
    ...['wallet_getCapabilities', 'eth_signTypedData_v4', 'eth_sendTransaction'],
  ])
  expect(phone.proposals[0]?.methods).toContain('wallet_sendCalls')
}

/** What WalletConnect's frame says of the page to whoever has it open, in place of Reown's: unsigned, so no wallet believes it. */
const attest = `<script>
  const payload = btoa(JSON.stringify({ id: new URLSearchParams(location.search).get('id') }))
  parent.postMessage(JSON.stringify({ type: 'verify_attestation', attestation: btoa('{}') + '.' + payload + '.' }), '*')
</script>`

/** A page that reaches our relay in place of WalletConnect's, and nothing of Reown's. */
const throughRelay = (url: string, origins: string[], use: (customer: Visit) => Promise<void>) =>
  browser.visit(
    {
      url,
      origins: [...origins, bff.url(), here.rpcUrl],
      tolerated: reown,
      async prepare(page) {
        await relay.takeOver(page)
        await page.route(reown, (route) => route.fulfill({ status: 503, body: '{}' }))
        await page.route('https://verify.walletconnect.org/**', (route) =>
          route.fulfill({ contentType: 'text/html', body: attest }),
        )
      },
    },
    use,
  )

test('a customer of a shop scans the code with a wallet on a phone, which signs and pays what is on screen', () =>
  throughRelay(shop, [shop], async (customer) => {
    await customer.reads('Waiting for your payment')
    await customer.press('Pay with wallet')
    const sql = "select id from payments where order_id = 'walletconnect' and mode = 'contract' and closed_as is null"
    await payByPhone(customer, async () => (await bff.query<{ id: string }>(sql))[0]?.id ?? '')
  }))

test('so does a customer of a payment link, under the rules of its page', async () => {
  const { body } = await bff.postPayment({ amount: '25.00', orderId: 'walletconnect-link' })
  const { id } = body['payment'] as { id: string }
  await throughRelay(`${bff.url()}/pay/${id}`, [], (customer) => payByPhone(customer, () => id))
})
