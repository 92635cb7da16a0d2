import { withTimeout } from '@stablecoin-checkout/bff/testing/core'
import type { StorefrontConfig, StorefrontNetwork } from './config.ts'
import type { Paid, TestCustomer } from './customer.ts'
import { PayError } from './pay-error.ts'
import type { Order } from './shop.ts'

const timeoutMs = 25_000

type PaidFromElsewhere = Paid & { paymentId: string; destination: string }

/** The shop's server creates a cross-chain payment for the order, and the test customer pays it. */
export type PayFromElsewhere = (order: Order) => Promise<PaidFromElsewhere>

type Deps = { config: StorefrontConfig; customer: Pick<TestCustomer, 'pay'> }

export function createElsewherePayer({ config, customer }: Deps): PayFromElsewhere {
  const { bff, origin, apiKey, apiSecret, networks } = config

  /** Keyed by the order's id, so that a second click gets the same payment. */
  async function create(order: Order, from: StorefrontNetwork): Promise<string> {
    const answer = await withTimeout(timeoutMs, [], async (signal) => {
      const response = await fetch(`${bff}/api/v1/payments/cross-chain/create`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-API-Key': apiKey, 'X-API-Secret': apiSecret },
        body: JSON.stringify({
          ...{ amount: order.amount, currency: order.currency, network: order.network, orderId: order.id },
          ...{ originChainId: from.chainId, originCurrency: order.currency, callbackUrl: `${origin}/webhooks` },
        }),
        signal,
      })
      const body = (await response.json().catch(() => ({}))) as { payment?: { id?: string }; message?: string }
      return { status: response.status, ...body }
    }).catch(() => null)
    if (answer === null) throw new PayError(502, 'The checkout service does not respond. Try again in a second.')
    const { status, payment, message } = answer
    if (status === 200 && typeof payment?.id === 'string') return payment.id
    throw new PayError(502, message ?? `The checkout service responded ${status} without a payment.`)
  }

  return async (order) => {
    const from = networks.find(({ shortName }) => shortName !== order.network)
    if (from === undefined) throw new PayError(400, 'No other chain is available.')
    const paymentId = await create(order, from)
    return { ...(await customer.pay({ paymentId })), paymentId, destination: order.network }
  }
}
