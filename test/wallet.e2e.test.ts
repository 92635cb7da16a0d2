import { testUsdt } from '@stablecoin-checkout/rig/devnet/tokens.generated'
import type { Request } from 'playwright-core'
import { encodeFunctionData, type Hex, numberToHex as hex } from 'viem'
import { expect, test } from 'vitest'
import { openBrowser, serviceAway, type Visit } from './harness/browser.ts'
import { openStorefront } from './harness/storefront.ts'
import { openStory } from './harness/story.ts'
import { until } from './harness/until.ts'
import { openWallet, patientSettings } from './harness/wallet.ts'

const story = await openStory('wallet', { keepsPort: true, settings: patientSettings })
const { bff, chain, devnet, openTill, wallets } = story
const shop = await openStorefront(story)
const browser = await openBrowser()
const [here, elsewhere] = devnet.networks

type Customer = Visit & { wallet: ReturnType<typeof openWallet> }

/** The tag makes the payment: one that the shop's server made stays a deposit, which a wallet pays by a plain transfer. */
const buy = (
  use: (customer: Customer) => Promise<void>,
  { choice = 'by=page', ...site }: { choice?: string; tolerated?: RegExp } = {},
) =>
  browser.visit({ url: shop.checkout(choice), origins: [shop.url, bff.url()], ...site }, async (customer) => {
    await customer.reads('Waiting for your payment')
    await use({ ...customer, wallet: openWallet(customer.page) })
  })

/** From the card to the wallet's first window, which is approved. */
async function connect({ press, wallet }: Customer): Promise<void> {
  await press('Pay with wallet')
  await press('Test wallet')
  await wallet.approve('Connect to this page')
}

/** The payment that the customer is asked to pay by wallet. */
async function paymentOf(customer: Customer): Promise<{ id: string }> {
  const sql = "select id from payments where order_id = ? and mode = 'contract' and closed_as is null"
  const [row, ...more] = await bff.query<{ id: string }>(sql, customer.orderId())
  if (!row || more.length > 0) throw new Error(`${more.length + 1} contract payments of ${customer.orderId()}`)
  return row
}

/** Waits until the payment is in a block and seen, then confirms it. */
async function isPaid(customer: Customer): Promise<{ id: string }> {
  const payment = await paymentOf(customer)
  await bff.shows(payment.id, { amountDetected: '25.00' })
  await chain.mine(2)
  await expect.poll(customer.title).toBe('Paid')
  await customer.reads('The shop has received the money.')
  await customer.reads('Paid — ship it')
  expect(await bff.read(payment.id)).toMatchObject({ status: 'completed', settlement: { state: 'settled' } })
  expect(await shop.order(customer.orderId())).toMatchObject({ state: 'paid', paymentId: payment.id })
  return payment
}

const split = { merchant: '24.625', platform: '0.375' }

test('the test wallet is found as a browser wallet is, asks before it does anything, and takes no for an answer', () =>
  buy(async ({ wallet, page }) => {
    expect(await wallet.request('eth_accounts')).toEqual({ result: [] })
    expect(await wallet.request('eth_sendTransaction', {})).toEqual({ code: 4100 })

    const refused = wallet.request('eth_requestAccounts')
    await wallet.reject('Connect to this page')
    expect(await refused).toEqual({ code: 4001 })

    const connected = wallet.request('eth_requestAccounts')
    await wallet.approve('Connect to this page')
    expect(await connected).toEqual({ result: [devnet.customer.address] })

    const from = devnet.customer.address
    const transfer = { from, to: wallets.merchant, value: '0xde0b6b3a7640000' }
    const sent = wallet.request('eth_sendTransaction', transfer)
    await wallet.asks('Send ETH')
    expect(await wallet.text()).toContain('1 ETH')
    expect(await wallet.request('eth_sendTransaction', transfer)).toEqual({ code: -32002 })
    await wallet.approve('Send ETH')
    const { result: hash } = (await sent) as { result: string }
    const receipt = async () => (await wallet.request('eth_getTransactionReceipt', hash)) as { result: unknown }
    await expect.poll(async () => (await receipt()).result).toMatchObject({ status: '0x1', from: from.toLowerCase() })

    await page.reload()
    expect(await wallet.request('eth_accounts')).toEqual({ result: [from] })
  }))

