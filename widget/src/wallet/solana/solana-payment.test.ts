import { expect } from '@open-wc/testing'
import { parseAnswer } from '../../api/parse-answer.ts'
import type { Answer } from '../../payment.ts'
import { pinsOf } from '../../pins.ts'
import type { Intent } from '../../terms.ts'
import { CheckoutPage } from '../../test/page.ts'
import { EmulatedService, paid, paymentId, seen, type Wire, wireAnswer } from '../../test/service.ts'
import { EmulatedSolanaWallet } from '../../test/solana.ts'
import {
  account,
  creation,
  depositAccount,
  memo,
  merchant,
  merchantAccount,
  mint,
  type Parts,
  platform,
  platformAccount,
  reference,
  signature,
  solanaContract,
  solanaContractId,
  solanaDeposit,
  source,
  sponsoredTransaction,
  transaction,
  transfer,
} from '../../test/solana-wire.ts'
import { turnOfPage, waitUntil } from '../../test/wait-until.ts'
import { paidWords, pressWhenShown, shown } from '../../test/wallet-stage.ts'
import { timing } from '../../timing.ts'
import { savePendingTransaction } from '../pending-transactions.ts'
import { expectedTransaction } from './solana-order.ts'
import { type Expected, verifyTransaction } from './solana-transaction.ts'
import { toBase58, tokenAccountOf } from './token-account.ts'

const thief = toBase58(new Uint8Array(32).fill(66))
const thiefAccount = await tokenAccountOf(mint, thief)
const computeBudget = 'ComputeBudget111111111111111111111111111111'

/** Parts that a compromised service could put into the transaction. */
const attacks: ((parts: Parts) => void)[] = [
  (parts) => {
    parts.payer = thief
  },
  ({ instructions }) => instructions.push(transfer(thiefAccount, 1n)),
  ({ instructions }) => instructions.splice(1, 1, transfer(thiefAccount, 24_625_000n, [reference])),
  ({ instructions }) => instructions.splice(0, 1, transfer(platformAccount, 2n ** 63n)),
  ({ instructions }) => instructions.splice(0, 2, transfer(merchantAccount, 25_000_000n, [reference])),
  ({ instructions }) => instructions.splice(1, 1, transfer(merchantAccount, 24_625_000n, [thief])),
  ({ instructions }) => instructions.splice(1, 1, transfer(merchantAccount, 24_625_000n)),
  ({ instructions }) => instructions.reverse(),
  ({ instructions }) => instructions.unshift(creation(thiefAccount, thief)),
  ({ instructions }) => instructions.unshift(creation(merchantAccount, thief)),
  ({ instructions }) => instructions.unshift({ program: computeBudget, accounts: [], data: [3, 255, 255, 255, 255] }),
  ({ instructions: [first] }) => first?.accounts.splice(1, 1, { key: reference }),
  ({ instructions: [first] }) => first?.accounts.splice(1, 1, { key: mint, isWritable: true }),
  ({ instructions: [first] }) => first?.accounts.splice(0, 1, { key: thiefAccount, isWritable: true }),
  ({ instructions: [first] }) => first?.accounts.push({ key: thief, isWritable: true }),
  ({ instructions: [first] }) => first?.accounts.push({ key: thief, isSigner: true }),
  ({ instructions: [first] }) => first?.data.splice(0, 1, 3),
  ({ instructions: [first] }) => first?.data.splice(9, 1, 9),
  ({ instructions: [first] }) => first?.data.push(0),
  ({ more }) => more.push(0),
]

const usual = { ...timing }
let service: EmulatedService
let wallet: EmulatedSolanaWallet
let contract: Wire
let handedOut: { status: number; body: Wire }
let orders = 0

// Loaded in advance, as when a customer sees the button: a busy machine takes time to compile it.
await Promise.all([import('../wallet-payments.ts'), import('./solana-payment.ts'), import('../../screens.ts')])

