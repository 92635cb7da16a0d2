import { z } from '@hono/zod-openapi'
import { merchantReaders, seenBy } from '../../access/context/seen-by.ts'
import { amountText, logo, time } from '../../access/operation/common-schemas.ts'
import { merchantRefundStatuses } from '../../payment/merchant-refund.ts'
import { outcomes, paymentStates, statuses } from '../../payment/payment.ts'
import { refundStates } from '../../payment/refund.ts'
import { contractCall, contractShape } from './contract-schemas.ts'
import { bridgeShape } from './cross-chain-schemas.ts'
import { settlementStates } from './settlement-view.ts'
import { unmatchedRefundStates } from './unmatched-view.ts'

/** The payment in responses of the status routes. */
export const statusShape = {
  id: z.uuid(),
  paymentId: z.uuid(),
  status: z.enum(statuses),
  outcome: z.enum(outcomes),
  isFinal: z.boolean(),
  paymentState: z.enum(paymentStates),
  settlement: z.object({ state: z.enum(settlementStates), message: z.string() }),
  amount: amountText,
  amountReceived: amountText.nullable(),
  currency: z.string(),
  network: z.string(),
  transactionHash: z.string().nullable(),
  depositTxHash: z.string().nullable(),
  sweepTxHash: z.string().nullable(),
  confirmations: z.int(),
  requiredConfirmations: z.int(),
  detectedAt: time.nullable(),
  confirmedAt: time.nullable(),
  expiresAt: time.nullable(),
  bridgeStatus: z.string().nullable(),
  isTest: z.boolean(),
  sandbox: z.boolean(),
}

const refund = z
  .object({
    state: z.enum(refundStates),
    message: z.string(),
    address: z.string().nullable(),
    amount: amountText,
    amountRefunded: amountText,
    txHash: z.string().nullable(),
  })
  .openapi('PaymentRefund')

const unmatchedTransfer = z
  .object({
    network: z.string(),
    networkName: z.string(),
    currency: z.string(),
    tokenAddress: z.string().nullable().openapi({ description: "Null: the chain's own coin." }),
    amount: amountText.openapi({ description: 'The amount that is there and was not returned.' }),
    amountRefunded: amountText,
    transactionHash: z.string().nullable(),
    refund: z.object({
      state: z.enum(unmatchedRefundStates),
      message: z.string(),
      address: z.string().nullable(),
      txHash: z.string().nullable(),
    }),
  })
  .openapi('UnmatchedTransfer')

/** The payment in responses of /deposits/status. */
const depositShape = {
  ...statusShape,
  amountDetected: amountText.nullable(),
  amountRemaining: amountText.nullable(),
  excessOwed: amountText.nullable(),
  refund: z.union([refund, z.null()]),
  unmatched: z.array(unmatchedTransfer).openapi({
    description:
      "Money at the deposit address that was not asked for: another token, the chain's coin, another network.",
  }),
  depositAddress: z.string().nullable(),
  depositMethod: z.string(),
  sweptAt: time.nullable(),
  isExpired: z.boolean(),
}

const paymentTypedData = z
  .object({
    types: z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() }))),
    primaryType: z.string(),
    domain: z.object({
      name: z.string(),
      version: z.string().optional(),
      chainId: z.int(),
      verifyingContract: z.string(),
    }),
    message: z.record(z.string(), z.union([z.string().nullable(), z.record(z.string(), z.string())])),
  })
  .openapi('PaymentTypedData')

export const qrCode = z.object({ size: z.int(), modules: z.base64() }).openapi('QrCode')

/** The price that the amount was converted from; nulls if the create named the amount in tokens. */
const priceShape = {
  price: z.string().nullable().openapi({ description: 'In `priceCurrency`, as the create named it.' }),
  priceCurrency: z.string().nullable(),
  rate: z.string().nullable().openapi({ description: 'Units of `priceCurrency` for one whole token, exact.' }),
  rateAt: time.nullable().openapi({ description: 'The time of the rate.' }),
}

