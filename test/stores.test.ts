import { PublicKey } from '@solana/web3.js'
import { InvoicesService, OpenAPI, PullPaymentsManagementService, WebhooksService } from 'btcpay-greenfield-node-client'
import { encodeFunctionData, type Hex } from 'viem'
import { afterAll, expect, test } from 'vitest'
import { expectBooksToClose } from './harness/books.ts'
import { confirmationsRequired, erc20 } from './harness/chain.ts'
import { openGreenfieldShop } from './harness/greenfield-shop.ts'
import { pairStore } from './harness/pair-store.ts'
import { openStory } from './harness/story.ts'
import { until } from './harness/until.ts'

const rates = { USDC: { EUR: 0.8, USD: 1 }, USDT: { EUR: 0.8, USD: 1 } }
const story = await openStory('stores-client', {
  solana: true,
  keepsPort: true,
  settings: { parts: { stores: true }, rates: { fixed: { asOf: new Date().toISOString(), ...rates } } },
})
const { bff, chain, wallets } = story
const solana = story.onSolana
if (!solana) throw new Error('The story is not on Solana')

const shop = await openGreenfieldShop('a secret of the shop')
afterAll(() => shop.close())

const storeId = bff.merchant.merchantId
const serverKeys = { 'x-api-key': bff.merchant.apiKey, 'x-api-secret': bff.merchant.apiSecret }
/** The window, and a second so that it is over. */
const windowSeconds = 901

/** All that the tests need, and of it everything that a shop's plug-in asks for. */
const permissions = [
  'canviewinvoices',
  'cancreateinvoice',
  'canmodifyinvoices',
  'canviewstoresettings',
  'cancreatenonapprovedpullpayments',
  'webhooks.canmodifywebhooks',
].map((one) => `btcpay.store.${one}`)
OpenAPI.BASE = `${bff.url()}/btcpay`
OpenAPI.TOKEN = await pairStore(story, permissions)
await WebhooksService.postWebhooksService({
  storeId,
  requestBody: { url: `${shop.origin}/hook`, secret: 'a secret of the shop' } as never,
})

type Invoice = { id: string; status: string; additionalStatus: string; paidAmount: string }
type Method = { paymentMethodId: string; totalPaid: string; due: string; payments: { id: string; value: string }[] }

/** An invoice over 20 EUR, which are 25 USDC. */
async function newInvoice(orderId: string): Promise<string> {
  const requestBody = { amount: '20.00', currency: 'EUR', metadata: { orderId } }
  const made = await InvoicesService.invoicesCreateInvoice({ storeId, requestBody: requestBody as never })
  return (made as unknown as Invoice).id
}

const read = async (invoiceId: string) =>
  (await InvoicesService.invoicesGetInvoice({ storeId, invoiceId })) as unknown as Invoice

const methodOf = async (invoiceId: string, id: string) =>
  ((await InvoicesService.invoicesGetInvoicePaymentMethods({ storeId, invoiceId })) as unknown as Method[]).find(
    ({ paymentMethodId }) => paymentMethodId === id,
  )

/** The customer chooses a token on the payment page. */
async function choose(invoiceId: string, network = 'devnet') {
  const body = JSON.stringify({ network, currency: 'USDC' })
  const headers = { 'content-type': 'application/json' }
  const { body: answer } = await bff.ask(`/api/v1/links/public/${invoiceId}/create`, { method: 'POST', headers, body })
  return answer['payment'] as { id: string; depositAddress: string }
}

/** The shop refunds an order, as its plug-in does. @returns the refund's id, and the page where the customer names an address. */
async function refund(orderId: string, amount: string) {
  const requestBody = {
    name: `Refund of order ${orderId}; broken`,
    amount,
    currency: 'EUR',
    paymentMethods: ['USDC_devnet'],
  }
  const made = await PullPaymentsManagementService.pullPaymentsCreatePullPayment({
    storeId,
    requestBody: requestBody as never,
  })
  const { id, viewLink } = made as unknown as { id: string; viewLink: string }
  return { id, page: new URL(viewLink) }
}

type Refund = { status: string; paid: string; paymentUri: string }

const readRefund = async (id: string) => (await bff.get(`/refunds/${id}`)).body['refund'] as unknown as Refund

/** What the refund's page does for the customer, who has its link and no key. */
async function nameAddress(page: URL, address: string): Promise<void> {
  const clientSecret = page.hash.slice('#client_secret='.length)
  const body = JSON.stringify({ address, clientSecret })
  const headers = { 'content-type': 'application/json' }
  const id = page.pathname.split('/').at(-1)
  expect(await bff.ask(`/api/v1/refunds/${id}/address`, { method: 'POST', headers, body })).toMatchObject({
    status: 200,
  })
}

/** A plain transfer of the merchant's wallet, which the service finds. */
async function payFromWallet(to: string, units: bigint): Promise<void> {
  const { rpc, token } = chain.node()
  const from = wallets.merchant
  await rpc('anvil_impersonateAccount', from)
  await rpc('anvil_setBalance', from, '0x8ac7230489e80000')
  const data = encodeFunctionData({ abi: erc20, functionName: 'transfer', args: [to as Hex, units] })
  await rpc('eth_sendTransaction', { from, to: token().address, data })
}

const settled = ['Created', 'ReceivedPayment', 'Processing', 'PaymentSettled', 'Settled']