test('the test wallet misbehaves as the panel says', () =>
  buy(async ({ wallet, page }) => {
    const from = devnet.customer.address
    const transfer = { from, to: wallets.merchant, value: '0x1' }
    const connected = wallet.request('eth_requestAccounts')
    await wallet.approve('Connect to this page')
    await connected

    await wallet.behaves('reject')
    expect(await wallet.request('eth_sendTransaction', transfer)).toEqual({ code: 4001 })
    await wallet.behaves('no-signing')
    expect(await wallet.request('eth_signTypedData_v4', from, '{}')).toEqual({ code: 4200 })

    const goElsewhere = () => wallet.request('wallet_switchEthereumChain', { chainId: hex(elsewhere.chainId) })
    await wallet.behaves('unknown-network')
    expect(await goElsewhere()).toEqual({ code: 4902 })
    const { chainId, name, rpcUrl } = elsewhere
    const nativeCurrency = { name: 'Test ether', symbol: 'ETH', decimals: 18 }
    const given = { chainId: hex(chainId), chainName: name, rpcUrls: [rpcUrl], nativeCurrency }
    const added = wallet.request('wallet_addEthereumChain', given)
    await wallet.approve(`Add the network ${name}`)
    expect(await added).toEqual({ result: null })
    expect(await wallet.request('eth_chainId')).toEqual({ result: hex(elsewhere.chainId) })

    await wallet.behaves('stuck-network')
    const stuck = wallet.request('wallet_switchEthereumChain', { chainId: hex(here.chainId) })
    await wallet.approve(`Switch to chain ${here.chainId}`)
    expect(await stuck).toEqual({ result: null })
    expect(await wallet.chainId()).toBe(elsewhere.chainId)
    await wallet.isOn(here.chainId)

    await wallet.behaves('silent')
    // Another behaviour is chosen before the wallet's server has answered.
    let answer = () => {}
    const chosen = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/demo/wallet/describe', async (route) => {
      await chosen
      await route.continue()
    })
    const late = wallet.request('eth_sendTransaction', transfer)
    expect(await wallet.request('eth_sendTransaction', transfer)).toEqual({ code: -32002 })
    expect(await wallet.isOpen()).toBe(false)
    await wallet.behaves('drop')
    answer()
    await wallet.approve('Send ETH')
    const { result: hash } = (await late) as { result: string }
    expect(hash).toMatch(/^0x[0-9a-f]{64}$/)
    expect(await wallet.request('eth_getTransactionByHash', hash)).toEqual({ result: null })
  }))

test('a customer taps, chooses the wallet, signs a permit, pays, and the shop ships', () =>
  buy(async (customer) => {
    const { wallet, press, reads, portray } = customer
    const earned = await openTill()
    await press('Pay with wallet')
    await reads('Choose your wallet')
    await portray('9-choose-wallet')
    await press('Test wallet')
    await wallet.approve('Connect to this page')
    await wallet.asks('Sign a Permit for 25 USDC')
    await portray('10-wallet-asks')
    await wallet.approve('Sign a Permit for 25 USDC')
    await wallet.approve('Pay 25 USDC')
    await reads('Payment detected')
    const payment = await isPaid(customer)
    await portray('11-paid-by-wallet')
    expect(await earned()).toEqual(split)
    const webhooks = (await shop.received(payment.id)).map(({ type, verified }) => [type, verified])
    expect(webhooks).toEqual(['payment.created', 'payment.detected', 'payment.completed'].map((type) => [type, true]))
  }))

test('a wallet that signs no typed data is asked to approve and to pay', () =>
  buy(async (customer) => {
    const earned = await openTill()
    await customer.wallet.behaves('no-signing')
    await connect(customer)
    await customer.wallet.approve('Approve 25 USDC')
    await customer.wallet.approve('Pay 25 USDC')
    await isPaid(customer)
    expect(await earned()).toEqual(split)
  }))

test('a smart account approves and pays in one batch, with one question', () =>
  buy(async (customer) => {
    const earned = await openTill()
    await customer.wallet.holds('smart')
    await connect(customer)
    await customer.wallet.approve('Execute 2 calls at once')
    await isPaid(customer)
    expect(await earned()).toEqual(split)
  }))

test('an old permission of USDT is taken back before the new one', () =>
  buy(
    async (customer) => {
      const { wallet } = customer
      const earned = await openTill({ token: 'USDT' })
      const usdt = here.tokens.USDT.address
      await chain.call(usdt, approveData(here.splitter, 1n))
      await connect(customer)
      await wallet.approve('Revoke an allowance')
      await wallet.approve('Approve 25 USDT')
      await wallet.approve('Pay 25 USDT')
      await isPaid(customer)
      expect(await earned()).toEqual(split)
    },
    { choice: 'currency=USDT&by=page' },
  ))

