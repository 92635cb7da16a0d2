import { z } from '@hono/zod-openapi'

const amountText = z.string().openapi({ example: '25.00' })
const address = z.string()
const hex = z.string()
const baseUnits = z.string().openapi({ description: 'Base units of the token, decimal.', example: '25000000' })
const seconds = z.string().openapi({ description: 'Unix seconds, decimal.' })

const splitParams = z.object({
  token: address,
  amount: baseUnits,
  paymentId: z.string(),
  recipient1: address,
  recipient2: address,
  recipient3: address,
  recipient1Percentage: z.int(),
  recipient2Percentage: z.int(),
  recipient3Percentage: z.int(),
})

const typedData = z
  .looseObject({ primaryType: z.string(), domain: z.looseObject({}), types: z.looseObject({}) })
  .openapi({ description: 'For eth_signTypedData_v4, once the fields of `message` that are null are filled in.' })

/** A chain as `wallet_addEthereumChain` expects it. */
export const walletChain = z.object({
  chainId: z.int(),
  name: z.string(),
  rpcUrls: z.array(z.string()),
  nativeCurrency: z.object({ name: z.string(), symbol: z.string(), decimals: z.int() }),
  explorerUrl: z.string().nullable(),
})

/** The call by which a wallet pays, in each form that the splitter accepts. */
export const contractCall = z
  .object({
    contractAddress: address,
    functionName: z.string(),
    tokenAddress: address,
    approvalAmount: baseUnits,
    approvalRequired: z.boolean(),
    params: splitParams,
    chainId: z.int(),
    abi: z.array(z.looseObject({})),
    data: hex,
    value: z.literal('0x0'),
    before: z.object({ functionName: z.string(), params: splitParams, deadline: seconds, data: hex }),
    permit: z
      .object({ functionName: z.string(), deadline: seconds, data: hex, signatureOffset: z.int(), typedData })
      .optional(),
    authorization: z
      .object({
        functionName: z.string(),
        deadline: seconds,
        data: hex,
        payerOffset: z.int(),
        signatureOffset: z.int(),
        typedData,
      })
      .optional(),
    approval: z.object({ to: address, data: hex, resetData: hex, requiresReset: z.boolean() }),
    chain: walletChain,
  })
  .openapi('ContractCall')

/** The fields that only contract payments have. */
export const contractShape = {
  totalAmount: amountText,
  feeAmount: amountText,
  contractAddress: address.nullable().openapi({ description: 'Null on Solana: the token program itself pays.' }),
  splitterPaymentId: z.string(),
  merchantWallet: address,
  platformWallet: address,
  merchantPercentage: z.int(),
  platformPercentage: z.int(),
  chainId: z.int().nullable(),
  tokenAddress: address,
  tokenDecimals: z.int(),
}
