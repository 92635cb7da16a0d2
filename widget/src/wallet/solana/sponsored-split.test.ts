import { expect } from '@open-wc/testing'
import { CheckoutPage } from '../../test/page.ts'
import { EmulatedService, paid, paymentId, type Wire, wireAnswer } from '../../test/service.ts'
import { EmulatedSolanaWallet } from '../../test/solana.ts'
import {
  account,
  creation,
  memo,
  merchant,
  merchantAccount,
  mint,
  type Parts,
  platformAccount,
  reference,
  signature,
  solanaContract,
  solanaContractId,
  solanaDeposit,
  sponsoredSplit,
  transaction,
  transfer,
} from '../../test/solana-wire.ts'
import { waitUntil } from '../../test/wait-until.ts'
import { paidWords, pressWhenShown, shown } from '../../test/wallet-stage.ts'
import { timing } from '../../timing.ts'
import { savePendingTransaction } from '../pending-transactions.ts'
import { toBase58, tokenAccountOf } from './token-account.ts'

const thief = toBase58(new Uint8Array(32).fill(66))
const thiefAccount = await tokenAccountOf(mint, thief)
const pinned = { 'merchant-wallet': merchant, 'max-fee-bps': '150' }

// Loaded in advance, as when a customer sees the button: a busy machine takes time to compile it.
await Promise.all([import('../wallet-payments.ts'), import('./solana-payment.ts'), import('../../screens.ts')])

