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

// Without contracts a plain transfer pays a refund: only that of the merchant's own wallet names it.
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

/** An address of the wallet signs as its first one does. */
async function choose(account: string): Promise<void> {
  const { rpc } = chain.node()
  await rpc('anvil_impersonateAccount', account)
  await rpc('anvil_setBalance', account, '0x8ac7230489e80000')
  wallet.state.account = account
}

async function paid(amount: string) {
  const payment = await bff.createDeposit({ amount })
  await chain.pay(payment.depositAddress, amount)
  await chain.mine(confirmationsRequired)
  await bff.shows(payment.id, { outcome: 'paid' })
  return payment
}

async function requested(payment: { id: string }, amount: string): Promise<{ id: string; address: string }> {
  const address = getAddress(`0x${randomBytes(20).toString('hex')}`)
  const { body } = await bff.ask(`/api/v1/payments/${payment.id}/refunds`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': merchant.apiKey, 'x-api-secret': merchant.apiSecret },
    body: JSON.stringify({ amount, address }),
  })
  return { id: (body['refund'] as Refund).id, address }
}

/** The shop names the transaction that pays a part of the refund, until its block is read. */
const verified = (id: string, transactionHash: string) =>
  until('the transaction to be found', async () => {
    const { status } = await bff.ask(`/api/v1/refunds/${id}/verify`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': merchant.apiKey, 'x-api-secret': merchant.apiSecret },
      body: JSON.stringify({ transactionHash }),
    })
    return status === 200
  })

const isPaid = (id: string) =>
  until('the refund to be paid', async () => {
    await chain.mine(1)
    return (await read(id)).status === 'paid'
  })

test('a stranger’s account is asked for nothing, and the page names the address that holds enough, which pays', async () => {
  const payment = await paid('25.00')
  const { id, address } = await requested(payment, '7.25')
  const nobody = getAddress(`0x${randomBytes(20).toString('hex')}`)
  wallet.state.account = nobody
  await browser.visit(owner.site('refunds', wallet.install), async ({ page, reads, portray }) => {
    await page.getByRole('button', { name: 'Pay', exact: true }).click()
    await reads(/from any address of your wallet that a payment was given/)
    await page.getByRole('button', { name: 'Pay with Test wallet' }).click()
    await reads(`Choose the account ${payment.depositAddress} in your wallet: it holds enough.`)
    await expectAccessible(page, 'narrow')
    await portray('refund-wallet-other-account')
    expect(await read(id)).toMatchObject({ status: 'to_pay', prompt: null })
    expect(wallet.sent).toEqual([])
    await choose(payment.depositAddress)
    wallet.state.behaviour = 'late'
    const isAsked = wallet.next()
    await page.getByRole('button', { name: 'Pay with Test wallet' }).click()
    await isAsked
    // Another payment changes the page while the wallet waits for its person.
    const isReloaded = page.waitForResponse((response) => response.url().includes('/refunds?status=all'))
    await bff.createDeposit({ amount: '1.00' })
    await isReloaded
    wallet.state.behaviour = 'honest'
    wallet.wakeUp()
    await reads(/A payment was sent at|The payment was found|The refund is paid/)
  })
  await isPaid(id)
  expect(await chain.balance('USDC', address)).toBe(7_250_000n)
})

test('that no single address holds enough is said plainly, and the first address pays once the money is there', async () => {
  const payment = await paid('30.00')
  await choose(payment.depositAddress)
  const token = chain.node().token('USDC').address
  const away = `0xa9059cbb${'5e'.repeat(20).padStart(64, '0')}${(20_000_000).toString(16).padStart(64, '0')}`
  await chain.node().rpc('eth_sendTransaction', { from: payment.depositAddress, to: token, data: away })
  await chain.mine(1)
  const { id, address } = await requested(payment, '29.00')
  await browser.visit(owner.site('refunds', wallet.install), async ({ page, reads }) => {
    await page.getByRole('button', { name: 'Pay', exact: true }).click()
    await page.getByRole('button', { name: 'Pay with Test wallet' }).click()
    await reads(/No single address of your wallet that customers pay to holds .*29\.00/)
    expect(await read(id)).toMatchObject({ status: 'to_pay', prompt: null })
    await chain.pay(settlementWallet, '40.00')
    await page.getByRole('button', { name: 'Pay with Test wallet' }).click()
    await reads(`Choose the account ${settlementWallet} in your wallet: it holds enough.`)
    wallet.state.account = settlementWallet
    await page.getByRole('button', { name: 'Pay with Test wallet' }).click()
    await reads(/A payment was sent at|The payment was found|The refund is paid/)
  })
  await isPaid(id)
  expect(await chain.balance('USDC', address)).toBe(29_000_000n)
})

test('the code beside a refund asks for the rest, once a part was paid from elsewhere', async () => {
  const payment = await paid('12.00')
  const { id, address } = await requested(payment, '9.00')
  await choose(payment.depositAddress)
  await browser.visit(owner.site('refunds', wallet.install), async ({ page, reads }) => {
    const open = async () => {
      await page.getByRole('button', { name: 'Pay', exact: true }).click()
      await page.getByRole('img', { name: 'QR code of the transfer' }).waitFor()
    }
    const code = () => page.locator('wa-dialog[open] .qr path').getAttribute('d')
    await open()
    const ofAll = await code()
    const data = `0xa9059cbb${address.slice(2).toLowerCase().padStart(64, '0')}${(4_000_000).toString(16).padStart(64, '0')}`
    const to = chain.node().token('USDC').address
    const sent = await chain.node().rpc('eth_sendTransaction', { from: payment.depositAddress, to, data })
    await chain.mine(confirmationsRequired)
    await verified(id, String(sent))
    await bff.createDeposit({ amount: '1.00' })
    await reads('Send exactly 5.00 USDC')
    await expect.poll(code).not.toBe(ofAll)
    const ofRest = await code()
    await page.keyboard.press('Escape')
    await page.locator('wa-dialog[open]').waitFor({ state: 'hidden' })
    await open()
    expect(await code()).toBe(ofRest)
    await page.getByRole('button', { name: 'Pay with Test wallet' }).click()
    await reads(/A payment was sent at|The payment was found|The refund is paid/)
  })
  await isPaid(id)
  expect(await chain.balance('USDC', address)).toBe(9_000_000n)
})

test('the books equal the chains', async () => {
  await expectBooksToClose(story)
})
