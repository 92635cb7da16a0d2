import { z } from 'zod'
import { factoryAddress, paymentSplitter } from '../../chain/evm/deploy/contracts.generated.ts'
import { evmDepositKinds } from '../../chain/evm/deposit/evm-deposits.ts'
import type { PayerKey } from '../../chain/family.ts'
import { chainFamilies, depositsOf, familyOf } from '../../chain/index.ts'
import { isCurrency } from '../../core/currency-codes.ts'
import { type Network, symbolPattern } from '../../core/families.ts'
import { knownCurrencies } from '../../core/known-currencies.ts'
import { knownNetworks, tokenFault, withKnown } from '../../network/known/known-networks.ts'

/**
 * Blocks below the head that a reorg can still replace. Ethereum finalises after two epochs of 32 blocks. Twice that is kept,
 * because a header costs one row, and a deeper reorg stops the watcher.
 */
const finalityBlocksDefault = 128

/** Confirmations for finality on Solana. Only displayed for high-value payments: `finalized` decides. */
const solanaFinalityBlocks = 32

const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address: 0x and 40 hex digits')
/** Required even without a platform fee: it is part of every payment's terms. */
const platformWallet = address.refine((text) => !/^0x0{40}$/.test(text), 'must not be the zero address')

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

const tokenSchema = z.strictObject({
  symbol: tokenSymbol,
  currency: tokenCurrency,
  name: z.string().min(1),
  address,
  decimals: z.int().min(0).max(36),
  permit: signingDomain,
  authorization,
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
  shortName: z.string().regex(/^[a-z0-9-]{1,40}$/, 'must be lower-case letters, digits and hyphens'),
  name: z.string(nameNeededUnlessKnown).min(1),
  chainId: z.int(neededUnlessKnown).positive(),
  isTestnet: z.boolean().default(false),
  rpcUrls: z.array(z.url({ protocol: /^https?$/ })).min(1),
  confirmations: z.int(neededUnlessKnown).min(1).max(1_000),
  pollMs: z.int().min(50).max(60_000).default(2_000),
  explorerUrl: z
    .url({ protocol: /^https?$/ })
    .nullable()
    .default(null),
}

/** From this amount on, payments need this many confirmations. */
const highValue = {
  amount: z.string().regex(/^[1-9]\d{0,8}$/, 'must be an amount of whole dollars such as "10000"'),
  confirmations: z.int().min(1).max(10_000),
}

const coinPrice = z
  .string()
  .regex(/^(?=.*[1-9])\d{1,9}(\.\d{1,6})?$/, 'must be the coin\'s price in dollars, such as "3000" or "0.25"')

const signatureGas = z
  .strictObject({
    coinPrice,
    perPayer: z.int().min(1).max(10_000).default(20),
    perAddress: z.int().min(1).max(10_000).default(100),
    dailyBudget: z
      .string()
      .regex(/^\d{1,6}(\.\d{1,6})?$/, 'must be dollars such as "20" or "0.50"')
      .default('20'),
  })
  .nullable()
  .default(null)

const evmSchema = z.strictObject({
  ...anyNetwork,
  family: z.literal('evm'),
  publicRpcUrls: z.array(z.url({ protocol: /^https?$/ })).default([]),
  nativeCurrency: z
    .strictObject({ name: z.string().min(1), symbol: z.string().min(1), decimals: z.int().min(0).max(36) })
    .default({ name: 'Ether', symbol: 'ETH', decimals: 18 }),
  highValue: z.strictObject(highValue).nullable().default(null),
  finalityBlocks: z.int().min(1).max(10_000).default(finalityBlocksDefault),
  sweepGas: z
    .strictObject({
      maxBps: z.int().min(1).max(10_000),
      coinPrice,
      maxWaitHours: z.int().min(1).max(168).default(24),
    })
    .nullable()
    .default(null),
  signatureGas,
  l1FeeOracle: address.nullable().default(null),
  /** The kind of deposit address for new payments. */
  deposits: z.enum(evmDepositKinds, `must be ${evmDepositKinds.join(' or ')}`).default('forwarder'),
  platformShare: noPlatformShare,
  factory: address.default(factoryAddress),
  splitter: address.default(paymentSplitter.address),
  platformWallet,
  tokens: tokensOfSchema(tokenSchema),
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
  family: z.literal('solana'),
  genesisHash: solanaAddress,
  signatureGas,
  highValue: z
    .strictObject({ ...highValue, confirmations: highValue.confirmations.default(solanaFinalityBlocks) })
    .nullable()
    .default(null),
  platformWallet: solanaAddress,
  tokens: tokensOfSchema(solanaToken),
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
    family: z.literal('tron'),
    highValue: z.strictObject(highValue).nullable().default(null),
    finalityBlocks: z.int().min(1).max(10_000).default(finalityBlocksDefault),
    deposits: z
      .literal('xpub', 'must be "xpub": deposits on Tron are addresses of the merchant\'s own wallet')
      .default('xpub'),
    platformShare: noPlatformShare,
    tokens: tokensOfSchema(tronToken),
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

/** Whether a key sweeps the deposits of a network. Deposits at merchants' own addresses need none. */
export const isKeyNeeded = (networks: readonly Network[], variable: PayerKey['variable']): boolean =>
  networks.some((network) => familyOf(network).payerKey?.variable === variable && !depositsOf(network).isDirect)

/** Rules across networks. */
export function networkFaults(networks: readonly Network[], feeBps = 0): string[] {
  const faults: string[] = []
  for (const [index, network] of networks.entries()) {
    const before = networks.slice(0, index)
    const at = `networks.${index} (${network.shortName})`
    if (before.some((other) => other.shortName === network.shortName)) faults.push(`${at}: shortName is used twice`)
    if (before.some((other) => other.chainId === network.chainId)) faults.push(`${at}: chainId is used twice`)
    const rules = depositsOf(network)
    const takesNoShare = 'platformShare' in network && network.platformShare === false
    if (takesNoShare && !rules.isDirect)
      faults.push(`${at}: platformShare can be false only with deposits "virtual" or "xpub"`)
    if (rules.isDirect && feeBps > 0 && !takesNoShare) {
      const rule = `platform.feeBps must be 0 with deposits "${rules.kind}": ${rules.noShareReason}`
      faults.push(`${at}: ${rule}. Without a share there, set platformShare of the network to false`)
    }
    const symbols = network.tokens.map((token) => token.symbol)
    if (new Set(symbols).size !== symbols.length) faults.push(`${at}: a token symbol is used twice`)
    faults.push(
      ...familyOf(network)
        .configFaults(network)
        .map((fault) => `${at}: ${fault}`),
    )
    for (const [place, token] of network.tokens.entries()) {
      const fault = tokenFault(network.chainId, token)
      if (fault !== undefined) faults.push(`${at}: ${fault}`)
      const other = before.flatMap(({ tokens }) => tokens).find(({ symbol }) => symbol === token.symbol)
      if (other && other.currency !== token.currency) {
        const rule = `must be ${other.currency}, because ${token.symbol} stands for it on another network`
        faults.push(`${at}: tokens.${place}.currency ${rule}`)
      }
    }
  }
  return faults
}
