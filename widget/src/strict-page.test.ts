import { expect, waitUntil } from '@open-wc/testing'
import { StrictPage } from './test/strict-page.ts'
import { WalletStage } from './test/wallet-stage.ts'

const dist = new URL('../dist/', import.meta.url)

test('loads the code for wallets on the tap and from beside itself, and pays, also on the strictest page', async () => {
  const stage = new WalletStage()
  stage.chain.allowances.set(stage.wallet.account, 25_000_000n)
  const attributes = 'public-key=pk_live_a amount=25.00 currency=USDC network=devnet order-id=strict'
  const script = new URL('stablecoin-checkout.js', dist)
  const page = await StrictPage.open(script, attributes, stage.wallet.provider)
  await waitUntil(() => page.text.includes('Pay with wallet'), 'the payment is shown', { timeout: 4000 })
  await waitUntil(() => page.loaded.length > 1, 'the other screens are there')
  expect(page.loaded).to.deep.equal(['stablecoin-checkout.js', 'stablecoin-checkout-screens.mjs'])
  page.press('Pay with wallet')
  await waitUntil(() => page.text.includes('Browser wallet'), 'the wallet is offered', { timeout: 4000 })
  expect(page.loaded.at(-1)).to.equal('stablecoin-checkout-wallet.mjs')
  page.press('Browser wallet')
  await waitUntil(() => page.text.includes('has reached the shop'), 'it is paid', { timeout: 6000 })
  expect(page.refused).to.deep.equal([])
  expect(page.isStrict).to.equal(true)
  page.close()
  stage.strike()
})