test('a customer who says no has paid nothing, and pays on the second try', () =>
  buy(async (customer) => {
    const { wallet, press, reads } = customer
    const earned = await openTill()
    await press('Pay with wallet')
    await press('Test wallet')
    await wallet.reject('Connect to this page')
    await reads('Nothing was paid. You can try again.')
    await press('Try again')
    await wallet.approve('Connect to this page')
    await wallet.reject('Sign a Permit')
    await reads('Not confirmed in your wallet')
    await press('Try again')
    await wallet.approve('Sign a Permit')
    await wallet.reject('Pay 25 USDC')
    await reads('Not confirmed in your wallet')
    expect(await earned()).toEqual({ merchant: '0.00', platform: '0.00' })
    await press('Try again')
    await wallet.approve('Sign a Permit')
    await wallet.approve('Pay 25 USDC')
    await isPaid(customer)
    expect(await earned()).toEqual(split)
  }))

test('a wallet on another network is switched, and one that does not know the network gets its details', async () => {
  const earned = await openTill()
  await buy(async (customer) => {
    await customer.wallet.isOn(elsewhere.chainId)
    await connect(customer)
    await customer.wallet.approve(`Switch to chain ${here.chainId}`)
    await customer.wallet.approve('Sign a Permit')
    await customer.wallet.approve('Pay 25 USDC')
    await isPaid(customer)
  })
  await buy(async (customer) => {
    await customer.wallet.isOn(elsewhere.chainId)
    await customer.wallet.behaves('unknown-network')
    await connect(customer)
    await customer.wallet.approve(`Add the network ${here.name}`)
    await customer.wallet.approve('Sign a Permit')
    await customer.wallet.approve('Pay 25 USDC')
    await isPaid(customer)
  })
  expect(await earned()).toEqual({ merchant: '49.25', platform: '0.75' })
})

test('a wallet that stays on another network is asked for no money', () =>
  buy(async (customer) => {
    const { wallet, press, title } = customer
    await wallet.isOn(elsewhere.chainId)
    await wallet.behaves('stuck-network')
    await connect(customer)
    await wallet.approve(`Switch to chain ${here.chainId}`)
    // The text of the question before it says nearly the same.
    await expect.poll(title).toBe('Your wallet is on another network')
    expect(await wallet.isOpen()).toBe(false)
    await wallet.behaves('honest')
    await press('Try again')
    await wallet.approve(`Switch to chain ${here.chainId}`)
    await wallet.approve('Sign a Permit')
    await wallet.approve('Pay 25 USDC')
    await isPaid(customer)
  }))

test('too few tokens and too little gas are shown before the wallet is asked for money', () =>
  buy(async (customer) => {
    const { wallet, press, reads } = customer
    await wallet.holds('short')
    await connect(customer)
    await reads('You need 24 USDC more')
    await wallet.holds('dry')
    await wallet.behaves('no-signing')
    await press('Try again')
    await reads('Not enough ETH for the network fee')
    expect(await wallet.isOpen()).toBe(false)
    await wallet.holds('customer')
    await press('Check again')
    await wallet.approve('Approve 25 USDC')
    await wallet.approve('Pay 25 USDC')
    await isPaid(customer)
  }))

test('a dropped transaction is noticed, and the second pays once', () =>
  buy(async (customer) => {
    const { wallet, press, reads, page } = customer
    const earned = await openTill()
    await connect(customer)
    await wallet.approve('Sign a Permit')
    await wallet.asks('Pay 25 USDC')
    await wallet.behaves('drop')
    await wallet.approve('Pay 25 USDC')
    await reads('Please don’t pay again.')
    expect(await earned()).toEqual({ merchant: '0.00', platform: '0.00' })
    // The time counts from when the wallet's node first said that it knows no such transaction: the page has read that when it asks again.
    const asksForIt = (request: Request) => request.postData()?.includes('eth_getTransactionByHash') === true
    await page.waitForResponse((response) => asksForIt(response.request()))
    await page.waitForRequest(asksForIt)
    await page.clock.install()
    await page.clock.fastForward(60_000)
    await reads('Your transaction disappeared')
    await wallet.behaves('honest')
    await press('Try again')
    await wallet.approve('Sign a Permit')
    await wallet.approve('Pay 25 USDC')
    await isPaid(customer)
    expect(await earned()).toEqual(split)
  }))

test('a transaction that the wallet replaced is found by what it paid', () =>
  buy(async (customer) => {
    const earned = await openTill()
    await customer.wallet.behaves('replace')
    await connect(customer)
    await customer.wallet.approve('Sign a Permit')
    await customer.wallet.approve('Pay 25 USDC')
    await isPaid(customer)
    expect(await earned()).toEqual(split)
  }))

test('a reload after sending goes on following, and asks for nothing', () =>
  buy(async (customer) => {
    const { wallet, page, reads } = customer
    const earned = await openTill()
    await connect(customer)
    await wallet.approve('Sign a Permit')
    await wallet.approve('Pay 25 USDC')
    await reads('Payment detected')
    await page.reload()
    await reads('Payment detected')
    expect(await wallet.isOpen()).toBe(false)
    await isPaid(customer)
    expect(await earned()).toEqual(split)
  }))

