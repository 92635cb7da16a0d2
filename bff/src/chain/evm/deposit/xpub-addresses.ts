import type { EvmNetwork } from '../../../core/families.ts'
import type { AddressNumber, MerchantAddresses } from '../../deposit-kind.ts'
import { formatXpubTerms, isXpubSource, parseXpubAccount, publicKeyAt, xpubNumberMax } from '../../xpub-account.ts'
import { checksummed, keccak256 } from '../keccak.ts'

const addressOfHash = (hash: string) => checksummed(`0x${hash.slice(-40)}`)

/** The merchant account's address with this number. */
export const xpubAddress = (at: AddressNumber): string => addressOfHash(keccak256(publicKeyAt(at).subarray(1)))

/** Addresses of the merchant's own wallet account (BIP-44), derived from its extended public key. */
export const xpubAddresses: MerchantAddresses<EvmNetwork> = {
  isDirect: true,
  kind: 'xpub',
  noShareReason: "the customer's transfer goes to the merchant's own wallet, and nobody splits it",
  numberMax: xpubNumberMax,
  parseAccount: (_, text) =>
    parseXpubAccount(
      text,
      (source) => xpubAddress({ source, number: 0 }),
      (given, first) => given.toLowerCase() === first.toLowerCase(),
    ),
  isSource: isXpubSource,
  accountFormat: 'the extended public key of an account (xpub…), @, and the first address that the wallet shows (0x…)',
  placeAt: (_, at) => ({ depositAddress: xpubAddress(at), depositTerms: formatXpubTerms(at), isDirect: true }),
  // The hash of random bytes: nobody can have the key.
  testPlace: (_, salt) => ({
    depositAddress: addressOfHash(keccak256(`0x${salt}`)),
    depositTerms: '{}',
    isDirect: true,
  }),
}
