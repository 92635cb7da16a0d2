import { Keypair, Transaction } from '@solana/web3.js'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openBrowser, type Visit } from './harness/browser.ts'
import { openStorefront } from './harness/storefront.ts'
import { openStory } from './harness/story.ts'
import { until } from './harness/until.ts'
import { type Behaviour, openWallet, patientSettings } from './harness/wallet.ts'

const solanaSettings = { signatureGas: { coinPrice: '50' } }
const story = await openStory('solana-wallet-e2e', {
  solana: true,
  keepsPort: true,
  solanaSettings,
  settings: patientSettings,
})
const { bff } = story
const solana = story.onSolana
if (!solana) throw new Error('The story is not on Solana')
const { chain, merchant, platform } = solana
const shop = await openStorefront(story)
const browser = await openBrowser()

/** `earnedBefore`: base units of the merchant before the customer came. */
type Customer = Visit & { wallet: ReturnType<typeof openWallet>; earnedBefore: bigint }

/** The payment that the page has made first. */
async function depositOf(customer: Visit): Promise<{ id: string; address: string }> {
  const sql = "select id, deposit_address as address from payments where order_id = ? and mode = 'deposit'"
  const [row] = await bff.query<{ id: string; address: string }>(sql, customer.orderId())
  return row ?? { id: '', address: '' }
}

/** @param maker - Of the payment: the page by its public key, or the shop's server before. */
const buy = (use: (customer: Customer) => Promise<void>, maker: 'page' | 'server' = 'page') =>
  browser.visit(
    { url: shop.checkout(`network=solana-devnet&by=${maker}`), origins: [shop.url, bff.url()] },
    async (customer) => {
      await customer.reads('Waiting for your payment')
      await until('the account that a signed transfer goes to', async () => {
        await chain.advance(1)
        const { address } = await depositOf(customer)
        return address !== '' && (await chain.hasAccount(address))
      })
      await chain.finalize()
      await use({ ...customer, wallet: openWallet(customer.page), earnedBefore: await chain.units(merchant) })
    },
  )

/** @param behaviour - By default of a wallet that signs nothing without sending it: the customer pays the fee. */
async function connect({ press, wallet }: Customer, behaviour: Behaviour = 'no-signing'): Promise<void> {
  await wallet.behaves(behaviour)
  await press('Pay with wallet')
  await press('Test wallet')
  await wallet.approve('Connect to this page')
}

async function paymentOf(customer: Customer): Promise<string> {
  const sql = "select id from payments where order_id = ? and mode = 'contract' and closed_as is null"
  const [row] = await bff.query<{ id: string }>(sql, customer.orderId())
  if (!row) throw new Error(`There is no wallet payment of ${customer.orderId()}`)
  return row.id
}

/**
 * Waits until the customer's money is there, and confirms it. No block is made before: what a wallet has signed lands within 150 blocks
 * or never, and a busy page may need long to send it.
 */
async function confirm(id: string, hasArrived: () => Promise<boolean>): Promise<void> {
  await until('the money to arrive', hasArrived)
  await chain.advance(1)
  await bff.shows(id, { amountDetected: '25.00' })
  await chain.finalize()
}

async function isPaid(customer: Customer): Promise<void> {
  const id = await paymentOf(customer)
  await confirm(id, async () => (await chain.units(merchant)) > customer.earnedBefore)
  await expect.poll(customer.title).toBe('Paid')
  await customer.reads('Paid — ship it')
  expect(await bff.read(id)).toMatchObject({ status: 'completed', settlement: { state: 'settled' } })
}