test('a reload while the wallet is still sending does not ask for the money again', () =>
  buy(async (customer) => {
    const { wallet, page, reads } = customer
    const earned = await openTill()
    await connect(customer)
    await wallet.approve('Sign a Permit')
    await wallet.asks('Pay 25 USDC')
    const sending = await wallet.holdSending()
    await wallet.approve('Pay 25 USDC')
    await sending.asked
    await page.reload()
    await reads('Did you confirm it in your wallet?')
    expect(await earned()).toEqual({ merchant: '0.00', platform: '0.00' })
    await sending.send()
    await isPaid(customer)
    expect(await earned()).toEqual(split)
  }))

test('a reload while the wallet’s window is open asks before it asks again', () =>
  buy(async (customer) => {
    const { wallet, page, press, reads } = customer
    const earned = await openTill()
    await connect(customer)
    await wallet.approve('Sign a Permit')
    await wallet.asks('Pay 25 USDC')
    await page.reload()
    await reads('Did you confirm it in your wallet?')
    expect(await wallet.isOpen()).toBe(false)
    await press('Ask my wallet again')
    await wallet.approve('Sign a Permit')
    await wallet.approve('Pay 25 USDC')
    await isPaid(customer)
    expect(await earned()).toEqual(split)
  }))

test('a wallet that does not answer is waited for, and its late answer pays', () =>
  buy(async (customer) => {
    const { wallet, press, reads, page } = customer
    const earned = await openTill()
    await connect(customer)
    await wallet.approve('Sign a Permit')
    await wallet.asks('Pay 25 USDC')
    await wallet.reject('Pay 25 USDC')
    await wallet.behaves('silent')
    await page.clock.install()
    await press('Try again')
    await reads('Sign for 25.00 USDC in your wallet')
    await page.clock.fastForward(20_000)
    await reads('No answer yet.')
    await wallet.behaves('honest')
    await wallet.approve('Sign a Permit')
    await wallet.approve('Pay 25 USDC')
    await isPaid(customer)
    expect(await earned()).toEqual(split)
  }))

test('the service is away while the wallet pays, and the page catches up', () =>
  buy(
    async (customer) => {
      const { wallet } = customer
      const earned = await openTill()
      await connect(customer)
      await wallet.approve('Sign a Permit')
      await wallet.asks('Pay 25 USDC')
      await customer.page.clock.install()
      await bff.kill()
      await wallet.approve('Pay 25 USDC')
      await customer.reads('Please don’t pay again.')
      await bff.start()
      await customer.readsAhead('Payment detected')
      await isPaid(customer)
      expect(await earned()).toEqual(split)
    },
    { tolerated: serviceAway },
  ))

test('a customer goes from the wallet back to the address, and the shop is paid once', () =>
  buy(async (customer) => {
    const { wallet, press, reads } = customer
    await connect(customer)
    await wallet.reject('Sign a Permit')
    await press('Pay to an address instead')
    await reads('Waiting for your payment')
    const address = await customer.address()
    await press('Pay as the test customer')
    await reads('Payment detected')
    await chain.mine(2)
    await expect.poll(customer.title).toBe('Paid')
    const open = 'select id from payments where order_id = ? and closed_as is null'
    expect(await bff.query<{ id: string }>(open, customer.orderId())).toHaveLength(1)
    // The next story counts what the merchant has.
    await until('the deposit to be forwarded', () => chain.hasCode(address))
  }))

// Last, because it takes the chain's clock ahead of ours.
test('a customer who approves after the window has paid nothing, and starts again', () =>
  buy(async (customer) => {
    const { wallet, press, reads } = customer
    const earned = await openTill()
    await connect(customer)
    await wallet.approve('Sign a Permit')
    await wallet.asks('Pay 25 USDC')
    await chain.travel(30 * 60 + 60)
    await wallet.approve('Pay 25 USDC')
    await expect.poll(customer.title).toBe('Time is up')
    expect(await earned()).toEqual({ merchant: '0.00', platform: '0.00' })
    await press('Start again')
    await reads('Waiting for your payment')
    await press('Pay with wallet')
    await press('Test wallet')
    await wallet.approve('Sign a Permit')
    await wallet.approve('Pay 25 USDC')
    await expect.poll(async () => (await earned()).merchant).toBe('24.625')
    await chain.mine(2)
    await expect.poll(customer.title).toBe('Paid')
  }))

const approveData = (spender: string, amount: bigint) =>
  encodeFunctionData({ abi: testUsdt.abi, functionName: 'approve', args: [spender as Hex, amount] })
