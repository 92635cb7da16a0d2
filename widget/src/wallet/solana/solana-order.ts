import type { PublicPayment } from '../../../../bff/src/api-types.ts'
import type { Answer } from '../../payment.ts'
import type { Intent } from '../../terms.ts'
import { knownToken } from '../known-tokens.ts'
import { type Pins, verifyMerchant } from '../pins.ts'
import { parseUnits } from '../units.ts'
import type { Expected } from './solana-transaction.ts'
import { tokenAccountOf } from './token-account.ts'

/**
 * The transaction that the screen asks for, for this account. The platform's share is rounded down and comes first, a share
 * of nothing is not sent, and the merchant gets the rest.
 * @throws {RangeError} when an answer of the service contradicts itself, the screen, or what the page vouches for.
 */
export async function expectedTransaction(
  { payment, wire }: Answer,
  { intent, pins, account }: { intent: Intent; pins: Pins; account: string },
): Promise<Expected> {
  if (intent.type !== 'follow' && wire.network !== intent.terms.network)
    throw new RangeError(`The payment is on ${String(wire.network)} and not on ${intent.terms.network}.`)
  const token = (wire.Token ?? {}) as Partial<Record<keyof PublicPayment['Token'], unknown>>
  const mint = String(token.contractAddress)
  const decimals = Number(token.decimals)
  const known = knownToken(payment.chainId, String(wire.network), payment.currency)
  const wanted = pins.tokenAddress || known?.address || mint
  if (mint !== wanted) throw new RangeError(`The payment is in ${mint} and not in ${wanted}.`)
  if (known?.address === mint && known.decimals !== decimals)
    throw new RangeError(`${mint} has ${known.decimals} decimals.`)
  const amount = parseUnits(payment.amount, decimals)
  const { merchantWallet, platformWallet, platformPercentage: feeBps, splitterPaymentId } = wire
  if (!Number.isSafeInteger(feeBps) || Number(feeBps) < 0 || Number(feeBps) > 10_000)
    throw new RangeError(`${String(feeBps)} is no share in basis points.`)
  verifyMerchant(pins, String(merchantWallet), 10_000 - Number(feeBps))
  const fee = (amount * BigInt(Number(feeBps))) / 10_000n
  const shares = [
    { owner: String(platformWallet), amount: fee },
    { owner: String(merchantWallet), amount: amount - fee },
  ].filter((share) => share.amount > 0n)
  const recipients = await Promise.all(
    shares.map(async (share) => ({ ...share, account: await tokenAccountOf(mint, share.owner) })),
  )
  const source = await tokenAccountOf(mint, account)
  return { account, source, mint, decimals, recipients, reference: String(splitterPaymentId) }
}
