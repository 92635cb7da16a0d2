import { type Address, concat, getCreateAddress, type Hex } from 'viem'
import { cloneInitCodeHash, factoryAddress } from '../deploy/contracts.generated.ts'
import { checksummed, keccak256 } from '../keccak.ts'
import type { DepositTerms } from './deposit-terms.ts'

/** The contracts' struct `Terms`. */
export function toTuple(terms: DepositTerms) {
  return {
    chainId: BigInt(terms.chainId),
    token: terms.token,
    amount: terms.amount,
    least: terms.least,
    merchant: terms.merchant,
    platform: terms.platform,
    feeBps: terms.feeBps,
    deadline: terms.deadlineSeconds,
    operator: terms.operator,
    salt: terms.salt,
  }
}

/**
 * The salt of the forwarder: `keccak256(abi.encode(terms))`. Each field is a 32-byte word, in the order of the struct.
 * Hand-encoded: viem's encoder takes six times as long as the hash.
 * @throws {RangeError} for terms that exceed their types, or that the factory refuses as `BadTerms`.
 */
export function depositTermsHash(terms: DepositTerms): Hex {
  verifyTerms(terms)
  const words = Object.values(toTuple(terms)).map((value) =>
    (typeof value === 'string' ? value.slice(2) : value.toString(16)).padStart(64, '0'),
  )
  return keccak256(`0x${words.join('')}`)
}

/**
 * The deposit address: the forwarder's CREATE2 address, the same on every EVM chain and known before any transaction.
 * @throws {RangeError} for terms that exceed their types, or that the factory refuses as `BadTerms`.
 */
export function depositAddress(terms: DepositTerms, factory: Address = factoryAddress): Address {
  const bytecodeHash = factory === factoryAddress ? cloneInitCodeHash : cloneInitCodeHashOf(factory)
  const hash = keccak256(concat(['0xff', factory, depositTermsHash(terms), bytecodeHash]))
  return checksummed(`0x${hash.slice(-40)}`)
}

/** A factory creates its implementation first, at its nonce 1; solady's PUSH0 clone contains that address. */
function cloneInitCodeHashOf(factory: Address): Hex {
  const implementation = getCreateAddress({ from: verifyAddress('factory', factory), nonce: 1n })
  return keccak256(
    concat(['0x602d5f8160095f39f35f5f365f5f37365f73', implementation, '0x5af43d5f5f3e6029573d5ffd5b3d5ff3']),
  )
}

const addressPattern = /^0x[0-9a-fA-F]{40}$/
const saltPattern = /^0x[0-9a-fA-F]{64}$/
const zeroAddress = `0x${'0'.repeat(40)}`

/** `amount` is a uint128 in the contracts, so that `amount * feeBps` cannot overflow. */
const amountMax = 2n ** 128n - 1n
/** `deadline` is a uint40: the year 36812. */
const deadlineSecondsMax = 2 ** 40 - 1
const wholeBps = 10_000

function verifyTerms(terms: DepositTerms): void {
  verifyInteger('chainId', terms.chainId, 1, Number.MAX_SAFE_INTEGER)
  verifyInteger('feeBps', terms.feeBps, 0, wholeBps)
  verifyInteger('deadlineSeconds', terms.deadlineSeconds, 0, deadlineSecondsMax)
  if (terms.amount > amountMax) throw new RangeError(`amount ${terms.amount} is above ${amountMax}.`)
  if (terms.least < 1n || terms.least > terms.amount) {
    throw new RangeError(`least ${terms.least} is not between 1 and the amount ${terms.amount}.`)
  }
  verifyWallet('token', terms.token)
  verifyWallet('merchant', terms.merchant)
  verifyWallet('operator', terms.operator)
  if (terms.feeBps > 0) verifyWallet('platform', terms.platform)
  else verifyAddress('platform', terms.platform)
  if (!saltPattern.test(terms.salt)) throw new RangeError(`salt ${terms.salt} is not 32 bytes of hex.`)
}

function verifyInteger(name: string, value: number, min: number, max: number): void {
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new RangeError(`${name} ${value} is not a whole number between ${min} and ${max}.`)
  }
}

function verifyAddress(name: string, address: Address): Address {
  if (!addressPattern.test(address)) throw new RangeError(`${name} ${address} is not an address.`)
  return address
}

function verifyWallet(name: string, address: Address): void {
  if (verifyAddress(name, address) === zeroAddress) throw new RangeError(`${name} is the zero address.`)
}
