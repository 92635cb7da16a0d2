import type { PublicPayment } from '../../../../bff/src/api-types.ts'
import { type Answer, toSend } from '../../payment.ts'
import { type Pins, verifyMerchant } from '../../pins.ts'
import type { Intent } from '../../terms.ts'
import { parseUnits } from '../units.ts'
import type { TronTransaction } from './tron-wallet.ts'

/** Tether's contract on the main network, which the service cannot override. */
const mainnet = { chainId: 728_126_428, usdt: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', decimals: 6 }

/** Maximum fee in sun; 1 TRX is a million sun. A transfer to a new address burns about 14 TRX; the network charges only what was used. */
export const feeLimit = 30_000_000

/** A transfer of tokens to the deposit address. */
export type TronTransfer = { chainId: number; token: string; to: string; amount: bigint; decimals: number }

/**
 * The transfer that the screen shows.
 * @throws {RangeError} when a response contradicts itself, the screen, or the page's pinned values.
 */
export function transferOf({ payment, wire }: Answer, { intent, pins }: { intent: Intent; pins: Pins }): TronTransfer {
  if (intent.type !== 'follow' && wire.network !== intent.terms.network)
    throw new RangeError(`The payment is on ${String(wire.network)}, not on ${intent.terms.network}.`)
  // A derived deposit address does not reveal its wallet, so only a pinned address itself passes.
  verifyMerchant(pins, payment.depositAddress, 10_000)
  const { chainId } = (wire.Network ?? {}) as Partial<PublicPayment['Network']>
  const shown = (wire.Token ?? {}) as Partial<Record<keyof PublicPayment['Token'], unknown>>
  const token = String(shown.contractAddress)
  const decimals = Number(shown.decimals)
  const isKnown = Number(chainId) === mainnet.chainId && payment.currency === 'USDT'
  const wanted = pins.tokenAddress || (isKnown ? mainnet.usdt : token)
  if (token !== wanted) throw new RangeError(`The payment is in ${token}, not in ${wanted}.`)
  if (isKnown && decimals !== mainnet.decimals) throw new RangeError(`${token} has ${mainnet.decimals} decimals.`)
  const amount = parseUnits(toSend(payment), decimals)
  if (amount > parseUnits(payment.amount, decimals)) throw new RangeError('The requested amount exceeds the payment’s.')
  return { chainId: Number(chainId), token, to: payment.depositAddress, amount, decimals }
}

/**
 * Verifies that the transaction, which the wallet's node may have built, is exactly this transfer and burns no more than the limit.
 * @throws {RangeError} naming what differs.
 */
export function verifyBuilt({ raw_data: raw }: TronTransaction, transfer: TronTransfer, from: string): void {
  const contracts = raw?.contract ?? []
  const [contract] = contracts
  const value = contract?.parameter?.value ?? {}
  const expected: Record<string, unknown> = {
    owner_address: accountHex(from),
    contract_address: accountHex(transfer.token),
    data: `a9059cbb${word(accountHex(transfer.to).slice(2))}${word(transfer.amount.toString(16))}`,
  }
  const differs = Object.keys({ ...expected, ...value }).find(
    (name) => String(value[name] || '').toLowerCase() !== (expected[name] ?? ''),
  )
  const isOther = contracts.length !== 1 || contract?.type !== 'TriggerSmartContract' || differs !== undefined
  if (isOther || !(Number(raw?.fee_limit) <= feeLimit))
    throw new RangeError(`The wallet built another transaction than this payment (${differs ?? 'contract'}).`)
}

const word = (hex: string): string => hex.padStart(64, '0')

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const checksumBytes = 4

/** The 21 bytes of an address in hex. The wallet has checked the checksum. @throws {RangeError} for anything else. */
export function accountHex(address: string): string {
  if (!/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(address)) throw new RangeError(`${address} is not an address of Tron.`)
  let value = 0n
  for (const letter of address) value = value * 58n + BigInt(alphabet.indexOf(letter))
  return (value >> BigInt(8 * checksumBytes)).toString(16)
}
