import { createHmac } from 'node:crypto'
import type { Networks } from '../../core/families.ts'
import { parseAmount, smaller, zero } from '../../core/money.ts'
import { isFreeNetwork } from '../../network/free-network.ts'
import type { AdaptCallback } from '../../webhook/send/post.ts'
import { type Fields, isFields, numberOf } from './stablezact-rules.ts'

/** The webhook paths of Cal.com's apps, and the signature header that each verifies. */
const receivers = [
  { path: '/api/integrations/stablezact/webhook', header: 'x-stablezact-signature' },
  { path: '/api/integrations/coinley/webhook', header: 'x-coinley-signature' },
] as const

const endings = new Set(['payment.expired', 'payment.cancelled', 'payment.failed'])

/**
 * For callbackUrls and webhook endpoints of Cal.com's apps: renames the event as the apps expect, and adds a header with the hex
 * HMAC-SHA256 of the body, keyed with the whole text of the webhook secret.
 */
export const createCallbackAdapter =
  (networks: Networks): AdaptCallback =>
  (url, body) => {
    const receiver = receivers.find(({ path }) => URL.canParse(url) && new URL(url).pathname.endsWith(path))
    if (!receiver) return null
    const event: unknown = JSON.parse(body)
    const adapted = isFields(event) ? JSON.stringify({ ...event, ...renamed(event, networks) }) : body
    return {
      body: adapted,
      headers: (secret) => ({ [receiver.header]: createHmac('sha256', secret).update(adapted).digest('hex') }),
    }
  }

/** An event without a counterpart keeps its name, because the apps ignore unknown names. */
function renamed({ type, data }: Fields, networks: Networks): Fields {
  if (typeof type !== 'string' || !isFields(data)) return {}
  const isPaid = data['outcome'] === 'paid'
  if (type === 'payment.detected' && !isPaid) return { type: 'payment.pending' }
  // Anybody with a public key can pay with the free tokens of a testnet, and the apps check no network.
  const isFree = isFreeNetwork(networks, String(data['network']))
  if (type === 'payment.completed' && isPaid) return isFree ? {} : { type: 'payment.confirmed' }
  if (type === 'refund.paid' && isWholeRefund(data)) {
    const refundAmount = numberOf(String(data['refundedByMerchant']))
    return { type: 'payment.refunded', data: { ...data, refundAmount, refundTransactionHash: transactionOf(data) } }
  }
  // Not final: late money can still pay it, and the apps would cancel the booking.
  if (!endings.has(type) || data['isFinal'] !== true) return {}
  return { type: 'payment.failed', data: { ...data, reason: data['failureReason'] ?? data['status'] } }
}

/** More decimals than any token has. */
const decimalsMax = 36

/**
 * The apps record the whole payment as refunded, so the event of a partial refund keeps its name. What was paid too much is no part of it:
 * the service returns it (`refund`), or the merchant's wallet does before it refunds the amount due.
 */
function isWholeRefund({ amount, amountReceived, refundedByMerchant: refunded, refund }: Fields): boolean {
  if (typeof amount !== 'string' || typeof amountReceived !== 'string' || typeof refunded !== 'string') return false
  const units = (text: string) => (/[1-9]/.test(text) ? parseAmount(text, decimalsMax) : zero)
  const received = units(amountReceived)
  const whole = isFields(refund) ? smaller(received, units(amount)) : received
  return whole > 0n && units(refunded) >= whole
}

const transactionOf = ({ merchantRefund }: Fields) =>
  isFields(merchantRefund) ? merchantRefund['transactionHash'] : undefined
