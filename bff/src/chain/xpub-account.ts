import { ECDH } from 'node:crypto'
import { HDKey } from 'viem/accounts'
import { z } from 'zod'
import type { AddressNumber } from './deposit-kind.ts'
import { storedTerms } from './stored-terms.ts'

/** BIP-32: numbers from 2^31 on are hardened, which an extended public key cannot derive. */
export const xpubNumberMax = 2 ** 31 - 1

/** BIP-44: purpose, coin and account. Its addresses for receiving are its children 0/0, 0/1, and so on. */
const accountDepth = 3
/** Some wallets export the branch of receiving addresses itself. Its addresses are its children 0, 1, and so on. */
const branchDepth = 4

const termsSchema = z.strictObject({
  kind: z.literal('xpub'),
  source: z.string().min(1),
  number: z.int().min(0).max(xpubNumberMax),
})

const terms = storedTerms('deposit', termsSchema)

/** What a stored payment's address was derived from. */
export const formatXpubTerms = (at: AddressNumber): string => terms.format({ kind: 'xpub', ...at })

/** @throws {Error} when the text is not what `formatXpubTerms` wrote. */
export const parseXpubTerms = (text: string): AddressNumber => terms.parse(text)

/** Reading a key's text costs about as much as an address. Bounded, because merchants bring the keys. */
const branches = new Map<string, HDKey>()
const branchesMax = 1_000

function branchOf(xpub: string): HDKey {
  const known = branches.get(xpub)
  if (known) return known
  const branch = receivingBranch(HDKey.fromExtendedKey(xpub))
  if (branches.size >= branchesMax) branches.clear()
  branches.set(xpub, branch)
  return branch
}

const receivingBranch = (key: HDKey): HDKey => (key.depth === branchDepth ? key : key.deriveChild(0))

/**
 * The one text for all keys that derive the same addresses: that of an account and of its branch, and copies of which
 * wallets left out the parent. Two texts of one account would be two counts, and give one address to two payments.
 */
function canonicalText(key: HDKey): string {
  const { publicKey, chainCode } = receivingBranch(key)
  if (!publicKey || !chainCode) throw new Error('An extended key has a public key and a chain code.')
  return new HDKey({ publicKey, chainCode, depth: branchDepth, index: 0, parentFingerprint: 0 }).publicExtendedKey
}

/** The path of an address below the extended public key of the account. */
export const xpubPath = ({ number }: Pick<AddressNumber, 'number'>): string => `0/${number}`

/**
 * The public key of an address: 65 bytes, not compressed.
 * @throws {Error} when `source` is no extended public key. One number in 2^127 has no key.
 */
export function publicKeyAt({ source, number }: AddressNumber): Uint8Array {
  const { publicKey } = branchOf(source).deriveChild(number)
  if (!publicKey) throw new Error(`The account has no key of the number ${number}.`)
  return ECDH.convertKey(publicKey, 'secp256k1', undefined, undefined, 'uncompressed') as Buffer
}

/** The extended public key of the branch, as it is stored, or what is wrong with the text. Never repeats a private key. */
function parseXpub(text: string): { xpub: string } | { fault: string } {
  let key: HDKey
  try {
    key = HDKey.fromExtendedKey(text)
  } catch {
    return { fault: 'the text before @ is not an extended public key: it begins with xpub, copy it again' }
  }
  if (key.privateKey)
    return { fault: 'this is a private key: never give it to anybody. The public one begins with xpub' }
  if (key.depth !== accountDepth && key.depth !== branchDepth)
    return {
      fault: `the extended public key is of level ${key.depth}: it must be that of an account (level ${accountDepth})`,
    }
  return { xpub: canonicalText(key) }
}

/**
 * Reads `xpub…@address`. The first address that the merchant's wallet shows proves that the key is that wallet's, and
 * that both derive the same addresses.
 * @param firstOf - The first address of a key, as the network writes it.
 * @param isSame - Whether a text is that address.
 */
export function parseXpubAccount(
  text: string,
  firstOf: (xpub: string) => string,
  isSame: (given: string, first: string) => boolean,
): { source: string; address: string } | { fault: string } {
  const [key = '', given, ...more] = text.trim().split('@')
  if (given === undefined || more.length > 0)
    return { fault: 'it must be the extended public key of an account, @, and the first address that the wallet shows' }
  const parsed = parseXpub(key.trim())
  if ('fault' in parsed) return parsed
  const address = firstOf(parsed.xpub)
  if (!isSame(given.trim(), address))
    return {
      fault: `the first address of this key is ${address}, and not the one after @: the wallet would not find its payments`,
    }
  return { source: parsed.xpub, address }
}