async function isDepositPaid(customer: Customer): Promise<void> {
  const { id, address } = await depositOf(customer)
  await confirm(id, async () => (await chain.units(address)) > 0n)
  await expect.poll(customer.title).toBe('Paid')
  await customer.reads('Paid — ship it')
  await until('the sweep to be final', async () => {
    await chain.advance(4)
    return (await bff.read(id))['status'] === 'swept'
  })
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

for (const maker of ['page', 'server'] as const) {
  const whose = maker === 'page' ? 'its deposit' : 'the deposit that the shop’s server made'
  test(`a wallet pays ${whose} by one signature, the service pays the fee, and the deposit is swept`, () =>
    buy(async (customer) => {
      const lamports = await chain.lamports(chain.customer.address)
      await connect(customer, 'honest')
      await customer.wallet.asks('Sign a transaction')
      expect(await customer.wallet.text()).toContain('25.00 USDC')
      await customer.reads('The shop pays the network fee')
      await customer.wallet.approve('Sign a transaction')
      await isDepositPaid(customer)
      expect(await chain.lamports(chain.customer.address)).toBe(lamports)
    }, maker))
}

/** Runs in the page, before its own scripts: a wallet whose key is in the test, which approves everything. */
function registerWallet(address: string): void {
  type Bytes = { transaction: Uint8Array }
  const { signInTest } = window as unknown as { signInTest(base64: string): Promise<string> }
  const features = {
    'standard:connect': { version: '1.0.0', connect: async () => ({ accounts }) },
    'solana:signTransaction': {
      version: '1.0.0',
      supportedTransactionVersions: ['legacy'],
      signTransaction: async ({ transaction }: Bytes) => {
        const signed = await signInTest(btoa(String.fromCharCode(...transaction)))
        return [{ signedTransaction: Uint8Array.from(atob(signed), (character) => character.charCodeAt(0)) }]
      },
    },
    'solana:signAndSendTransaction': {
      version: '1.0.0',
      supportedTransactionVersions: ['legacy'],
      signAndSendTransaction: () => Promise.reject(new Error('This wallet has no coins.')),
    },
  }
  const chains = ['solana:devnet']
  const accounts = [{ address, chains, features: Object.keys(features) }]
  const wallet = { version: '1.0.0', name: 'Empty wallet', icon: 'data:image/svg+xml,', chains, features, accounts }
  window.addEventListener('wallet-standard:app-ready', (event) =>
    (event as CustomEvent<{ register(one: object): void }>).detail.register(wallet),
  )
}

test('a wallet without coins pays the wallet payment that the shop’s server made, on the payment page, by one signature', async () => {
  for (const wallet of [merchant, platform]) await chain.pay(wallet, '1.00')
  const customer = Keypair.generate()
  const account = customer.publicKey.toBase58()
  await chain.pay(account, '25.00')
  const { id } = await bff.createPayment({ amount: '25.00', network: 'solana-devnet' })
  const sign = (base64: string) => {
    const transaction = Transaction.from(Buffer.from(base64, 'base64'))
    transaction.partialSign(customer)
    return transaction.serialize({ requireAllSignatures: false }).toString('base64')
  }
  const prepare = async (page: Page) => {
    await page.exposeFunction('signInTest', sign)
    await page.addInitScript(registerWallet, account)
  }
  await browser.visit({ url: `${bff.url()}/pay/${id}`, origins: [bff.url()], prepare }, async ({ press, title }) => {
    const earnedBefore = await chain.units(merchant)
    await press('Empty wallet')
    await confirm(id, async () => (await chain.units(merchant)) > earnedBefore)
    await expect.poll(title).toBe('Paid')
  })
  expect(await bff.read(id)).toMatchObject({ status: 'completed', settlement: { state: 'settled' } })
  expect([await chain.balance(account), await chain.lamports(account)]).toEqual(['0.00', 0])
})

test('a wallet that signs nothing without sending it pays the deposit of the shop’s server by a transfer of its own', () =>
  buy(async (customer) => {
    await connect(customer)
    await customer.wallet.asks('Send tokens')
    expect(await customer.wallet.text()).toContain('25.00 USDC')
    await customer.wallet.approve('Send tokens')
    await isDepositPaid(customer)
  }, 'server'))

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