setup(() => {
  Object.assign(timing, { pollMs: 20, findMs: 50, slowMs: 200, retryMs: 20, landsMs: 60_000 })
  sessionStorage.clear()
  for (const id of [paymentId, solanaContractId]) savePendingTransaction(id, null)
  contract = {}
  handedOut = { status: 200, body: { transaction: transaction(), message: '25.00 USDC to Moss & Fern' } }
  service = new EmulatedService()
  service.payment = solanaDeposit
  service.more = (_, path) => {
    if (path.startsWith('payments/solana-pay/'))
      return new Response(JSON.stringify(handedOut.body), { status: handedOut.status })
    if (path === 'payments/create') service.payment = { ...service.payment, outcome: 'failed', isFinal: true }
    if (path === 'payments/create' || path === `payments/public/${solanaContractId}`)
      return new Response(JSON.stringify(wireAnswer({ ...solanaContract, ...contract })))
    if (path === 'payments/process') return new Response('{}', { status: contract['outcome'] === 'paid' ? 200 : 400 })
    return null
  }
  wallet = new EmulatedSolanaWallet()
  wallet.onSent = () => {
    contract = { ...paid, transactionHash: signature }
  }
})

teardown(() => {
  wallet.remove()
  service.restore()
  Object.assign(timing, usual)
})

const posts = (path: string) => service.asked.filter(({ method, url }) => method === 'POST' && url.includes(path))
const open = (attributes: Record<string, string> = {}) =>
  CheckoutPage.open({ network: 'solana-devnet', 'order-id': `solana-${orders++}`, ...attributes })

async function pay(): Promise<CheckoutPage> {
  const page = await open()
  await page.press('Pay with wallet')
  await pressWhenShown(page, 'Tide Wallet')
  return page
}

