import { z } from 'zod'
import { factoryAddress, paymentSplitter } from '../../chain/evm/deploy/contracts.generated.ts'
import { evmDepositKinds } from '../../chain/evm/deposit/evm-deposits.ts'
import { chainFamilies } from '../../chain/index.ts'
import { isCurrency } from '../../core/currency-codes.ts'
import { symbolPattern } from '../../core/families.ts'
import { knownCurrencies } from '../../core/known-currencies.ts'
import { knownNetworks, withKnown } from '../../network/known/known-networks.ts'

/**
 * Blocks below the head that a reorg can still replace. Ethereum finalises after two epochs of 32 blocks. Twice that is kept,
 * because a header costs one row, and a deeper reorg stops the watcher.
 */
const finalityBlocksDefault = 128

/** Confirmations for finality on Solana. Only displayed for high-value payments: `finalized` decides. */
const solanaFinalityBlocks = 32

const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address: 0x and 40 hex digits')
/** Required even without a platform fee: it is part of every payment's terms. */
const platformWallet = z
  .string()
  .refine((text) => chainFamilies.evm.parseAddress(text) !== undefined, 'must be an address, with its checksum')
  .refine((text) => text !== chainFamilies.evm.zeroAddress, 'must not be the zero address')

/** Optional settings of a network with a known short name. */
const neededUnlessKnown = {
  error: (issue: { input?: unknown }) =>
    issue.input === undefined ? 'is required, because the shortName is unknown' : undefined,
}

/** The first of the missing settings lists the known names. */
const nameNeededUnlessKnown = {
  error: (issue: { input?: unknown }) =>
    issue.input === undefined
      ? `is required, because the shortName is unknown (known: ${[...knownNetworks.keys()].join(', ')})`
      : undefined,
}

const signingDomain = z
  .strictObject({ name: z.string().min(1), version: z.string().min(1) })
  .nullable()
  .default(null)

const authorization = z
  .union([z.literal('permit2'), z.strictObject({ name: z.string().min(1), version: z.string().min(1) })], {
    error: 'must be "permit2", or the name and version of the token\'s EIP-712 domain',
  })
  .nullable()
  .default(null)

/** ISO 4217 codes of metals, funds and tests, in which no shop writes prices. */
const isNoMoney = (code: string): boolean => /^X(?!AF|CD|CG|OF|PF)/.test(code)

const tokenSymbol = z
  .string()
  .regex(symbolPattern, 'must be 2 to 10 capital letters and digits, as the contract returns it, such as EURC')

/** Currencies of known symbols are filled in beforehand. */
const tokenCurrency = z
  .string({
    error: (issue) =>
      issue.input === undefined
        ? `is required: the ISO 4217 code of the currency that one token stands for, such as EUR (known for ${Object.keys(knownCurrencies).join(', ')})`
        : undefined,
  })
  .refine(
    (code) => isCurrency(code) && !isNoMoney(code),
    'must be the ISO 4217 code of the currency that one token stands for, such as EUR',
  )

/** Printed as the default of settings that a known network or token brings. */
const known = 'known network'
const knownToken = 'known token'

const tokenSchema = z.strictObject({
  symbol: tokenSymbol.describe('of a [known token](tokens.md) the symbol is enough'),
  currency: tokenCurrency.meta({ description: 'the ISO 4217 currency of which it is one unit', otherwise: knownToken }),
  name: z.string().min(1).meta({ description: 'as customers read it', otherwise: knownToken }),
  address: address.meta({ description: 'its contract; on Solana its mint', otherwise: knownToken }),
  decimals: z.int().min(0).max(36).meta({ description: 'as the contract has it', otherwise: knownToken }),
  permit: signingDomain.meta({
    description: 'the EIP-712 domain `{ name, version }` for ERC-2612',
    otherwise: knownToken,
  }),
  authorization: authorization.meta({
    description: 'the EIP-712 domain `{ name, version }` for ERC-3009, or `"permit2"`',
    otherwise: knownToken,
  }),
})

/** Adds the currency of a token's symbol, if it is known. */
function withCurrency(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || !('symbol' in given) || 'currency' in given) return given
  const currency = typeof given.symbol === 'string' ? knownCurrencies[given.symbol] : undefined
  return currency === undefined ? given : { ...given, currency }
}

const tokensOfSchema = <Schema extends z.ZodType>(schema: Schema) =>
  z.array(z.preprocess(withCurrency, schema), neededUnlessKnown).min(1)

const noPlatformShare = z.literal(false, 'must be false, or left out').exactOptional()

