import { setTimeout as sleep } from 'node:timers/promises'
import { withTimeout } from '@stablecoin-checkout/bff/testing/core'
import type { Merchant } from './checkout-service.ts'

type RailPayment = {
  network: string
  currency: 'USDC' | 'USDT' | 'EURC'
  /** In units of the token's currency. */
  amount: string
  /** The amount that the test customer sends; null: nothing. Default: the amount due. */
  sends?: string | null
}

/** Payments with the local chains' tokens, so that the dashboard shows each kind of address from the start. */
const railPayments: readonly RailPayment[] = [
  { network: 'devnet-b', currency: 'USDC', amount: '25.00' },
  { network: 'devnet-b', currency: 'USDT', amount: '14.00', sends: '19.00' },
  { network: 'devnet-b', currency: 'USDC', amount: '9.50', sends: null },
  { network: 'tempo-devnet', currency: 'USDC', amount: '22.00', sends: '30.00' },
  { network: 'tron-devnet', currency: 'USDT', amount: '64.00' },
  { network: 'devnet', currency: 'EURC', amount: '23.80' },
]

const timeoutMs = 20_000
/** A transfer on Tron is final after 20 seconds; the others sooner. */
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
 * Has the test customer pay them, one after the other. Then requests a refund of the excess in the merchant's own wallet, which that wallet
 * must pay.
 * @throws {Error} with the response of a part that refuses.
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
    // After a start the service verifies each network first.
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

/** @returns the first value; undefined if there is none within `pollsMax` polls. */
async function poll<Value>(read: () => Promise<Value | undefined>, signal: AbortSignal): Promise<Value | undefined> {
  for (let polls = 0; polls < pollsMax; polls++) {
    const value = await read()
    if (value !== undefined) return value
    await sleep(pollMs, undefined, { signal })
  }
  return undefined
}