suite('a wallet payment whose fee the service pays', () => {
  const usual = { ...timing }
  let service: EmulatedService
  let wallet: EmulatedSolanaWallet
  let contract: Wire
  let sponsored: { status: number; body: Wire }
  let authorized: { status: number; body: Wire }

  setup(() => {
    Object.assign(timing, { pollMs: 20, findMs: 50, slowMs: 200, retryMs: 20, landsMs: 60_000 })
    sessionStorage.clear()
    for (const id of [paymentId, solanaContractId]) savePendingTransaction(id, null)
    contract = { sponsored: true }
    sponsored = { status: 200, body: { transaction: sponsoredSplit() } }
    authorized = { status: 200, body: { success: true, state: 'accepted', transactionHash: signature } }
    service = new EmulatedService()
    service.payment = { ...solanaDeposit, sponsored: true }
    const settle = () => {
      contract = { ...paid, transactionHash: signature }
    }
    const json = (body: object, status = 200) => new Response(JSON.stringify(body), { status })
    service.more = (_, path, body) => {
      if (path === `payments/solana-pay/${solanaContractId}`)
        return body['feePayer'] === 'service'
          ? json(sponsored.body, sponsored.status)
          : json({ transaction: transaction() })
      if (path === 'payments/create') service.payment = { ...service.payment, outcome: 'failed', isFinal: true }
      if (path === 'payments/create' || path === `payments/public/${solanaContractId}`)
        return json(wireAnswer({ ...solanaContract, ...contract }))
      if (path === 'payments/process') return json({}, contract['outcome'] === 'paid' ? 200 : 400)
      if (!path.endsWith('/authorize')) return null
      if (authorized.status === 200) settle()
      return json(authorized.body, authorized.status)
    }
    wallet = new EmulatedSolanaWallet()
    wallet.canSign = true
    wallet.onSent = settle
  })

  teardown(() => {
    wallet.remove()
    service.restore()
    Object.assign(timing, usual)
  })

  const ofServer = { 'payment-id': solanaContractId, 'public-key': '', amount: '', network: '' }
  const posts = (path: string) => service.asked.filter(({ method, url }) => method === 'POST' && url.includes(path))
  const feePayers = () => posts(`solana-pay/${solanaContractId}`).map(({ body }) => (body as Wire)['feePayer'])

  async function pay(attributes: Record<string, string> = {}): Promise<CheckoutPage> {
    const page = await CheckoutPage.open({ ...ofServer, ...attributes })
    await pressWhenShown(page, 'Tide Wallet')
    return page
  }

  test('is one signature, shows who pays the fee, and is submitted to the service', async () => {
    const answer = wallet.holdBack()
    const page = await pay(pinned)
    await shown(page, 'The shop pays the network fee')
    await expect(page.element).to.be.accessible()
    answer()
    await shown(page, paidWords)
    expect(wallet.prompts).to.deep.equal(['connect', 'sign'])
    const [asked] = posts(`solana-pay/${solanaContractId}`)
    expect(asked?.body).to.deep.equal({ account, feePayer: 'service' })
    const [posted] = posts('/authorize')
    expect(posted?.url).to.include(`/payments/${solanaContractId}/authorize`)
    expect(posted?.body).to.deep.equal({ transaction: sponsoredSplit() })
    expect(page.names()).to.include('sc-transaction-sent').and.to.include('sc-paid')
  })

  test('replaces the deposit of a page that pins the merchant’s wallet', async () => {
    const page = await CheckoutPage.open({ network: 'solana-devnet', 'order-id': 'sponsored-split', ...pinned })
    await page.press('Pay with wallet')
    await pressWhenShown(page, 'Tide Wallet')
    await shown(page, paidWords)
    expect(wallet.prompts).to.deep.equal(['connect', 'sign'])
    expect(posts(`solana-pay/${paymentId}`)).to.deep.equal([])
    expect(posts('/authorize')[0]?.body).to.deep.equal({ transaction: sponsoredSplit() })
    const reported = posts('payments/process').filter(({ body }) => (body as Wire)['paymentId'] === solanaContractId)
    expect(reported, 'the service has sent it itself').to.deep.equal([])
  })

  test('is the customer’s own transaction when the service makes none, refuses it, or the wallet cannot sign it', async () => {
    sponsored = { status: 400, body: { code: 'NO_TOKEN_ACCOUNT', message: 'The shop has no account for this token.' } }
    const unmade = await pay()
    await shown(unmade, paidWords)
    unmade.element.remove()
    expect(wallet.prompts).to.deep.equal(['connect', 'send'])
    expect(feePayers()).to.deep.equal(['service', 'customer'])

    sponsored = { status: 200, body: { transaction: sponsoredSplit() } }
    authorized = { status: 429, body: { success: false, code: 'DAILY_LIMIT', message: 'no' } }
    contract = { sponsored: true }
    savePendingTransaction(solanaContractId, null)
    const refused = await pay()
    await shown(refused, paidWords)
    refused.element.remove()
    expect(wallet.prompts).to.deep.equal(['connect', 'send', 'sign', 'send'])

    contract = {}
    savePendingTransaction(solanaContractId, null)
    await shown(await pay(), paidWords)
    expect(wallet.prompts.at(-1)).to.equal('send')
    expect(feePayers().at(-1)).to.equal('customer')
    expect(posts('/authorize')).to.have.length(1)
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
      ({ instructions }) => instructions.splice(3, 1, transfer(thiefAccount, 24_625_000n, [reference])),
      ({ instructions }) => instructions.splice(2, 1, transfer(platformAccount, 375_001n)),
      ({ instructions }) => instructions.splice(2, 2, transfer(merchantAccount, 25_000_000n, [reference])),
      ({ instructions }) => instructions.splice(3, 1, transfer(merchantAccount, 24_625_000n)),
      ({ instructions }) => instructions.splice(3, 1, transfer(merchantAccount, 24_625_000n, [thief])),
      ({ instructions }) => instructions.splice(4, 0, transfer(thiefAccount, 1n)),
      ({ instructions }) => instructions.splice(2, 0, creation(merchantAccount, merchant)),
      ({ instructions }) => instructions.splice(4, 1, memo('another')),
      ({ instructions }) => instructions.splice(4, 1),
      ({ instructions }) => instructions[3]?.accounts.push({ key: thief, isWritable: true }),
      (parts) => {
        parts.payer = account
      },
    ]
    for (const wrong of wrongs) {
      sponsored = { status: 200, body: { transaction: sponsoredSplit(wrong) } }
      const page = await pay()
      await shown(page, 'Couldn’t prepare the payment')
      page.element.remove()
    }
    sponsored = { status: 200, body: { transaction: sponsoredSplit() } }
    const page = await pay({ ...pinned, 'merchant-wallet': thief })
    await shown(page, 'Couldn’t prepare the payment')
    expect(wallet.prompts).not.to.include('sign')
  })
})
