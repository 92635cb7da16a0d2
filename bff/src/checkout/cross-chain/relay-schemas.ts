import { z } from 'zod'

// Responses of Relay's API. The schemas validate only the fields in use.
// https://docs.relay.link/references/api/overview

const hexAddress = /^0x[0-9a-fA-F]{40}$/
const tokenList = z.array(z.looseObject({ symbol: z.string().nullish(), address: z.string(), decimals: z.int() }))

export const chainsResponse = z.object({
  chains: z
    .array(
      z.looseObject({
        id: z.int(),
        name: z.string(),
        displayName: z.string().nullish(),
        explorerUrl: z.string().nullish(),
        vmType: z.string().nullish(),
        disabled: z.boolean().nullish(),
        depositEnabled: z.boolean().nullish(),
        tokenSupport: z.string().nullish(),
        solverCurrencies: tokenList.nullish(),
      }),
    )
    .max(1_000),
})

const amountOfCurrency = z.looseObject({
  currency: z.looseObject({ chainId: z.int(), address: z.string(), decimals: z.int().nullish() }),
  amount: z.string().regex(/^\d{1,78}$/, 'must be a whole number of base units'),
  minimumAmount: z
    .string()
    .regex(/^\d{1,78}$/)
    .nullish(),
})

export const quoteResponse = z.looseObject({
  steps: z.array(
    z.looseObject({
      requestId: z.string().min(1).max(100).nullish(),
      depositAddress: z.string().regex(hexAddress, 'must be an EVM address').nullish(),
    }),
  ),
  details: z.looseObject({
    recipient: z.string(),
    currencyIn: amountOfCurrency,
    currencyOut: amountOfCurrency,
    /** The currency of a refund. */
    refundCurrency: z.looseObject({ currency: z.looseObject({ chainId: z.int() }) }).nullish(),
  }),
})

const hashes = z.array(z.string().max(100)).max(100).nullish()
/** Older versions of the API use "N/A" instead of null. */
const reason = z
  .string()
  .max(200)
  .nullish()
  .transform((text) => (text === 'N/A' || text === '' ? null : (text ?? null)))

export const statusResponse = z.looseObject({
  status: z.string().max(40),
  inTxHashes: hashes,
  txHashes: hashes,
  failReason: reason,
  refundFailReason: reason,
})

const transactions = z
  .array(
    z.looseObject({
      txHash: z.string().max(100).nullish(),
      hash: z.string().max(100).nullish(),
      chainId: z.int().nullish(),
    }),
  )
  .max(100)
  .nullish()

/** Version 3 has the transactions at the top level, version 2 under `data`. */
export const requestsResponse = z.looseObject({
  requests: z
    .array(
      z.looseObject({
        id: z.string().max(100),
        status: z.string().max(40),
        inTxs: transactions,
        outTxs: transactions,
        failReason: reason,
        data: z.looseObject({ inTxs: transactions, outTxs: transactions, failReason: reason }).nullish(),
      }),
    )
    .max(100),
})

export const refusalResponse = z.looseObject({
  message: z.string().catch(''),
  errorCode: z.string().max(100).nullish().catch(null),
})
