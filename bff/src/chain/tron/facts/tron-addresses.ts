import type { TronNetwork } from '../../../core/families.ts'
import type { AddressNumber, MerchantAddresses } from '../../deposit-kind.ts'
import { tronAddressOf } from '../../event-topic.ts'
import { keccak256 } from '../../evm/keccak.ts'
import { formatXpubTerms, isXpubSource, parseXpubAccount, publicKeyAt, xpubNumberMax } from '../../xpub-account.ts'

const addressOfHash = (hash: string): string => tronAddressOf(`0x${hash.slice(-40)}`)

/** The merchant account's address with this number: an EVM address in another encoding. */
export const tronAddressAt = (at: AddressNumber): string => addressOfHash(keccak256(publicKeyAt(at).subarray(1)))

/** Addresses of the merchant's own wallet account (BIP-44: m/44'/195'/0'), derived from its extended public key. */
export const tronAddresses: MerchantAddresses<TronNetwork> = {
  isDirect: true,
  kind: 'xpub',
  noShareReason: "the customer's transfer goes to the merchant's own wallet, and nobody splits it",
  numberMax: xpubNumberMax,
  parseAccount: (_, text) =>
    parseXpubAccount(
      text,
      (source) => tronAddressAt({ source, number: 0 }),
      (given, first) => given === first,
    ),
  isSource: isXpubSource,
  accountFormat: 'the extended public key of an account (xpub…), @, and the first address that the wallet shows (T…)',
  placeAt: (_, at) => ({ depositAddress: tronAddressAt(at), depositTerms: formatXpubTerms(at), isDirect: true }),
  // The hash of random bytes: nobody can have the key.
  testPlace: (_, salt) => ({
    depositAddress: addressOfHash(keccak256(`0x${salt}`)),
    depositTerms: '{}',
    isDirect: true,
  }),
}