suite('a payment on Solana', () => {
  test('takes two taps and one transaction, and is reported with its sender', async () => {
    const page = await pay()
    await shown(page, paidWords)
    expect(wallet.prompts).to.deep.equal(['connect', 'send'])
    expect(wallet.sent[0]?.chain).to.equal('solana:devnet')
    expect(btoa(String.fromCharCode(...(wallet.sent[0]?.transaction ?? [])))).to.equal(transaction())
    expect(posts('payments/create')[0]?.body).to.include({ existingPaymentId: paymentId, network: 'solana-devnet' })
    expect(posts('payments/solana-pay')[0]?.body).to.deep.equal({ account, feePayer: 'customer' })
    await waitUntil(() => posts('payments/process').length > 0)
    const report = { paymentId: solanaContractId, network: 'solana-devnet', transactionHash: signature }
    expect(posts('payments/process')[0]?.body).to.deep.equal({ ...report, senderAddress: account })
    expect(page.names()).to.include('sc-transaction-sent').and.to.include('sc-paid')
  })

  test('is not requested when the transaction does anything but pay', async () => {
    for (const wrong of attacks) {
      handedOut.body = { transaction: transaction(wrong) }
      service.payment = solanaDeposit
      const page = await pay()
      await shown(page, 'Couldn’t prepare the payment')
      page.element.remove()
    }
    expect(wallet.sent).to.deep.equal([])
  })

  test('can be declined and retried', async () => {
    const page = await open()
    await page.press('Pay with wallet')
    await shown(page, 'Tide Wallet')
    const answer = wallet.holdBack()
    await page.press('Tide Wallet')
    await shown(page, 'in your wallet')
    await waitUntil(() => wallet.prompts.includes('send'))
    wallet.fault = Object.assign(new Error('User rejected the request.'), { code: 4001 })
    answer()
    await shown(page, 'Not confirmed in your wallet')
    await page.press('Try again')
    await shown(page, paidWords)
  })

  test('is not requested again while the first transaction may still land', async () => {
    wallet.onSent = () => {
      throw new Error('The wallet has lost its connection.')
    }
    const page = await pay()
    await waitUntil(() => wallet.sent.length === 1)
    await waitUntil(() => page.find('[role=alert]'))
    expect(page.text()).not.to.include('Another wallet')
    expect(page.text()).not.to.include('ask again')
    timing.landsMs = 0
    wallet.onSent = () => {
      contract = paid
    }
    await pressWhenShown(page, 'There’s no request: ask again')
    await shown(page, paidWords)
    expect(wallet.sent).to.have.length(2)
  })

  test('is forgotten when the element was removed and the customer declines', async () => {
    const page = await open()
    await page.press('Pay with wallet')
    const decline = wallet.holdBack()
    await pressWhenShown(page, 'Tide Wallet')
    await waitUntil(() => wallet.prompts.includes('send'))
    const { parentElement } = page.element
    page.element.remove()
    wallet.fault = Object.assign(new Error('User rejected the request.'), { code: 4001 })
    decline()
    await waitUntil(() => !page.element.isPaying)
    parentElement?.append(page.element)
    await pressWhenShown(page, 'Try again')
    await shown(page, paidWords)
  })

  test('stays on record when the request before it is declined at last', async () => {
    wallet.onSent = () => {}
    const declineFirst = wallet.holdBack()
    const attributes = { 'order-id': 'solana-two-requests' }
    const page = await open(attributes)
    await page.press('Pay with wallet')
    await pressWhenShown(page, 'Tide Wallet')
    timing.landsMs = 0
    await pressWhenShown(page, 'I don’t see a request')
    wallet.holdBack()()
    await shown(page, 'There’s no request: ask again')
    timing.landsMs = 60_000
    await page.press('There’s no request: ask again')
    await shown(page, 'Payment sent')
    wallet.fault = Object.assign(new Error('User rejected the request.'), { code: 4001 })
    declineFirst()
    await waitUntil(() => wallet.fault === null)
    await turnOfPage()
    page.element.remove()
    const again = await open(attributes)
    await shown(again, 'Payment sent')
    expect(wallet.sent).to.have.length(1)
  })

  test('under way at a reload is followed, not requested again', async () => {
    wallet.onSent = () => {}
    const attributes = { 'order-id': 'solana-reload' }
    const page = await open(attributes)
    await page.press('Pay with wallet')
    await pressWhenShown(page, 'Tide Wallet')
    await shown(page, 'Payment sent')
    page.element.remove()
    const again = await open(attributes)
    await shown(again, 'Payment sent')
    contract = { ...seen, transactionHash: signature }
    await again.pollUntilShown('detected')
    expect(wallet.sent).to.have.length(1)
  })

  test('shows why the service made no transaction', async () => {
    const message = 'The wallet has 1.00 of 25.00 USDC on Solana devnet.'
    handedOut = { status: 400, body: { code: 'INSUFFICIENT_FUNDS', message } }
    const page = await pay()
    await shown(page, 'Your account doesn’t hold enough of this token.')
    expect(page.text()).not.to.include(message)
    expect(wallet.sent).to.deep.equal([])
  })

  test('shows a QR code for phones beside the wallets, if the service offers one', async () => {
    service.payment = solanaContract
    const page = await open()
    await shown(page, 'Or scan this with a wallet on your phone')
    expect(page.find('svg[part=qr]')).not.to.equal(null)
  })

  test('offers no wallet of another chain family', async () => {
    wallet.remove()
    const elsewhere = new EmulatedSolanaWallet(['sui:mainnet'])
    const page = await open()
    await page.press('Pay with wallet')
    await shown(page, 'No wallet found')
    elsewhere.remove()
  })
})