const anyNetwork = {
  shortName: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/, 'must be lower-case letters, digits and hyphens')
    .describe('the `network` in API calls'),
  name: z.string(nameNeededUnlessKnown).min(1).meta({ description: 'as customers read it', otherwise: known }),
  chainId: z
    .int(neededUnlessKnown)
    .positive()
    .meta({ description: 'EIP-155; 101 for Solana, 103 for its devnet', otherwise: known }),
  isTestnet: z.boolean().default(false).meta({
    description:
      'its money is worth nothing. A testnet beside networks with real money is for your own server alone; customers cannot choose it',
    otherwise: known,
  }),
  rpcUrls: z
    .array(z.url({ protocol: /^https?$/ }))
    .min(1)
    .describe('nodes that you trust, of two providers; the first that works is asked; redirects are refused'),
  confirmations: z
    .int(neededUnlessKnown)
    .min(1)
    .max(1_000)
    .meta({ description: 'when a payment is paid. On Solana only shown: `finalized` decides', otherwise: known }),
  pollMs: z.int().min(50).max(60_000).default(2_000).describe('how often the head is read'),
  explorerUrl: z
    .url({ protocol: /^https?$/ })
    .nullable()
    .default(null)
    .meta({ description: 'the block explorer that links lead to', otherwise: known }),
}

const platformWalletText = 'receives the platform’s share; on Solana an owner’s address, not a token account'
const familyText = { description: '`evm`, `solana` or `tron`', otherwise: 'known network, else `evm`' }
const tokensText = { description: '[tokens](#tokens)', otherwise: known }
const highValueText =
  'new payments of that many dollars or more, their sweeps and refunds need that many confirmations (at most `finalityBlocks`) and, if `rpcUrls` has two hosts, two nodes that agree; they wait while the second is down'
const finalityText = 'a deeper reorg needs a person'

/** From this amount on, payments need this many confirmations. */
const highValue = {
  amount: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'must be an amount of whole dollars such as "10000"')
    .describe('whole dollars such as `"10000"`'),
  confirmations: z.int().min(1).max(10_000).describe('such as 64'),
}

const coinPrice = z
  .string()
  .regex(/^(?=.*[1-9])\d{1,9}(\.\d{1,6})?$/, 'must be the coin\'s price in dollars, such as "3000" or "0.25"')

const signatureGas = z
  .strictObject({
    coinPrice: coinPrice.describe('dollars for one coin of the network; name a high one'),
    perPayer: z.int().min(1).max(10_000).default(20).describe('transactions of a paying account in 24 hours'),
    perAddress: z.int().min(1).max(10_000).default(100).describe('transactions of a client address in 24 hours'),
    dailyBudget: z
      .string()
      .regex(/^\d{1,6}(\.\d{1,6})?$/, 'must be dollars such as "20" or "0.50"')
      .default('20')
      .describe('dollars in 24 hours, of which one merchant may use four fifths and one address half'),
  })
  .nullable()
  .default(null)
  .describe(
    'the operator (on Solana the fee payer) pays for payments by [signature](api.md#paying-by-a-signature) or [x402](agents.md#x402); `null`: not offered',
  )

const deterministic = 'the deterministic address'

const evmSchema = z.strictObject({
  ...anyNetwork,
  family: z.literal('evm').meta(familyText),
  platformWallet: platformWallet.describe(platformWalletText),
  tokens: tokensOfSchema(tokenSchema).meta(tokensText),
  deposits: z
    .enum(evmDepositKinds, `must be ${evmDepositKinds.join(' or ')}`)
    .default('forwarder')
    .describe(
      'what [deposit addresses](deposit-addresses.md) of new payments are. With `virtual` and `xpub`, `platform.feeBps` is 0 or `platformShare` is `false`, and `signatureGas` and `sweepGas` are `null`',
    ),
  platformShare: noPlatformShare.describe('`false`: the platform takes no share on this network'),
  highValue: z.strictObject(highValue).nullable().default(null).describe(highValueText),
  sweepGas: z
    .strictObject({
      maxBps: z.int().min(1).max(10_000).describe('gas in basis points of the deposit above which a sweep waits'),
      coinPrice: coinPrice.describe('dollars for one coin of the network; name a high one'),
      maxWaitHours: z.int().min(1).max(168).default(24).describe('the longest wait'),
    })
    .nullable()
    .default(null)
    .describe('sweeps wait while gas is expensive'),
  signatureGas,
  l1FeeOracle: address.nullable().default(null).meta({
    description:
      'the contract whose `getL1Fee(bytes)` gives the cost beside gas, counted for `signatureGas`; on known OP Stack chains set',
    otherwise: known,
  }),
  finalityBlocks: z.int().min(1).max(10_000).default(finalityBlocksDefault).describe(finalityText),
  factory: address
    .default(factoryAddress)
    .meta({ description: 'the factory of deposit addresses', otherwise: deterministic }),
  splitter: address.default(paymentSplitter.address).meta({
    description: 'the splitter of contract payments, which are off while its code is missing',
    otherwise: deterministic,
  }),
  publicRpcUrls: z
    .array(z.url({ protocol: /^https?$/ }))
    .default([])
    .meta({ description: 'given to wallets that lack the network, so never with a key', otherwise: known }),
  nativeCurrency: z
    .strictObject({ name: z.string().min(1), symbol: z.string().min(1), decimals: z.int().min(0).max(36) })
    .default({ name: 'Ether', symbol: 'ETH', decimals: 18 })
    .meta({ description: 'given to such wallets', otherwise: 'known network, else ether' }),
})

