import type { PublicPayment } from '../../../../bff/src/api-types.ts'
import { type Answer, type Payment, toSend } from '../../payment.ts'
import { type Pins, verifyMerchant } from '../../pins.ts'
import type { Intent } from '../../terms.ts'
import { knownToken } from '../known-tokens.ts'
import { parseUnits } from '../units.ts'
import type { Expected } from './solana-transaction.ts'
import { tokenAccountOf } from './token-account.ts'

type Terms = { intent: Intent; pins: Pins; account: string }

/** @throws {RangeError} when the token differs from the screen or from the page's pinned one. */
function tokenOf({ payment, wire }: Answer, { intent, pins }: Terms) {
  if (intent.type !== 'follow' && wire.network !== intent.terms.network)
    throw new RangeError(`The payment is on ${String(wire.network)}, not on ${intent.terms.network}.`)
  const token = (wire.Token ?? {}) as Partial<Record<keyof PublicPayment['Token'], unknown>>
  const mint = String(token.contractAddress)
  const decimals = Number(token.decimals)
  const known = knownToken(payment.chainId, String(wire.network), payment.currency)
  const wanted = pins.tokenAddress || known?.address || mint
  if (mint !== wanted) throw new RangeError(`The payment is in ${mint}, not in ${wanted}.`)
  if (known?.address === mint && known.decimals !== decimals)
    throw new RangeError(`${mint} has ${known.decimals} decimals.`)
  return { mint, decimals }
}

/**
 * Base units still to be sent to a deposit.
 * @throws {RangeError} when they exceed the payment's amount.
 */
function amountOf(payment: Payment, decimals: number): bigint {
  const amount = parseUnits(toSend(payment), decimals)
  if (amount > parseUnits(payment.amount, decimals)) throw new RangeError('The requested amount exceeds the payment’s.')
  return amount
}

/**
 * The transaction that the screen shows, for this account. A deposit goes to its address. For a contract payment the
 * platform's share is rounded down and comes first, a zero share is omitted, and the merchant gets the rest.
 * @throws {RangeError} when a response contradicts itself, the screen, or the page's pinned values.
 */
export async function expectedTransaction(answer: Answer, terms: Terms): Promise<Expected> {
  const { payment, wire } = answer
  const { pins, account } = terms
  const { mint, decimals } = tokenOf(answer, terms)
  const source = await tokenAccountOf(mint, account)
  if (!payment.isContract) {
    const owner = payment.depositAddress
    const deposit = { owner, account: await tokenAccountOf(mint, owner), amount: amountOf(payment, decimals) }
    return { account, source, mint, decimals, recipients: [deposit], reference: null }
  }
  const amount = parseUnits(payment.amount, decimals)
  const { merchantWallet, platformWallet, platformPercentage: feeBps, splitterPaymentId } = wire
  if (!Number.isSafeInteger(feeBps) || Number(feeBps) < 0 || Number(feeBps) > 10_000)
    throw new RangeError(`${String(feeBps)} is not a share in basis points.`)
  verifyMerchant(pins, String(merchantWallet), 10_000 - Number(feeBps))
  const fee = (amount * BigInt(Number(feeBps))) / 10_000n
  const shares = [
    { owner: String(platformWallet), amount: fee },
    { owner: String(merchantWallet), amount: amount - fee },
  ].filter((share) => share.amount > 0n)
  const recipients = await Promise.all(
    shares.map(async (share) => ({ ...share, account: await tokenAccountOf(mint, share.owner) })),
  )
  return { account, source, mint, decimals, recipients, reference: String(splitterPaymentId) }
}
