import { timing } from '../timing.ts'
import { savePendingTransaction } from '../wallet/pending-transactions.ts'
import { EmulatedChain } from './chain.ts'
import { contractId, contractPayment, token } from './contract.ts'
import { EmulatedWallet } from './injected-wallet.ts'
import { CheckoutPage } from './page.ts'
import { type Asked, address, EmulatedService, paid, paymentId, type Wire } from './service.ts'
import { waitUntil } from './wait-until.ts'

Object.assign(timing, { pollMs: 20, findMs: 50, switchMs: 200, slowMs: 300, goneMs: 150, retryMs: 20 })

// Loaded in advance, as when a customer sees the button: a busy machine takes time to compile it.
await Promise.all([import('../wallet/wallet-payments.ts'), import('../screens.ts')])

/** The id of a deposit created in place of the contract payment. */
export const laterId = '7c1cf0a2-8a0b-4c1e-9b77-6f1f0f6f3c22'

/** The id of the wallet payment. */
export const contractSecret = 'cs_contract'

let orders = 0

/** A shop's page, the service, a browser wallet and its chain. */
export class WalletStage {
  readonly service = new EmulatedService()
  readonly chain = new EmulatedChain(address)
  readonly wallet = new EmulatedWallet(this.chain)
  /** The service's transactions pay the deposit, not the contract payment. */
  isTransfer = false
  /** Overrides for the contract payment. */
  contract: Wire = {}
  /** Overrides responses to a create of a contract payment. */
  refusal: { status: number; body: Wire } | null = null
  /** Responses to submitted signatures, in order; after them the service sends the payment. */
  readonly authorized: ({ status: number; body: Wire } | 'lost')[] = []
  /** The outcome of the replaced deposit. */
  replaced: Wire = { outcome: 'failed', isFinal: true }

  private relayed: string | null = null

  constructor() {
    sessionStorage.clear()
    // The widget also keeps records outside the storage.
    for (const id of [paymentId, contractId, laterId]) savePendingTransaction(id, null)
    this.service.payment = { Token: { symbol: 'USDC', contractAddress: token, decimals: 6 } }
    this.service.more = (method, path, body) => this.answer(method, path, body)
    this.chain.balances.set(this.wallet.account, 100_000_000n)
    this.chain.onPaid = (hash) => this.settle(hash)
  }

  /** The service has detected the money. */
  settle(transactionHash: string): void {
    const isTransfer = this.chain.transactions.some(
      ({ hash, to, from, status }) =>
        hash === transactionHash && to === token && status === '0x1' && (from !== 'operator' || this.isTransfer),
    )
    if (isTransfer) this.service.payment = { ...this.service.payment, ...paid, transactionHash }
    else this.contract = { ...this.contract, ...paid, transactionHash, contractCall: undefined }
  }

  strike(): void {
    this.wallet.remove()
    this.service.restore()
  }

  open(attributes: Record<string, string> = {}): Promise<CheckoutPage> {
    return CheckoutPage.open({ 'order-id': `wallet-${orders++}`, ...attributes })
  }

  /** Opens the page and chooses the wallet. */
  async pay(attributes: Record<string, string> = {}): Promise<CheckoutPage> {
    const page = await this.open(attributes)
    await page.press('Pay with wallet')
    await pressWhenShown(page, 'Fern Wallet')
    return page
  }

  posts(path: string): Asked[] {
    return this.service.asked.filter(({ method, url }) => method === 'POST' && url.includes(path))
  }

  /** Accepts the same signature once, as the service does. */
  private authorize({ authorization, permit2Authorization }: Wire): Response {
    const next = this.authorized.shift()
    if (next && next !== 'lost') return new Response(JSON.stringify(next.body), { status: next.status })
    this.relayed ??= this.chain.relay(String(((authorization ?? permit2Authorization) as Wire)['from']))
    if (next === 'lost') throw new TypeError('Failed to fetch')
    const body = { success: true, state: 'accepted', transactionHash: this.relayed }
    return new Response(JSON.stringify(body))
  }

  private answer(method: string, path: string, body: Wire): Response | null {
    const reply = (payment: Wire, status = 200) =>
      new Response(JSON.stringify({ success: true, serverTime: new Date().toISOString(), payment }), { status })
    if (path === 'payments/create' && this.refusal)
      return new Response(JSON.stringify(this.refusal.body), { status: this.refusal.status })
    if (path === 'payments/create') this.service.payment = { ...this.service.payment, ...this.replaced }
    if (path === 'payments/create' || path === `payments/public/${contractId}`)
      return reply({ ...contractPayment(this.contract), ...(method === 'POST' && { clientSecret: contractSecret }) })
    if (path === 'payments/process')
      return this.contract['outcome'] === 'paid' ? reply({}) : reply({ verificationAttempts: 1 }, 400)
    if (path === 'payments/fail') return reply({})
    if (path.endsWith('/authorize')) return this.authorize(body)
    if (method === 'POST' && path === 'deposits/create' && this.service.payment['outcome'] === 'failed') {
      // Cancels the replaced payment unless money was detected for it, as the service does.
      const isReplaced = body['existingPaymentId'] === contractId && !this.contract['amountDetected']
      if (isReplaced) this.contract = { ...this.contract, outcome: 'failed', isFinal: true }
      this.service.payment = { ...this.service.payment, id: laterId, outcome: 'pending', isFinal: false }
    }
    return null
  }
}

export async function shown(page: CheckoutPage, words: string): Promise<void> {
  await waitUntil(() => page.text().includes(words)).catch(() => {
    throw new Error(`"${words}" is not shown: ${page.text()}`)
  })
}

export async function pressWhenShown(page: CheckoutPage, words: string): Promise<void> {
  await shown(page, words)
  await page.press(words)
}

export const paidWords = 'has received the money'
