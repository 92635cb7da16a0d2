import { ValidationError } from '../../../core/errors.ts'
import type { TronNetwork } from '../../../core/families.ts'
import { tronAddressBytes, tronAddressOf } from '../../event-topic.ts'
import type { ChainFamily } from '../../family.ts'
import { tronAddresses } from './tron-addresses.ts'

/** Base58 omits characters that look alike. */
const addressForm = /^T[1-9A-HJ-NP-Za-km-z]{33}$/

/** A bare address instead of a URI: no scheme for token transfers works in all wallets, and exchanges accept only an address. */
const addressOnly = (address: string): string => address

const noWalletPayments = (network: Pick<TronNetwork, 'name'>): ValidationError =>
  new ValidationError(
    `Payments by a contract are not possible on ${network.name}; create a deposit instead.`,
    'NETWORK_NOT_SUPPORTED',
  )

/** Tron, watched only. */
export const tronFamily: ChainFamily<TronNetwork> = {
  parseAddress: (text) => (tronAddressBytes(text) === undefined ? undefined : text),
  hasAddressForm: (text) => addressForm.test(text),
  addressFormat: 'T and 33 characters in base58',
  walletHint: 'T…',
  // Base58 is case-sensitive, and an address has only one text.
  isSameAddress: (one, other) => one === other,
  zeroAddress: tronAddressOf(`0x${'0'.repeat(40)}`),
  isContractOfOurs: () => false,
  parseTxId: (text) => (/^(?:0x)?[0-9a-fA-F]{64}$/.test(text) ? text.slice(-64).toLowerCase() : undefined),
  txIdFormat: '64 hex digits',

  payerKey: null,
  hasCoin: () => true,
  coinOf: ({ nativeCurrency }) => nativeCurrency,
  // A block of 3 s. A USDT transfer burns about 7 to 14 TRX if the payer has no energy.
  paceOf: () => ({ blockSeconds: 3, fee: 'high' }),
  logo: 'other',
  configFaults: ({ confirmations, finalityBlocks, highValue }) => [
    ...(finalityBlocks < confirmations ? ['finalityBlocks is less than confirmations'] : []),
    ...(highValue !== null && (highValue.confirmations < confirmations || highValue.confirmations > finalityBlocks)
      ? ['highValue.confirmations is not between confirmations and finalityBlocks']
      : []),
  ],
  caip2: ({ chainId }) => `tron:0x${chainId.toString(16)}`,
  walletChainId: ({ chainId }) => chainId,

  hasContracts: false,
  sharesPlatformWallet: false,
  receivesBridged: false,
  // Late money is already in the merchant's own wallet.
  returnsLateMoney: false,

  depositsOf: () => tronAddresses,
  depositFeeBps: () => 0,
  depositUri: (_, { depositAddress }) => addressOnly(depositAddress),
  transferUri: (_, { address }) => addressOnly(address),
  refundPlace: (_, __, address) => ({ address, splitter: null, termsHash: null, splitTerms: null }),
  refundCall: () => undefined,
  refundWallet: () => null,

  newWalletPayment: (network) => {
    throw noWalletPayments(network)
  },
  walletTermsOf: () => {
    throw new Error('There are no wallet payments on Tron')
  },
  walletUri: () => null,
  contractCall: () => undefined,
  paymentTypedData: () => undefined,
  isSponsored: () => false,
  walletContract: () => null,
}
