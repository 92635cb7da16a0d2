import { expect } from '@open-wc/testing'
import { distUrl } from './test/dist.ts'
import { StrictPage } from './test/strict-page.ts'
import { waitUntil } from './test/wait-until.ts'
import { WalletStage } from './test/wallet-stage.ts'

for (const type of ['module', 'classic'] as const)
  test(`the ${type} script loads the wallet code on the tap from its own origin, and pays, also under the strictest CSP`, async () => {
    const stage = new WalletStage()
    stage.chain.allowances.set(stage.wallet.account, 25_000_000n)
    const attributes = `public-key=pk_live_a amount=25.00 currency=USDC network=devnet order-id=strict-${type}`
    const page = await StrictPage.open(distUrl('stablecoin-checkout.js'), type, attributes, stage.wallet.provider)
    await waitUntil(() => page.text.includes('Pay with wallet'), 'the payment is shown')
    await waitUntil(() => page.loaded.includes('screens'), 'the other screens are there')
    expect(
      page.loaded.filter((name) => !['element', 'screens', 'en', 'rolldown-runtime', 'checking'].includes(name)),
    ).to.deep.equal([])
    page.press('Pay with wallet')
    await waitUntil(() => page.text.includes('Browser wallet'), 'the wallet is offered')
    expect(page.loaded).to.include('wallet-payments')
    page.press('Browser wallet')
    await waitUntil(() => page.text.includes('has received the money'), 'it is paid')
    expect(page.refused).to.deep.equal([])
    expect(page.isStrict).to.equal(true)
    page.close()
    stage.strike()
  })
