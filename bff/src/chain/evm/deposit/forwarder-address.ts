import type { Address, Hex } from 'viem'
import { cloneInitCodeHash, factoryAddress } from '../deploy/contracts.generated.ts'
import { checksummed, keccakHex } from '../rpc/keccak.ts'

/**
 * What a deposit address stands for: the address is a hash of these terms (`bff/contracts/src/Terms.sol`), so to sweep or
 * refund a deposit all of them must be kept. Amounts are base units of `token`.
 */
export type DepositTerms = {
  chainId: number
  token: Address
  /** Due. What arrives beyond it is excess and can be refunded. */
  amount: bigint
  /** Least that is accepted as full payment: `amount` less the merchant's tolerance, at least 1. */
  least: bigint
  merchant: Address
  platform: Address
  feeBps: number
  /** Unix seconds; after it, a deposit that holds less than `least` can be refunded whole. */
  deadlineSeconds: number
  /** The only account that may refund. */
  operator: Address
  /** 32 random bytes: makes this payment's address its own. */
  salt: Hex
}

/**
 * The salt of the forwarder: `keccak256(abi.encode(terms))`.
 * Encoded by hand, because every create needs one and viem's encoder takes twice the time of the rest.
 * @throws {RangeError} for terms that do not fit their types, or that the factory refuses as `BadTerms`.
 */
export function depositTermsHash(terms: DepositTerms): Hex {
  verifyTerms(terms)
  return `0x${hashHex(
    `${word(terms.chainId)}${addressWord(terms.token)}${word(terms.amount)}${word(terms.least)}${addressWord(terms.merchant)}${addressWord(terms.platform)}${word(terms.feeBps)}${word(terms.deadlineSeconds)}${addressWord(terms.operator)}${terms.salt.slice(2)}`,
  )}`
}

/**
 * Where the customer pays: the CREATE2 address of the forwarder, on every EVM chain, before any transaction was sent.
 * @throws {RangeError} for terms that do not fit their types, or that the factory refuses as `BadTerms`.
 */
export function depositAddress(terms: DepositTerms, factory: Address = factoryAddress): Address {
  const initCodeHash = factory === factoryAddress ? cloneInitCodeHash : cloneInitCodeHashOf(factory)
  const hash = hashHex(`ff${factory.slice(2)}${depositTermsHash(terms).slice(2)}${initCodeHash.slice(2)}`)
  return checksummed(hash.slice(24))
}

/** A factory creates its implementation first, so the implementation is at the factory's nonce 1; solady's PUSH0 clone holds its address. */
function cloneInitCodeHashOf(factory: Address): Hex {
  const implementation = hashHex(`d694${verifyAddress('factory', factory).slice(2)}01`).slice(24)
  return `0x${hashHex(`602d5f8160095f39f35f5f365f5f37365f73${implementation}5af43d5f5f3e6029573d5ffd5b3d5ff3`)}`
}

const addressPattern = /^0x[0-9a-fA-F]{40}$/
const saltPattern = /^0x[0-9a-fA-F]{64}$/
const zeroAddress = `0x${'0'.repeat(40)}`

/** `amount` is a uint128 in the contracts, so that `amount * feeBps` cannot overflow there. */
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

const hashHex = (hex: string): string => keccakHex(Buffer.from(hex, 'hex'))

function word(value: bigint | number): string {
  return value.toString(16).padStart(64, '0')
}

function addressWord(address: Address): string {
  return address.slice(2).padStart(64, '0')
}