const { hasAddressForm: isSolanaAddress, addressFormat: solanaAddressFormat } = chainFamilies.solana
const solanaAddress = z.string().refine(isSolanaAddress, `must be a Solana address: ${solanaAddressFormat}`)

/** ERC-2612 and ERC-3009 domains exist only on EVM networks. */
const solanaToken = tokenSchema
  .extend({ address: solanaAddress, decimals: z.int().min(0).max(18) })
  .omit({ permit: true, authorization: true })
  .transform((token) => ({ ...token, permit: null, authorization: null }))

const solanaSchema = z.strictObject({
  ...anyNetwork,
  family: z.literal('solana').meta(familyText),
  genesisHash: solanaAddress.meta({ description: 'of the first block: the cluster’s identity', otherwise: known }),
  signatureGas,
  highValue: z
    .strictObject({ ...highValue, confirmations: highValue.confirmations.default(solanaFinalityBlocks) })
    .nullable()
    .default(null)
    .describe(highValueText),
  platformWallet: solanaAddress.describe(platformWalletText),
  tokens: tokensOfSchema(solanaToken).meta(tokensText),
})

const {
  hasAddressForm: isTronAddress,
  parseAddress: parseTronAddress,
  addressFormat: tronAddressFormat,
} = chainFamilies.tron
const tronAddress = z
  .string()
  .refine(isTronAddress, `must be a Tron address: ${tronAddressFormat}`)
  .refine(
    (text) => parseTronAddress(text) !== undefined,
    'must be a Tron address: its checksum is wrong, copy it again',
  )

const tronToken = tokenSchema
  .extend({
    symbol: z.literal('USDT', 'must be USDT: no other token is issued on Tron'),
    address: tronAddress,
    decimals: z.int().min(0).max(18),
  })
  .omit({ permit: true, authorization: true })
  .transform((token) => ({ ...token, permit: null, authorization: null }))

/** The service sends nothing on Tron, so the network has no gas settings, and takes no share. */
const tronSchema = z
  .strictObject({
    ...anyNetwork,
    family: z.literal('tron').meta(familyText),
    highValue: z.strictObject(highValue).nullable().default(null).describe(highValueText),
    finalityBlocks: z.int().min(1).max(10_000).default(finalityBlocksDefault).describe(finalityText),
    deposits: z
      .literal('xpub', 'must be "xpub": deposits on Tron are addresses of the merchant\'s own wallet')
      .default('xpub')
      .describe('as on EVM networks; only `xpub`'),
    platformShare: noPlatformShare.describe('`false`: the platform takes no share on this network'),
    tokens: tokensOfSchema(tronToken).meta(tokensText),
  })
  .transform(({ deposits: _, ...network }) => ({
    ...network,
    nativeCurrency: { name: 'TRX', symbol: 'TRX', decimals: 6 },
    signatureGas: null,
    platformWallet: chainFamilies.tron.zeroAddress,
  }))

/** A network without a family is treated as EVM, so that all its faults are reported and not only the missing family. */
function withFamily(given: unknown): unknown {
  const whole = withKnown(given)
  return typeof whole === 'object' && whole !== null && !('family' in whole) ? { ...whole, family: 'evm' } : whole
}

/** A network of the configuration file; defaults come from the known network of its short name. */
export const networkSchema = z.preprocess(
  withFamily,
  z.discriminatedUnion('family', [evmSchema, solanaSchema, tronSchema], 'must be evm, solana or tron'),
)
