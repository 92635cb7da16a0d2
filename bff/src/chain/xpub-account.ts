import { ECDH } from 'node:crypto'
import { HDKey } from 'viem/accounts'
import { z } from 'zod'
import type { AccountFault, AddressNumber } from './deposit-kind.ts'
import { storedTerms } from './stored-terms.ts'

/** BIP-32: numbers from 2^31 on are hardened; an extended public key cannot derive them. */
export const xpubNumberMax = 2 ** 31 - 1

/** BIP-44: a wallet stops searching after this many addresses without money. */
export const walletGap = 20

/** BIP-44: purpose, coin and account. Its receiving addresses are its children 0/0, 0/1, and so on. */
const accountDepth = 3
/** Some wallets export the branch of receiving addresses itself. Its addresses are its children 0, 1, and so on. */
const branchDepth = 4

const termsSchema = z.strictObject({
  kind: z.literal('xpub'),
  source: z.string().min(1),
  number: z.int().min(0).max(xpubNumberMax),
})

const terms = storedTerms('deposit', termsSchema)

/** Formats what a stored payment's address was derived from. */
export const formatXpubTerms = (at: AddressNumber): string => terms.format({ kind: 'xpub', ...at })

/** @throws {Error} if `formatXpubTerms` did not write the text. */
export const parseXpubTerms = (text: string): AddressNumber => terms.parse(text)

/** Cached, because deriving the branch costs as much as an address. Bounded, because merchants supply the keys. */
const branches = new Map<string, HDKey>()
const branchesMax = 1_000

function branchOf(xpub: string): HDKey {
  const known = branches.get(xpub)
  if (known) return known
  const key = HDKey.fromExtendedKey(xpub)
  const branch = key.depth === branchDepth ? key : key.deriveChild(0)
  if (branches.size >= branchesMax) branches.clear()
  branches.set(xpub, branch)
  return branch
}

export const isXpubSource = (text: string): boolean => text.startsWith('xpub')

/** The path of an address below the account. */
export const xpubPath = ({ number }: Pick<AddressNumber, 'number'>): string => `0/${number}`

/**
 * The canonical form of the branch of receiving addresses. Wallets export the account or this branch, and some omit the parent's
 * fingerprint: as different sources, they would give the same addresses to different payments.
 */
function sourceOf(xpub: string): string {
  const { chainCode, publicKey } = branchOf(xpub)
  if (!chainCode || !publicKey) throw new Error('An extended public key has no public key.')
  return new HDKey({ depth: branchDepth, chainCode, publicKey }).publicExtendedKey
}

/**
 * The public key of an address: 65 bytes, uncompressed.
 * @throws {Error} if `source` is not an extended public key, or has no key at this number (one in 2^127).
 */
export function publicKeyAt({ source, number }: AddressNumber): Uint8Array {
  const { publicKey } = branchOf(source).deriveChild(number)
  if (!publicKey) throw new Error(`The account has no key of the number ${number}.`)
  return ECDH.convertKey(publicKey, 'secp256k1', undefined, undefined, 'uncompressed') as Buffer
}

/** The source of an extended public key, or the fault of the text. Never repeats a private key. */
export function parseXpub(text: string): { source: string } | AccountFault {
  let key: HDKey
  try {
    key = HDKey.fromExtendedKey(text)
  } catch {
    const fault = 'the text before @ is not an extended public key: it begins with xpub, copy it again'
    return { fault, code: 'ACCOUNT_KEY_WRONG' }
  }
  if (key.privateKey)
    return {
      fault: 'this is a private key: never give it to anybody. The public one begins with xpub',
      code: 'ACCOUNT_KEY_PRIVATE',
    }
  if (key.depth !== accountDepth && key.depth !== branchDepth)
    return {
      fault: `the extended public key is of level ${key.depth}: it must be that of an account (level ${accountDepth})`,
      code: 'ACCOUNT_KEY_WRONG',
    }
  return { source: sourceOf(key.publicExtendedKey) }
}

/**
 * Parses `xpub…@address`. The first address shown by the merchant's wallet proves that the key belongs to it, and that both
 * derive the same addresses.
 * @param firstOf - The first address of a key, as the network writes it.
 * @param isSame - Whether a text is that address.
 */
export function parseXpubAccount(
  text: string,
  firstOf: (source: string) => string,
  isSame: (given: string, first: string) => boolean,
): { source: string; address: string } | AccountFault {
  const [key = '', given, ...more] = text.trim().split('@')
  if (given === undefined || more.length > 0)
    return { fault: 'it must be the extended public key of an account, @, and the first address that the wallet shows' }
  const parsed = parseXpub(key.trim())
  if ('fault' in parsed) return parsed
  const address = firstOf(parsed.source)
  if (!isSame(given.trim(), address))
    return {
      fault: `the first address of this key is ${address}, and not the one after @: the wallet would not find its payments`,
      code: 'ACCOUNT_ADDRESS_WRONG',
    }
  return { source: parsed.source, address }
}