suite('a payment whose fee the service pays', () => {
  let authorized: { status: number; body: Wire }
  let sponsored: { status: number; body: Wire }

  setup(() => {
    wallet.canSign = true
    sponsored = { status: 200, body: { transaction: sponsoredTransaction() } }
    authorized = { status: 200, body: { success: true, state: 'accepted', transactionHash: signature } }
    service.payment = { ...solanaDeposit, sponsored: true }
    const { more } = service
    service.more = (method, path, body) => {
      if (path === `payments/solana-pay/${paymentId}`)
        return new Response(JSON.stringify(sponsored.body), { status: sponsored.status })
      if (!path.endsWith('/authorize')) return more(method, path, body)
      if (authorized.status === 200) service.payment = { ...service.payment, ...paid, transactionHash: signature }
      return new Response(JSON.stringify(authorized.body), { status: authorized.status })
    }
  })

  test('is one signature, shows who pays the fee, and is submitted to the service', async () => {
    const page = await open()
    const answer = wallet.holdBack()
    await page.press('Pay with wallet')
    await pressWhenShown(page, 'Tide Wallet')
    await shown(page, 'The shop pays the network fee')
    await expect(page.element).to.be.accessible()
    answer()
    await shown(page, paidWords)
    expect(wallet.prompts).to.deep.equal(['connect', 'sign'])
    const [posted] = posts('/authorize')
    expect(posted?.url).to.include(`/payments/${paymentId}/authorize`)
    expect(posted?.body).to.deep.equal({ transaction: sponsoredTransaction() })
    expect(posts('payments/create')).to.deep.equal([])
    // The page of an earlier test may still send its report.
    const reported = posts('payments/process').filter(({ body }) => (body as Wire)['paymentId'] === paymentId)
    expect(reported, 'the service has sent it itself').to.deep.equal([])
    expect(page.names()).to.include('sc-transaction-sent').and.to.include('sc-paid')
  })

  test('does not say that nothing was paid while the signature is being submitted', async () => {
    const answer = wallet.holdBack()
    const page = await pay()
    await waitUntil(() => wallet.prompts.includes('sign'))
    const held = service.holdBack()
    answer()
    await shown(page, 'don’t pay again')
    expect(page.text()).not.to.include('Nothing has been paid')
    held.answer()
    await shown(page, paidWords)
  })

  test('is discarded when the money of the QR code arrives while the wallet signs', async () => {
    const answer = wallet.holdBack()
    const page = await pay()
    await waitUntil(() => wallet.prompts.includes('sign'))
    const { payment } = service
    service.payment = { ...payment, ...seen }
    await page.pollUntilShown('Payment detected')
    answer()
    await turnOfPage()
    service.payment = payment
    await page.pollUntilShown('The payment on screen has changed')
    expect(posts('/authorize')).to.deep.equal([])
  })

  test('declined by the customer costs nothing, and is asked again on a tap', async () => {
    const answer = wallet.holdBack()
    const page = await pay()
    await waitUntil(() => wallet.prompts.includes('sign'))
    wallet.fault = Object.assign(new Error('User rejected the request.'), { code: 4001 })
    answer()
    await shown(page, 'Not confirmed in your wallet')
    expect(posts('/authorize')).to.deep.equal([])
    await page.press('Try again')
    await shown(page, paidWords)
    expect(wallet.prompts).to.deep.equal(['connect', 'sign', 'sign'])
  })

  test('is the customer’s own transaction when the service does not offer it, or refuses the signature', async () => {
    service.payment = solanaDeposit
    const unoffered = await pay()
    await shown(unoffered, paidWords)
    expect(wallet.prompts).to.deep.equal(['connect', 'send'])
    expect(posts(`solana-pay/${paymentId}`)).to.deep.equal([])
    unoffered.element.remove()

    sponsored = { status: 200, body: { transaction: sponsoredTransaction() } }
    authorized = { status: 429, body: { success: false, code: 'DAILY_LIMIT', message: 'no' } }
    contract = {}
    service.payment = { ...solanaDeposit, sponsored: true }
    const refused = await pay()
    await shown(refused, paidWords)
    expect(wallet.prompts).to.deep.equal(['connect', 'send', 'sign', 'send'])
    expect(posts('/authorize')).to.have.length(1)
  })

  test('is the customer’s own transaction when the wallet cannot sign it, or the page pins the merchant’s wallet', async () => {
    const page = await open({ 'merchant-wallet': merchant, 'max-fee-bps': '150' })
    await page.press('Pay with wallet')
    await pressWhenShown(page, 'Tide Wallet')
    await shown(page, paidWords)
    expect(wallet.prompts).to.deep.equal(['connect', 'send'])
  })

  test('is not requested again while a signature of unknown outcome may land', async () => {
    authorized = { status: 409, body: { success: false, code: 'AUTHORIZATION_UNDER_WAY', message: 'wait' } }
    const page = await pay()
    await waitUntil(() => page.find('[role=alert]'))
    expect(page.text()).not.to.include('ask again')
    expect(wallet.prompts).to.deep.equal(['connect', 'sign'])
  })

  test('is never requested when the transaction does anything but pay', async () => {
    const wrongs: ((parts: Parts) => void)[] = [
      ({ instructions }) => instructions.splice(2, 1, transfer(thiefAccount, 25_000_000n)),
      ({ instructions }) => instructions.splice(2, 1, transfer(depositAccount, 25_000_001n)),
      ({ instructions }) => instructions.splice(2, 0, transfer(thiefAccount, 1n)),
      ({ instructions }) => instructions.splice(3, 1, memo('another')),
      ({ instructions }) => instructions.splice(3, 1),
      ({ instructions }) => instructions.splice(3, 1, transfer(depositAccount, 25_000_000n)),
      ({ instructions }) => instructions[2]?.accounts.push({ key: thief, isWritable: true }),
      ({ instructions }) => instructions[2]?.data.splice(9, 1, 9),
      (parts) => {
        parts.payer = account
      },
    ]
    for (const wrong of wrongs) {
      sponsored = { status: 200, body: { transaction: sponsoredTransaction(wrong) } }
      service.payment = { ...solanaDeposit, sponsored: true }
      const page = await pay()
      await shown(page, 'Couldn’t prepare the payment')
      page.element.remove()
    }
    expect(wallet.prompts).not.to.include('sign')
  })
})

