import { expect, test } from 'vitest'
import { openBrowser, type Visit } from './harness/browser.ts'
import { openStorefront } from './harness/storefront.ts'
import { openStory } from './harness/story.ts'
import { until } from './harness/until.ts'
import { openWallet } from './harness/wallet.ts'

const story = await openStory('solana-wallet-e2e', { solana: true, keepsPort: true })
const { bff } = story
const solana = story.onSolana
if (!solana) throw new Error('The story is not on Solana')
const { chain, merchant, platform } = solana
const shop = await openStorefront(story)
const browser = await openBrowser()

type Customer = Visit & { wallet: ReturnType<typeof openWallet> }

const buy = (use: (customer: Customer) => Promise<void>) =>
  browser.visit({ url: `${shop.url}/?network=solana-devnet`, origins: [shop.url, bff.url()] }, async (customer) => {
    await customer.reads('Waiting for your payment')
    await use({ ...customer, wallet: openWallet(customer.page) })
  })

async function connect({ press, wallet }: Customer): Promise<void> {
  await press('Pay with wallet')
  await press('Test wallet')
  await wallet.approve('Connect to this page')
}

function paymentOf(customer: Customer): string {
  const sql = "select id from payments where order_id = ? and mode = 'contract' and closed_as is null"
  const [row] = bff.query<{ id: string }>(sql, customer.orderId())
  if (!row) throw new Error(`There is no wallet payment of ${customer.orderId()}`)
  return row.id
}

async function isPaid(customer: Customer): Promise<void> {
  const id = paymentOf(customer)
  await until('the transaction to be seen', async () => {
    await chain.advance(1)
    return (await bff.read(id))['amountDetected'] !== null
  })
  await chain.finalize()
  await expect.poll(customer.title).toBe('Paid')
  await customer.reads('Paid — ship it')
  expect(await bff.read(id)).toMatchObject({ status: 'completed', settlement: { state: 'settled' } })
}

test('a customer pays on Solana with a wallet of the browser, by two approvals, and the shop ships', () =>
  buy(async (customer) => {
    const before = [Number(await chain.balance(merchant)), Number(await chain.balance(platform))]
    await connect(customer)
    await customer.wallet.asks('Send tokens')
    expect(await customer.wallet.text()).toContain('24.625 USDC')
    expect(await customer.wallet.text()).toContain('0.375 USDC')
    await customer.wallet.approve('Send tokens')
    await isPaid(customer)
    const after = [Number(await chain.balance(merchant)), Number(await chain.balance(platform))]
    expect(after.map((amount, index) => amount - (before[index] ?? 0))).toEqual([24.625, 0.375])
    await customer.portray('solana-paid')
  }))

test('who declines is asked again, and pays once', () =>
  buy(async (customer) => {
    await connect(customer)
    await customer.wallet.reject('Send tokens')
    await customer.reads('Not confirmed in your wallet')
    await customer.press('Try again')
    await customer.wallet.approve('Send tokens')
    await isPaid(customer)
  }))

test('a page that is loaded anew follows what the wallet has sent', () =>
  buy(async (customer) => {
    await connect(customer)
    await customer.wallet.approve('Send tokens')
    await customer.reads('Payment sent')
    await customer.page.reload()
    await customer.reads('Payment sent')
    await isPaid(customer)
  }))
