import { permit2Address } from '@stablecoin-checkout/bff/testing/evm'
import { encodeFunctionData, type Hex, parseAbi, parseEther, toHex } from 'viem'
import { expect, test } from 'vitest'
import { openAccounts } from '../demo/storefront/wallet/accounts.ts'
import { runBeside } from './harness/bff.ts'
import { openBrowser, type Visit } from './harness/browser.ts'
import { succeeded } from './harness/chain.ts'
import { openStorefront } from './harness/storefront.ts'
import { openStory } from './harness/story.ts'
import { openWallet, patientSettings } from './harness/wallet.ts'

const signatureGas = { coinPrice: '50', perPayer: 100, perAddress: 1_000, dailyBudget: '1000' }
const story = await openStory('signature-e2e', { evmSettings: { signatureGas }, settings: patientSettings })
const { bff, chain, files, openTill } = story
const shop = await openStorefront(story)
const browser = await openBrowser()

type Customer = Visit & { wallet: ReturnType<typeof openWallet> }

const buy = (choice: string, use: (customer: Customer) => Promise<void>) =>
  browser.visit({ url: shop.checkout(choice), origins: [shop.url, bff.url()] }, async (customer) => {
    await customer.reads('Waiting for your payment')
    await use({ ...customer, wallet: openWallet(customer.page) })
  })

async function connect({ press, wallet }: Customer): Promise<void> {
  await press('Pay with wallet')
  await press('Test wallet')
  await wallet.approve('Connect to this page')
}

async function isPaid(customer: Customer, mode: 'contract' | 'deposit') {
  const sql = 'select id from payments where order_id = ? and mode = ? and closed_as is null'
  const find = async () => (await bff.query<{ id: string }>(sql, customer.orderId(), mode))[0]?.id ?? ''
  await expect.poll(find).not.toBe('')
  const id = await find()
  await bff.shows(id, { amountDetected: '25.00' })
  await chain.mine(2)
  await expect.poll(customer.title).toBe('Paid')
  return id
}

const split = { merchant: '24.625', platform: '0.375' }

test('a wallet with 0 ETH pays by one signature, without an approval and without a transaction of its own', () =>
  buy('by=page', async (customer) => {
    const { wallet, reads } = customer
    const earned = await openTill()
    await wallet.holds('dry')
    await connect(customer)
    await wallet.asks('Sign a ReceiveWithAuthorization for 25 USDC')
    await reads('The shop pays the network fee')
    const { result: accounts } = (await wallet.request('eth_accounts')) as { result: Hex[] }
    await wallet.approve('Sign a ReceiveWithAuthorization for 25 USDC')
    await isPaid(customer, 'contract')
    expect(await earned()).toEqual(split)
    const reader = chain.node().reader
    const [address = '0x'] = accounts
    expect(await reader.getBalance({ address })).toBe(0n)
    expect(await reader.getTransactionCount({ address })).toBe(0)
  }))

test('a deposit that the shop’s server made is paid by one signature as well', () =>
  buy('', async (customer) => {
    await customer.wallet.holds('dry')
    await connect(customer)
    await customer.wallet.approve('Sign a TransferWithAuthorization for 25 USDC')
    await isPaid(customer, 'deposit')
  }))

test('a wallet that signs no typed data falls back by itself, to an approval and a payment', () =>
  buy('by=page', async (customer) => {
    const earned = await openTill()
    await customer.wallet.behaves('no-signing')
    await connect(customer)
    await customer.wallet.approve('Approve 25 USDC')
    await customer.wallet.approve('Pay 25 USDC')
    await isPaid(customer, 'contract')
    expect(await earned()).toEqual(split)
  }))

test('where the merchant pays no gas, a wallet is asked for its own transaction at once', async () => {
  const setGas = (limit: string) =>
    runBeside(['merchants', 'set', bff.merchant.merchantId, '--signature-gas', limit], files.env, files.program)
  expect((await setGas('off')).exitCode).toBe(0)
  try {
    await buy('', async (customer) => {
      const posted: string[] = []
      customer.page.on('request', (request) => posted.push(request.url()))
      await connect(customer)
      await customer.wallet.approve('Send 25 USDC')
      await isPaid(customer, 'deposit')
      expect(posted.filter((url) => url.endsWith('/authorize'))).toEqual([])
    })
  } finally {
    await setGas('100,0.02,1')
  }
})

const { dry } = openAccounts(story.devnet.customer.privateKey)
const erc20 = parseAbi(['function approve(address spender, uint256 amount)'])

/** What the account without coins has done once, while it still had some. */
async function approvePermit2(units: bigint): Promise<void> {
  const { reader, wallet, rpc, token } = chain.node()
  await rpc('anvil_setBalance', dry.address, toHex(parseEther('1')))
  const data = encodeFunctionData({ abi: erc20, functionName: 'approve', args: [permit2Address, units] })
  const hash = await wallet.sendTransaction({ account: dry.signer, to: token('USDT').address, data })
  await succeeded(reader, hash)
  await rpc('anvil_setBalance', dry.address, '0x0')
}

test('a wallet with 0 ETH that has never approved Permit2 is asked for no signature, and reads what its own transaction lacks', () =>
  buy('by=page&currency=USDT', async (customer) => {
    await customer.wallet.holds('dry')
    await connect(customer)
    await customer.reads('Not enough ETH for the network fee')
    expect(await customer.wallet.isOpen()).toBe(false)
  }))

test('a wallet with ETH that has never approved Permit2 pays USDT by an approval and a payment', () =>
  buy('by=page&currency=USDT', async (customer) => {
    const earned = await openTill({ token: 'USDT' })
    await connect(customer)
    await customer.wallet.approve('Approve 25 USDT')
    await customer.wallet.approve('Pay 25 USDT')
    await isPaid(customer, 'contract')
    expect(await earned()).toEqual(split)
  }))

for (const { by, mode } of [
  { by: 'page', mode: 'contract' },
  { by: 'server', mode: 'deposit' },
] as const) {
  test(`a wallet with 0 ETH that has approved Permit2 once pays a ${mode} in USDT by one signature`, () =>
    buy(`by=${by}&currency=USDT`, async (customer) => {
      await approvePermit2(25_000_000n)
      const { reader } = chain.node()
      const sent = await reader.getTransactionCount({ address: dry.address })
      await customer.wallet.holds('dry')
      await connect(customer)
      await customer.wallet.asks('Sign a PermitWitnessTransferFrom for 25 USDT')
      await customer.reads('The shop pays the network fee')
      await customer.wallet.approve('Sign a PermitWitnessTransferFrom for 25 USDT')
      await isPaid(customer, mode)
      expect(await reader.getBalance({ address: dry.address })).toBe(0n)
      expect(await reader.getTransactionCount({ address: dry.address })).toBe(sent)
    }))
}
