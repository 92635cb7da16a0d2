import { setTimeout as sleep } from 'node:timers/promises'
import { withTimeout } from '@stablecoin-checkout/bff/testing/core'
import type { Merchant } from './checkout-service.ts'

type RailPayment = {
  network: string
  currency: 'USDC' | 'USDT' | 'EURC'
  /** In the currency's own money. */
  amount: string
  /** What the test customer sends; null: nothing. Default: the amount. */
  sends?: string | null
}

/** Payments of the local chains' money, so that the dashboard shows each kind of address from the start. */
const railPayments: readonly RailPayment[] = [
  { network: 'devnet-b', currency: 'USDC', amount: '25.00' },
  { network: 'devnet-b', currency: 'USDT', amount: '14.00', sends: '19.00' },
  { network: 'devnet-b', currency: 'USDC', amount: '9.50', sends: null },
  { network: 'tempo-devnet', currency: 'USDC', amount: '22.00', sends: '30.00' },
  { network: 'tron-devnet', currency: 'USDT', amount: '64.00' },
  { network: 'devnet', currency: 'EURC', amount: '23.80' },
]

const timeoutMs = 20_000
/** A transfer on Tron is final after a third of a minute; the others sooner. */
const pollsMax = 60
const pollMs = 1_000

type Shop = { bff: string; storefront: string; merchant: Merchant; customer: string; signal: AbortSignal }

type Answer = {
  code?: string
  payment?: { id: string; outcome: string; excessOwed: string | null }
  message?: string
  error?: string
}

/**
 * The test customer pays them, one after the other. Excess that lies in the merchant's own wallet is then asked for as a refund, which
 * the wallet has to pay.
 * @throws {Error} with the answer of a part that refuses.
 */
export async function payOnEachRail({ bff, storefront, merchant, customer, signal }: Shop): Promise<void> {
  const { apiKey, apiSecret } = merchant
  const send = async (url: string, body?: object): Promise<Answer> => {
    const headers = { 'Content-Type': 'application/json', 'X-API-Key': apiKey, 'X-API-Secret': apiSecret }
    const init = body ? { method: 'POST', body: JSON.stringify(body) } : {}
    return await withTimeout(timeoutMs, [signal], async (within) => {
      const response = await fetch(url, { ...init, headers, signal: within })
      const answer = (await response.json()) as Answer
      if (response.ok || answer.code === 'NETWORK_UNAVAILABLE') return answer
      throw new Error(`${url}: ${answer.message ?? answer.error ?? response.status}`)
    })
  }
  for (const [index, { network, currency, amount, sends = amount }] of railPayments.entries()) {
    const asked = currency === 'EURC' ? { price: amount, priceCurrency: 'EUR' } : { amount }
    const order = { ...asked, currency, network, orderId: `CC-${2001 + index}` }
    // After a start each network is checked first.
    const payment = await poll(async () => (await send(`${bff}/api/v1/deposits/create`, order)).payment, signal)
    if (sends === null || !payment) continue
    await send(`${storefront}/demo/pay`, { paymentId: payment.id, amount: sends })
    if (sends === amount) continue
    const url = `${bff}/api/v1/payments/${payment.id}`
    const paid = await poll(async () => {
      const { payment: now } = await send(url)
      return now?.outcome === 'paid' ? now : undefined
    }, signal)
    const excess = paid?.excessOwed
    if (excess) await send(`${url}/refunds`, { amount: excess, address: customer })
  }
}

/** @returns the first value; undefined where there is none within the bound. */
async function poll<Value>(read: () => Promise<Value | undefined>, signal: AbortSignal): Promise<Value | undefined> {
  for (let polls = 0; polls < pollsMax; polls++) {
    const value = await read()
    if (value !== undefined) return value
    await sleep(pollMs, undefined, { signal })
  }
  return undefined
}
