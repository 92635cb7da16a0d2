import { CheckoutPage } from './page.ts'
import { type Asked, address, EmulatedService, paymentId, type Wire, wirePayment } from './service.ts'

export const awayId = 'aa3c7f10-6b0a-4d55-8a51-0f3bb2f1c901'
export const laterId = 'bb9d2e44-11c7-4a0e-9c66-7d1f6c0e2a02'
export const relayAddress = '0x1Ba74e01D46372008260EC971F77eb6032b938a4'
export const refundHash = `0x${'c3'.repeat(32)}`

const sources = [
  { chainId: 31_337, name: 'Devnet', currencies: ['USDC'] },
  { chainId: 31_338, name: 'Devnet B', currencies: ['USDC', 'USDT'] },
  { chainId: 8453, name: 'Base', currencies: ['USDC'] },
]

const destinations = [{ chainId: 31_337, network: 'devnet', name: 'Devnet', currencies: ['USDC'] }]

/** Fields of the payment from Devnet B. */
const away: Wire = {
  ...{ id: awayId, paymentMode: 'cross_chain', depositAddress: null, bridgeStatus: 'waiting' },
  ...{ relayDepositAddress: relayAddress, amountToSend: '25075000', amountToSendFormatted: '25.075' },
  ...{ originChainId: 31_338, originCurrency: 'USDC', bridgeRefundTxHash: null },
  destination: { network: 'devnet', currency: 'USDC', amount: '25.00', address },
  Origin: {
    name: 'Devnet B',
    chainId: 31_338,
    explorerUrl: 'https://scan.example',
    tokenAddress: address,
    decimals: 6,
  },
}

let orders = 0

/** A shop's page, and a service with a bridge. */
export class CrossChainStage {
  readonly service = new EmulatedService()
  sources: unknown = sources
  destinations: unknown = destinations
  /** Overrides for the cross-chain payment. */
  away: Wire = {}
  /** Overrides the create response. */
  refusal: { status: number; body: Wire } | null = null
  /** Whether the service cancels a payment that is replaced. */
  isReplaced = true

  constructor() {
    sessionStorage.clear()
    this.service.more = (method, path, body) => this.answer(method, path, body)
  }

  strike(): void {
    this.service.restore()
  }

  open(attributes: Record<string, string> = {}): Promise<CheckoutPage> {
    return CheckoutPage.open({ 'order-id': `cross-chain-${orders++}`, ...attributes })
  }

  posts(path: string): Asked[] {
    return this.service.asked.filter(({ method, url }) => method === 'POST' && url.includes(path))
  }

  private answer(method: string, path: string, body: Wire): Response | null {
    const reply = (json: Wire, status = 200) => new Response(JSON.stringify(json), { status })
    const payment = (over: Wire) =>
      reply({ success: true, serverTime: new Date().toISOString(), payment: wirePayment(over) })
    const replace = () => {
      const ended = this.isReplaced ? { outcome: 'failed', isFinal: true } : {}
      if (body['existingPaymentId'] === awayId) this.away = { ...this.away, ...ended }
      else this.service.payment = { ...this.service.payment, ...ended }
    }
    if (path === 'payments/cross-chain/sources') {
      return reply({ success: true, sources: this.sources, destinations: this.destinations })
    }
    if (path === 'payments/cross-chain/create') {
      if (this.refusal) return reply(this.refusal.body, this.refusal.status)
      replace()
      return payment({ ...away, ...this.away, outcome: 'pending', isFinal: false })
    }
    if (path === `payments/public/${awayId}`) return payment({ ...away, ...this.away })
    if (path === 'payments/fail') return reply({ success: true })
    if (method === 'POST' && body['existingPaymentId'] !== undefined) {
      replace()
      return payment({ id: laterId })
    }
    if (path === 'deposits/create') this.service.payment = {}
    return path === `payments/public/${laterId}` ? payment({ id: laterId }) : null
  }
}

export { address, paymentId }