suite('the wallet’s transaction', () => {
  const bytes = (text: string) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  const expected: Expected = {
    ...{ account, source, mint, decimals: 6, reference },
    recipients: [
      { owner: platform, account: platformAccount, amount: 375_000n },
      { owner: merchant, account: merchantAccount, amount: 24_625_000n },
    ],
  }

  test('contains only the payment, and creates the recipients’ missing token accounts', () => {
    verifyTransaction(bytes(transaction()), expected)
    const opening = ({ instructions }: Parts) =>
      instructions.unshift(creation(platformAccount, platform), creation(merchantAccount, merchant))
    verifyTransaction(bytes(transaction(opening)), expected)
    for (const attack of attacks)
      expect(() => verifyTransaction(bytes(transaction(attack)), expected)).to.throw(RangeError)
    for (const wrong of [transaction().slice(0, 200), ''])
      expect(() => verifyTransaction(bytes(wrong), expected)).to.throw()
  })

  test('goes to the page’s recipients, in the network’s token', async () => {
    const answer = (over: Wire = {}) => parseAnswer(wireAnswer({ ...solanaContract, ...over })) as Answer
    const intent: Intent = { type: 'follow', apiBase: 'https://pay.example', paymentId: solanaContractId }
    const none = pinsOf({ splitter: '', merchantWallet: '', maxFeeBps: '', tokenAddress: '' })
    const terms = { intent, pins: none, account }
    expect(await expectedTransaction(answer(), terms)).to.deep.equal(expected)
    const pinned = {
      ...terms,
      pins: { ...none, merchantWallets: ['0x1', merchant], maxFeeBps: 150, tokenAddress: mint },
    }
    expect(await expectedTransaction(answer(), pinned)).to.deep.equal(expected)
    const mainnet = { network: 'solana', Network: { name: 'Solana', shortName: 'solana', type: 'solana' } }
    const [dearer] = [reference]
    const Token = { symbol: 'USDC', contractAddress: dearer, decimals: 6 }
    for (const [over, more] of [
      [{ merchantWallet: reference }, pinned],
      [{ platformPercentage: 151 }, pinned],
      [{ platformPercentage: 10_001 }, terms],
      [{ platformPercentage: -1 }, terms],
      [{ Token }, pinned],
      [{ ...mainnet, Token }, terms],
      [{ ...mainnet, Token: { ...Token, contractAddress: mint, decimals: 9 } }, terms],
      [{ merchantWallet: 'nobody' }, terms],
    ] as const) {
      const error = await expectedTransaction(answer(over), more).catch((reason: unknown) => reason)
      expect(error, JSON.stringify(over)).to.be.instanceOf(RangeError)
    }
  })

  test('base58 keeps leading zeros', () => {
    expect(toBase58(new Uint8Array(32))).to.equal('1'.repeat(32))
    expect(toBase58(new Uint8Array([0, 0, 1, 0]))).to.equal('115R')
  })
})
