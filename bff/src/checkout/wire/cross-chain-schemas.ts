import { z } from '@hono/zod-openapi'

/** The additional fields of a cross-chain payment. */
export const bridgeShape = {
  relayDepositAddress: z.string().openapi({ description: 'Where the customer sends to, on the origin chain.' }),
  amountToSend: z
    .string()
    .openapi({ description: "In the origin token's smallest unit: exactly this much.", example: '25100000' }),
  amountToSendFormatted: z.string().openapi({ example: '25.10' }),
  originChainId: z.int(),
  originCurrency: z.string(),
  destination: z
    .object({ network: z.string(), currency: z.string(), amount: z.string(), address: z.string() })
    .openapi({ description: 'What the merchant receives, and where.' }),
  bridgeMessage: z.string().openapi({ description: 'The progress in words, for the customer.' }),
  bridgeReason: z.string().nullable().openapi({ description: "The relay's reason for returning the money." }),
  originTxHash: z.string().nullable(),
  destinationTxHash: z.string().nullable(),
  bridgeRefundTxHash: z.string().nullable().openapi({ description: 'On the origin chain.' }),
  Origin: z.object({
    name: z.string(),
    chainId: z.int(),
    explorerUrl: z.string().nullable(),
    tokenAddress: z.string(),
    decimals: z.int(),
  }),
}