test('an invoice is paid on Solana, and the merchant’s wallet pays its refund to the address that the customer names', async () => {
  const invoice = await newInvoice('2000')
  const { depositAddress: address } = await choose(invoice, 'solana-devnet')
  const onward = (what: string, look: () => Promise<boolean>) =>
    until(what, async () => {
      if (await look()) return true
      await solana.chain.advance(2)
      return false
    })
  await onward('the account to be made', () => solana.chain.hasAccount(address))
  const signature = await solana.chain.pay(address, '25.00')
  await onward('the invoice to be settled', async () => (await read(invoice)).status === 'Settled')
  expect(await read(invoice)).toMatchObject({ additionalStatus: 'None', paidAmount: '20.00' })
  const method = await methodOf(invoice, 'USDC-solanadevnet')
  expect(method).toMatchObject({ totalPaid: '25.00', due: '0.00', payments: [{ value: '25.00' }] })
  expect(method?.payments[0]?.id.split('-')[0]).toBe(signature)
  await expect.poll(() => shop.types(invoice)).toEqual(settled)
  await onward('the sweep', async () => (await solana.chain.balance(solana.merchant)) === '24.625')

  const { id, page } = await refund('2000', '16.00')
  const customer = await solana.chain.newWallet()
  await solana.chain.finalize()
  await nameAddress(page, customer)
  const { paymentUri } = await readRefund(id)
  const pay = solana.chain.transferTo(customer, '20.00', 'USDC', solana.merchantKey.publicKey)
  const reference = new PublicKey(new URL(paymentUri).searchParams.get('reference') ?? '')
  pay.at(-1)?.keys.push({ pubkey: reference, isSigner: false, isWritable: false })
  await solana.chain.send(pay, solana.chain.payer, solana.merchantKey)
  await solana.chain.finalize()
  await onward('the refund to be paid', async () => (await readRefund(id)).status === 'paid')
  expect(await readRefund(id)).toMatchObject({ paid: '20.00' })
  expect(await solana.chain.balance(customer)).toBe('20.00')
  expect(await solana.chain.balance(solana.merchant)).toBe('4.625')
  await expect.poll(() => shop.types(invoice)).toEqual([...settled, 'Refund'])
  expect(shop.heard(invoice).at(-1)?.body).toMatchObject({ pullPaymentId: id })
})

test('on an EVM network the merchant’s wallet pays the refund to the payer, exact on both sides', async () => {
  const till = await story.openTill()
  const invoice = await newInvoice('2001')
  const { depositAddress } = await choose(invoice)
  await chain.pay(depositAddress, '25.00')
  await chain.mine(confirmationsRequired)
  await expect.poll(() => shop.types(invoice)).toEqual(settled)
  await until('the money to be forwarded', () => chain.hasCode(depositAddress))
  await chain.mine(confirmationsRequired)
  expect(await till()).toEqual({ merchant: '24.625', platform: '0.375' })

  const { id, page } = await refund('2001', '5.00')
  const payer = `0x${'c0ffee'.repeat(6)}0e31`
  await nameAddress(page, payer)
  await payFromWallet(payer, 6_250_000n)
  await until('the refund to be paid', async () => {
    await chain.mine(1)
    return (await readRefund(id)).status === 'paid'
  })
  expect(await chain.balance('USDC', payer)).toBe(6_250_000n)
  expect(await till()).toEqual({ merchant: '18.375', platform: '0.375' })
  await expect.poll(() => shop.types(invoice).at(-1)).toBe('Refund')
})

test('too much is PaidOver, nothing is Expired, and what comes after the end is PaidLate before it is settled', async () => {
  const [over, none, late] = [await newInvoice('2002'), await newInvoice('2003'), await newInvoice('2004')]
  await chain.pay((await choose(over)).depositAddress, '30.00')
  await chain.mine(confirmationsRequired)
  await expect.poll(() => shop.types(over)).toEqual(settled)
  expect(await read(over)).toMatchObject({ status: 'Settled', additionalStatus: 'PaidOver', paidAmount: '24.00' })
  expect(shop.heard(over).at(-1)?.body).toMatchObject({ overPaid: true })

  const payment = await choose(late)
  await bff.kill()
  await bff.start({ aheadMs: windowSeconds * 1000 })
  await chain.travel(windowSeconds)
  await expect.poll(() => shop.types(none)).toEqual(['Created', 'Expired'])
  await expect.poll(() => shop.types(late)).toEqual(['Created', 'Expired'])
  expect(await read(none)).toMatchObject({ status: 'Expired', additionalStatus: 'None' })
  await chain.pay(payment.depositAddress, '25.00')
  await chain.mine(confirmationsRequired)
  await expect.poll(() => shop.types(late)).toEqual(['Created', 'Expired', 'ReceivedPayment', 'PaymentSettled'])
  expect(await read(late)).toMatchObject({ status: 'Expired', additionalStatus: 'PaidLate' })
  expect(
    shop
      .heard(late)
      .slice(-2)
      .map(({ body }) => body['afterExpiration']),
  ).toEqual([true, true])

  const accept = { method: 'POST', headers: serverKeys }
  const accepted = await bff.ask(`/api/v1/payments/${payment.id}/accept-late`, accept)
  expect(accepted).toMatchObject({ status: 200 })
  await expect.poll(() => shop.types(late).at(-1)).toBe('Settled')
  expect(await read(late)).toMatchObject({ status: 'Settled', additionalStatus: 'PaidLate' })
  expect(shop.heard(late).every(({ isSigned }) => isSigned)).toBe(true)
})

test('the books equal the chains', async () => {
  await chain.mine(confirmationsRequired)
  await expectBooksToClose(story)
})
