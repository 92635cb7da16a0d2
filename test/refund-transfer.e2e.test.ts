import { randomBytes } from 'node:crypto'
import { xpubAddress } from '@stablecoin-checkout/bff/testing/evm'
import { getAddress } from 'viem'
import { HDKey } from 'viem/accounts'
import { expect, test } from 'vitest'
import { expectAccessible } from './harness/accessible.ts'
import { expectBooksToClose } from './harness/books.ts'
import { openBrowser } from './harness/browser.ts'
import { confirmationsRequired } from './harness/chain.ts'
import { openDashboard } from './harness/dashboard.ts'
import { openMerchantWallet } from './harness/merchant-wallet.ts'
import { openStory } from './harness/story.ts'
import { until } from './harness/until.ts'

// Without contracts a plain transfer pays a refund: only that of the settlement wallet names it.
const source = HDKey.fromMasterSeed(randomBytes(32)).derive("m/44'/60'/0'").publicExtendedKey
const settlementWallet = xpubAddress({ source, number: 0 })
const story = await openStory('refund-transfer', {
  settings: { platform: { feeBps: 0 } },
  evmSettings: { deposits: 'xpub' },
  evmWallet: `${source}@${settlementWallet}`,
})
const { bff, chain, merchant } = story
const browser = await openBrowser()
const owner = await openDashboard(story)
const wallet = await openMerchantWallet(chain, settlementWallet)

type Refund = { id: string; status: string; prompt: object | null }

const read = async (id: string) => (await bff.get(`/refunds/${id}`)).body['refund'] as Refund

test('another account than the settlement wallet is asked for nothing, and the page names the right one', async () => {
  const payment = await bff.createDeposit({ amount: '25.00' })
  await chain.pay(payment.depositAddress, '25.00')
  await chain.mine(confirmationsRequired)
  await bff.shows(payment.id, { outcome: 'paid' })
  await chain.pay(settlementWallet, '10.00')
  const address = getAddress(`0x${randomBytes(20).toString('hex')}`)
  const { body } = await bff.ask(`/api/v1/payments/${payment.id}/refunds`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': merchant.apiKey, 'x-api-secret': merchant.apiSecret },
    body: JSON.stringify({ amount: '7.25', address }),
  })
  const { id } = body['refund'] as Refund

  wallet.state.account = getAddress(`0x${randomBytes(20).toString('hex')}`)
  await browser.visit(owner.site('refunds', wallet.install), async ({ page, reads, portray }) => {
    await page.getByRole('button', { name: 'Pay', exact: true }).click()
    await page.getByRole('button', { name: 'Pay with Test wallet' }).click()
    await reads(`Choose the account ${settlementWallet} in your wallet.`)
    await expectAccessible(page, 'narrow')
    await portray('refund-wallet-other-account')
    expect(await read(id)).toMatchObject({ status: 'to_pay', prompt: null })
    expect(wallet.sent).toEqual([])
    wallet.state.account = settlementWallet
    await page.getByRole('button', { name: 'Pay with Test wallet' }).click()
    await reads(/A payment was sent at|The payment was found|The refund is paid/)
  })
  await until('the refund to be paid', async () => {
    await chain.mine(1)
    return (await read(id)).status === 'paid'
  })
  expect(await chain.balance('USDC', address)).toBe(7_250_000n)
})

test('the books equal the chains', async () => {
  await expectBooksToClose(story)
})