/** The payment as anyone who knows its id may read it. */
const publicPaymentShape = {
  ...depositShape,
  ...z.object(contractShape).partial().shape,
  ...z.object(bridgeShape).partial().shape,
  contractCall: contractCall.optional(),
  ...priceShape,
  returnUrl: z.string().nullable().openapi({
    description: 'Where the customer returns once the payment has ended: the URL of the create, with `paymentId`.',
  }),
  paymentMode: z.string(),
  createdAt: time.nullable(),
  authorization: z.object({ typedData: paymentTypedData }).optional().openapi({
    description:
      'For `eth_signTypedData_v4`: signed by a customer without coins, and sent to `/payments/{id}/authorize`. `from` is the payer; a `nonce` of null is 32 random bytes. A `PermitWitnessTransferFrom` is of Permit2, which the payer has approved once, and goes as `permit2Authorization`. Absent: not offered.',
  }),
  sponsored: z.literal(true).optional().openapi({
    description:
      'On Solana: a wallet may ask `/payments/solana-pay/{id}` with `feePayer: "service"` for a transaction whose fee the service pays, sign it, and bring it to `/payments/{id}/authorize`.',
  }),
  explorer: z.object({ address: z.string().nullable(), transaction: z.string().nullable() }),
  paymentUri: z.string().nullable(),
  Token: z
    .object({
      id: z.uuid(),
      symbol: z.string(),
      name: z.string(),
      contractAddress: z.string(),
      decimals: z.int(),
      logo,
      isStablecoin: z.boolean(),
    })
    .openapi('PaymentToken'),
  Network: z
    .object({
      id: z.uuid(),
      name: z.string(),
      shortName: z.string(),
      chainId: z.int().nullable(),
      type: z.string().nullable(),
      isTestnet: z.boolean(),
      explorerUrl: z.string().nullable(),
      rpcUrls: z.array(z.string()).openapi({ description: 'Public nodes, for wallets that lack the network.' }),
      hasCoin: z.boolean().openapi({
        description:
          'False where network fees are paid in the token that is sent, such as on Tempo: nobody needs a coin.',
      }),
      logo,
    })
    .openapi('PaymentNetwork'),
  Merchant: z.object({ businessName: z.string() }),
  qr: z.object({ address: qrCode, uri: z.union([qrCode, z.null()]) }).optional(),
}

/** Omits the reason and address, which only the shop and the customer may see. The customer has the refund's own page. */
const publicRefund = z
  .object({
    status: z.enum(merchantRefundStatuses),
    amount: amountText,
    paid: amountText.openapi({ description: 'Confirmed.' }),
    transactions: z.array(z.object({ hash: z.string(), explorerUrl: z.string().nullable() })),
    paidAt: time.nullable(),
  })
  .openapi('RefundOfPublicPayment')

const publicPayment = z
  .object({
    ...publicPaymentShape,
    refunds: z.array(publicRefund).optional().openapi({
      description:
        "Refunds that the merchant's wallet has paid or has still to pay, oldest first. Only where the payment is read by its id.",
    }),
  })
  .openapi('PublicPayment')

export const clientSecret = z.string().openapi({
  description:
    'Proves that its holder made the payment or was sent its link: needed to name the refund address, or to cancel, without API key and secret. No other answer holds it.',
  example: 'cs_J0Xl7cB0Qb8l4mPzJb1cV0Yk4c1m2H3xQW8pP6s9a2E',
})

export const createdPaymentShape = {
  ...publicPaymentShape,
  clientSecret: clientSecret.optional().openapi({
    description: 'Absent only where a public key repeats a create by its order id or its body, which can be guessed.',
  }),
}

/** The payment as its merchant reads it: with API key and secret, and in webhooks. */
export const recordShape = {
  ...publicPaymentShape,
  orderId: seenBy(merchantReaders, z.string().nullable()),
  customerEmail: seenBy(merchantReaders, z.string().nullable()),
  callbackUrl: seenBy(merchantReaders, z.string().nullable()),
  metadata: seenBy(merchantReaders, z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))),
  linkId: seenBy(
    merchantReaders,
    z.string().nullable().openapi({
      description: 'The payment link that a customer made it by.',
    }),
  ),
  agentId: seenBy(merchantReaders, z.string().nullable()),
  agentOwner: seenBy(merchantReaders, z.string().nullable()),
  failureReason: seenBy(
    merchantReaders,
    z.string().nullable().openapi({
      description: 'The `reason` of `/payments/fail`, in the words of who ended the payment.',
    }),
  ),
  refundedByMerchant: seenBy(
    merchantReaders,
    amountText.optional().openapi({ description: 'Refunded from your own wallet and confirmed: see `/refunds`.' }),
  ),
  refundDueByMerchant: seenBy(
    merchantReaders,
    amountText.optional().openapi({ description: 'Refunds that your own wallet has still to pay.' }),
  ),
  canAcceptLate: seenBy(
    merchantReaders,
    z.boolean().optional().openapi({
      description:
        'Whether `/payments/{paymentId}/accept-late` makes it paid: enough money came too late and is not being refunded.',
    }),
  ),
  sequence: z.int(),
}

export const paymentStatus = z.object(statusShape).openapi('PaymentStatus')

export const statusResponse = z.object({ success: z.literal(true), payment: paymentStatus })
export const depositStatusResponse = z.object({
  success: z.literal(true),
  payment: z.object(depositShape).openapi('DepositStatus'),
})
export const publicResponse = z.object({ success: z.literal(true), serverTime: time, payment: publicPayment })
export const recordResponse = z.object({ success: z.literal(true), payment: z.object(recordShape).openapi('Payment') })
