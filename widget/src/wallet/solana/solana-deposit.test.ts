import { expect } from '@open-wc/testing'
import { CheckoutPage } from '../../test/page.ts'
import { EmulatedService, paid, paymentId, short, type Wire } from '../../test/service.ts'
import { EmulatedSolanaWallet } from '../../test/solana.ts'
import {
  creation,
  depositAccount,
  depositTransaction,
  merchant,
  mint,
  type Parts,
  reference,
  signature,
  solanaDeposit,
  sponsoredTransaction,
  transfer,
} from '../../test/solana-wire.ts'
import { paidWords, pressWhenShown, shown } from '../../test/wallet-stage.ts'
import { timing } from '../../timing.ts'
import { savePendingTransaction } from '../pending-transactions.ts'
import { toBase58, tokenAccountOf } from './token-account.ts'

const thief = toBase58(new Uint8Array(32).fill(66))
const thiefAccount = await tokenAccountOf(mint, thief)

// Loaded in advance, as when a customer sees the button: a busy machine takes time to compile it.
await Promise.all([import('../wallet-payments.ts'), import('./solana-payment.ts'), import('../../screens.ts')])

suite('a deposit created by the shop’s server', () => {
  const ofServer = {
    'payment-id': paymentId,
    'client-secret': 'cs_emulated',
    'public-key': '',
    amount: '',
    network: '',
  }
  const deposit = String(solanaDeposit['depositAddress'])
  const usual = { ...timing }
  let service: EmulatedService
  let wallet: EmulatedSolanaWallet
  let own: string
  let authorized: { status: number; body: Wire }

  setup(() => {
    Object.assign(timing, { pollMs: 20, findMs: 50, slowMs: 200, retryMs: 20 })
    sessionStorage.clear()
    savePendingTransaction(paymentId, null)
    service = new EmulatedService()
    wallet = new EmulatedSolanaWallet()
    wallet.canSign = true
    own = depositTransaction()
    authorized = { status: 200, body: { success: true, state: 'accepted', transactionHash: signature } }
    service.payment = { ...solanaDeposit, sponsored: true }
    const settle = () => {
      service.payment = { ...service.payment, ...paid, transactionHash: signature }
    }
    wallet.onSent = settle
    service.more = (_, path, body) => {
      if (path === `payments/solana-pay/${paymentId}`) {
        const handed = body['feePayer'] === 'customer' ? own : sponsoredTransaction()
        return new Response(JSON.stringify({ transaction: handed, message: '25.00 USDC to Moss & Fern' }))
      }
      if (!path.endsWith('/authorize')) return null
      if (authorized.status === 200) settle()
      return new Response(JSON.stringify(authorized.body), { status: authorized.status })
    }
  })

  teardown(() => {
    wallet.remove()
    service.restore()
    Object.assign(timing, usual)
  })

  const posts = (path: string) => service.asked.filter(({ method, url }) => method === 'POST' && url.includes(path))
  async function payByWallet(attributes: Record<string, string> = {}): Promise<CheckoutPage> {
    const page = await CheckoutPage.open({ ...ofServer, ...attributes })
    await page.press('Pay with wallet')
    await pressWhenShown(page, 'Tide Wallet')
    return page
  }
  const handedOut = () => posts('payments/solana-pay').map(({ body }) => body['feePayer'])

  test('is paid by one signature, also when the page pins the merchant’s wallet', async () => {
    const pinned = { 'merchant-wallet': merchant, 'max-fee-bps': '150' }
    for (const attributes of [{}, pinned]) {
      service.payment = { ...solanaDeposit, sponsored: true }
      const page = await payByWallet(attributes)
      await shown(page, paidWords)
      page.element.remove()
    }
    expect(wallet.prompts).to.deep.equal(['connect', 'sign', 'sign'])
    expect(posts('/authorize').map(({ body }) => body)).to.deep.equal(
      Array(2).fill({ transaction: sponsoredTransaction() }),
    )
    expect(posts('payments/create')).to.deep.equal([])
  })

  test('is paid by the customer’s own transfer when the service refuses the signature', async () => {
    authorized = { status: 429, body: { success: false, code: 'DAILY_LIMIT', message: 'no' } }
    await shown(await payByWallet(), paidWords)
    expect(wallet.prompts).to.deep.equal(['connect', 'sign', 'send'])
    expect(handedOut()).to.deep.equal(['service', 'customer'])
    expect(btoa(String.fromCharCode(...(wallet.sent[0]?.transaction ?? [])))).to.equal(own)
    expect(posts('payments/create')).to.deep.equal([])
  })

  test('is paid by the customer’s own transfer at once when the service’s wait for the token account timed out', async () => {
    const { more } = service
    service.more = (method, path, body) => {
      if (body['feePayer'] !== 'service') return more(method, path, body)
      return new Response(JSON.stringify({ success: false, code: 'NOT_READY', message: 'later' }), { status: 503 })
    }
    await shown(await payByWallet(), paidWords)
    expect(handedOut()).to.deep.equal(['service', 'customer'])
  })

  test('is paid by the customer’s own transfer when the service or the wallet offers nothing else', async () => {
    wallet.canSign = false
    const unsigned = await payByWallet()
    await shown(unsigned, paidWords)
    unsigned.element.remove()
    wallet.remove()
    wallet = new EmulatedSolanaWallet()
    wallet.canSign = true
    wallet.onSent = () => {
      service.payment = { ...service.payment, ...paid, transactionHash: signature }
    }
    service.payment = solanaDeposit
    own = depositTransaction(({ instructions }) => instructions.unshift(creation(depositAccount, deposit)))
    await shown(await payByWallet(), paidWords)
    expect(wallet.prompts).to.deep.equal(['connect', 'send'])
    expect(handedOut()).to.deep.equal(['customer', 'customer'])
  })

  test('received in part is paid by a signature for the rest', async () => {
    service.payment = { ...solanaDeposit, ...short, sponsored: true }
    const { more } = service
    service.more = (method, path, body) => {
      if (path !== `payments/solana-pay/${paymentId}`) return more(method, path, body)
      const rest = ({ instructions }: Parts) => instructions.splice(2, 1, transfer(depositAccount, 15_000_000n))
      return new Response(JSON.stringify({ transaction: sponsoredTransaction(rest) }))
    }
    await shown(await payByWallet(), paidWords)
    expect(wallet.prompts).to.deep.equal(['connect', 'sign'])
  })

  test('is never paid to another account, above the remaining amount, or with anything else', async () => {
    wallet.canSign = false
    const wrongs: ((parts: Parts) => void)[] = [
      ({ instructions }) => instructions.splice(0, 1, transfer(thiefAccount, 25_000_000n)),
      ({ instructions }) => instructions.splice(0, 1, transfer(depositAccount, 25_000_001n)),
      ({ instructions }) => instructions.splice(0, 1, transfer(depositAccount, 25_000_000n, [reference])),
      ({ instructions }) => instructions.push(transfer(thiefAccount, 1n)),
      ({ instructions }) => instructions.unshift(creation(thiefAccount, thief)),
      (parts) => {
        parts.payer = thief
      },
    ]
    for (const wrong of wrongs) {
      own = depositTransaction(wrong)
      const page = await payByWallet()
      await shown(page, 'Couldn’t prepare the payment')
      page.element.remove()
    }
    expect(wallet.sent).to.deep.equal([])
  })

  test('can be paid to its address instead', async () => {
    const page = await CheckoutPage.open(ofServer)
    await page.press('Pay with wallet')
    await shown(page, 'Tide Wallet')
    await page.press('Pay to an address instead')
    expect(page.text('[part~=address]').replace(/\s/g, '')).to.equal(deposit)
    expect(posts('payments/')).to.deep.equal([])
  })
})
