import { expect, test } from 'vitest'
import { expectAccessible } from './harness/accessible.ts'
import { expectBooksToClose } from './harness/books.ts'
import { openBrowser } from './harness/browser.ts'
import { openDashboard } from './harness/dashboard.ts'
import { openMerchantSolanaWallet } from './harness/merchant-solana-wallet.ts'
import { openStory } from './harness/story.ts'
import { until } from './harness/until.ts'

const story = await openStory('refund-solana-wallet', { solana: true })
const { bff, merchant } = story
const solana = story.onSolana
if (!solana) throw new Error('The story is not on Solana')
const { chain } = solana
const browser = await openBrowser()
const owner = await openDashboard(story)
const wallet = openMerchantSolanaWallet(chain)

type Refund = { id: string; address: string; status: string; paid: string; prompt: { transactionHash: string } | null }

const read = async (id: string) => (await bff.get(`/refunds/${id}`)).body['refund'] as Refund

async function onward(what: string, look: () => Promise<boolean>): Promise<void> {
  await until(what, async () => {
    if (await look()) return true
    await chain.advance(2)
    return false
  })
}

test('a wallet on Solana pays a refund to the unit: first rejected, then sent, and never asked twice', async () => {
  const payment = await bff.createDeposit({ amount: '25.00', network: 'solana-devnet' })
  await onward('the account to be made', () => chain.hasAccount(payment.depositAddress))
  await chain.finalize()
  await chain.pay(payment.depositAddress, '25.00')
  await onward('the sweep', async () => (await bff.read(payment.id))['status'] === 'swept')
  const address = await chain.newWallet()
  await chain.finalize()
  const { body } = await bff.ask(`/api/v1/payments/${payment.id}/refunds`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': merchant.apiKey, 'x-api-secret': merchant.apiSecret },
    body: JSON.stringify({ amount: '5.250001', address }),
  })
  const { id } = body['refund'] as Refund

  wallet.state.behaviour = 'reject'
  await browser.visit(owner.site('refunds', wallet.install), async ({ page, reads, portray }) => {
    await page.getByRole('button', { name: 'Pay', exact: true }).click()
    await page.getByRole('button', { name: 'Pay with Solana wallet' }).click()
    await reads('You rejected the request. Nothing was sent.')
    expect(await read(id)).toMatchObject({ status: 'to_pay', prompt: null })
    wallet.state.behaviour = 'honest'
    await page.getByRole('button', { name: 'Pay with Solana wallet' }).click()
    await reads(/A payment was sent at|The payment was found|The refund is paid/)
    expect(await page.getByRole('button', { name: 'Pay with Solana wallet' }).count()).toBe(0)
    await expectAccessible(page, 'narrow')
    await portray('refund-solana-wallet')
  })
  expect(wallet.signatures).toHaveLength(1)
  expect((await read(id)).prompt?.transactionHash).toBe(wallet.signatures[0])
  await onward('the refund to be paid', async () => (await read(id)).status === 'paid')
  expect(await read(id)).toMatchObject({ paid: '5.250001' })
  expect(await chain.balance(address)).toBe('5.250001')
})

test('the books equal the chains', async () => {
  await expectBooksToClose(story)
})
