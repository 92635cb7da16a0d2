import { z } from '@hono/zod-openapi'
import { clientSecretReaders, refundReaders, seenBy } from '../../access/context/seen-by.ts'
import { amountText, textMax, time } from '../../access/operation/common-schemas.ts'
import { merchantRefundStatuses, refundRates } from '../../payment/merchant-refund.ts'
import { contractCall, walletChain } from './contract-schemas.ts'
import { qrCode } from './payment-schemas.ts'
import { givenClientSecret } from './request-schemas.ts'

const reasonMax = 300

const addressText = z.string('address is required').max(100, 'address must have at most 100 characters')

export const MerchantRefundRequest = z
  .object({
    amount: z.union([z.number(), z.string()]).optional().openapi({
      description: 'In whole tokens, exact. Without `amount` and `price`: everything that is not yet refunded.',
      example: '10.00',
    }),
    price: z.union([z.number(), z.string()]).optional().openapi({
      description:
        'In `priceCurrency`, in place of `amount`: converted by `rate` and rounded up to a cent of the token.',
    }),
    priceCurrency: z.string().max(textMax).optional().openapi({
      description: "ISO 4217 code. Default: the currency of the payment's price.",
    }),
    rate: z.enum(refundRates, 'rate must be then or now').optional().openapi({
      description: "`then`: the payment's rate, the default for a payment with a price. `now`: the current rate.",
    }),
    address: addressText.optional().openapi({
      description:
        "The customer's address on the payment's network. Without it the customer names one on the page of `pageUrl`.",
    }),
    reason: z.string().trim().max(reasonMax, `reason must have at most ${reasonMax} characters`).optional().openapi({
      description: 'The customer reads it too.',
    }),
  })
  .openapi('RequestMerchantRefund')

export const RefundAddress = z
  .object({ address: addressText, clientSecret: givenClientSecret })
  .openapi('NameMerchantRefundAddress')

export const VerifyRefund = z
  .object({
    transactionHash: z
      .string('transactionHash is required')
      .min(1, 'transactionHash is required')
      .max(100, 'transactionHash must have at most 100 characters'),
  })
  .openapi('VerifyMerchantRefund')

export const refundParam = z.object({
  refundId: z
    .uuid('Invalid refundId: must be a valid UUID')
    .toLowerCase()
    .openapi({ param: { name: 'refundId', in: 'path' }, example: '1b7c9a52-3f0e-4c55-9a0d-51a9d5f0f3e2' }),
})

const pageMax = 100

export const refundsQuery = z.object({
  status: z
    .enum(['all', 'open', ...merchantRefundStatuses])
    .default('all')
    .openapi({ description: '`open`: neither paid nor cancelled.' }),
  before: z.coerce.number().int().positive().optional().openapi({ description: '`next` of the page before.' }),
  limit: z.coerce.number().int().min(1).max(pageMax).default(20),
  isTest: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional(),
})

const transaction = z
  .object({
    hash: z.string(),
    amount: amountText,
    confirmations: z.int(),
    isFinal: z.boolean().openapi({ description: 'It has the confirmations that the refund requires.' }),
    explorerUrl: z.string().nullable(),
  })
  .openapi('MerchantRefundTransaction')

/** A refund as anyone may read it who knows its id, such as its customer. */
const publicRefundShape = {
  id: z.uuid(),
  paymentId: z.uuid(),
  status: z.enum(merchantRefundStatuses),
  network: z.string(),
  networkName: z.string(),
  currency: z.string(),
  amount: amountText,
  price: z.string().nullable(),
  priceCurrency: z.string().nullable(),
  rate: z.string().nullable().openapi({ description: 'Units of `priceCurrency` for one whole token.' }),
  rateOf: z.enum(refundRates).nullable(),
  reason: z.string().nullable(),
  address: z.string().nullable().openapi({ description: "The customer's address; null: nobody has named it." }),
  paid: amountText.openapi({ description: 'Confirmed.' }),
  remaining: amountText.openapi({ description: 'Still to be paid, counting what is confirming.' }),
  excess: amountText.openapi({ description: 'Paid beyond the amount, such as by paying twice.' }),
  transactionHash: z.string().nullable().openapi({ description: 'Of the newest transfer.' }),
  transactions: z.array(transaction),
  merchantName: z.string(),
  isTest: z.boolean(),
  createdAt: time,
  addressNamedAt: time.nullable().openapi({ description: 'When `address` was named. Null: nobody has named it.' }),
  paidAt: time.nullable(),
  cancelledAt: time.nullable(),
}

export const refundShape = {
  ...publicRefundShape,
  tokenAddress: z.string(),
  tokenDecimals: z.int(),
  remainingUnits: z.string().openapi({ description: '`remaining` in base units of the token.' }),
  requestedBy: seenBy(
    refundReaders,
    z.string().nullable().openapi({
      description: 'The person who asked for it in the dashboard. Null: a key, a store or the command line.',
    }),
  ),
  orderId: z.string().nullable().openapi({ description: "The shop's reference of the refunded payment." }),
  pageUrl: seenBy(
    clientSecretReaders,
    z.string().nullable().openapi({
      description:
        "The customer's page, where the address is named and the state is shown. Send it to the customer only. Null in the dashboard, except in the first response to the create.",
    }),
  ),
  call: z.union([contractCall, z.null()]).openapi({
    description:
      "What the merchant's wallet sends through the splitter. Null: pay by a transfer, or nothing is due, such as while the payment is no longer paid after a reorg, or once a cancelled refund was paid after all.",
  }),
  qr: qrCode.optional().openapi({ description: 'Of `paymentUri`, with `include=qr`.' }),
  paymentUri: z.string().nullable().openapi({
    description: 'The same as a plain transfer, as EIP-681 or Solana Pay. Null: nothing is due now.',
  }),
  ownAddressesPay: z.boolean().openapi({
    description:
      "Whether a plain transfer is also found automatically when it comes from an address of the merchant's own wallet that a payment was given.",
  }),
  wallet: z
    .object({
      by: z.enum(['call', 'transfer', 'transaction']).openapi({
        description: 'It sends `call`, a transfer of the token, or a transaction of `promptRefundWallet`.',
      }),
      account: z.string().nullable().openapi({
        description:
          'The settlement wallet: the only account whose transfer is found automatically, unless `ownAddressesPay`. Null: any account.',
      }),
      chain: walletChain.nullable(),
    })
    .nullable()
    .openapi({ description: 'How a wallet in the browser pays the refund. Null: nothing is due now, or none can.' }),
  prompt: z
    .object({
      id: z.uuid(),
      account: z.string(),
      askedAt: time,
      transactionHash: z.string().nullable(),
      batchId: z.string().nullable().openapi({ description: 'Of `wallet_sendCalls`, which the wallet knows it by.' }),
    })
    .nullable()
    .openapi({
      description:
        'What a wallet was asked to send for the refund while it may still pay: do not pay it again. Null: there is none.',
    }),
}

const refundsPerPromptMax = 20

export const PromptRefundWallet = z
  .object({
    refundIds: z
      .array(z.uuid('refundIds must be UUIDs').toLowerCase(), 'refundIds must be a list of UUIDs')
      .min(1, 'refundIds must name a refund')
      .max(refundsPerPromptMax, `refundIds must name at most ${refundsPerPromptMax} refunds`)
      .openapi({ description: 'On one network, paid by one signature or in one batch.' }),
    account: z
      .string('account must be the address of a wallet')
      .max(100, 'account must have at most 100 characters')
      .openapi({ description: 'The wallet that pays.', example: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }),
  })
  .openapi('PromptRefundWallet')

export const promptResponse = z.object({
  success: z.literal(true),
  prompt: z.object({
    id: z.uuid(),
    transaction: z.string().nullable().openapi({
      description: 'On Solana: the unsigned transaction in base64. Null: send `call` of each refund, or a transfer.',
    }),
  }),
  refunds: z.array(z.lazy(() => MerchantRefundView)),
})

export const promptParam = z.object({
  promptId: z
    .uuid('Invalid promptId: must be a valid UUID')
    .toLowerCase()
    .openapi({ param: { name: 'promptId', in: 'path' }, example: '6a1f3c7e-2b9d-4a35-8f10-3d8f0f6b7c21' }),
})

const walletText = z.string().min(1).max(200, 'must have at most 200 characters')

export const ReportRefundPrompt = z
  .object({
    transactionHash: walletText.optional(),
    batchId: walletText.optional(),
    isRejected: z.literal(true).optional().openapi({ description: 'The wallet has certainly sent nothing.' }),
    isGivenUp: z.literal(true).optional().openapi({
      description:
        'The wallet says that no block has its batch and that it will not send it again (EIP-5792, status 400).',
    }),
  })
  .openapi('ReportRefundPrompt')

export const promptEnded = z.object({ success: z.literal(true) })

export const PublicMerchantRefund = z.object(publicRefundShape).openapi('PublicMerchantRefund')
/** The refund as webhook events carry it. */
export const refundOfEvent = z
  .object(publicRefundShape)
  .omit({ networkName: true, transactions: true, merchantName: true })
  .openapi('MerchantRefundOfEvent')
const MerchantRefundView = z.object(refundShape).openapi('MerchantRefund')

export const refundResponse = z.object({ success: z.literal(true), refund: MerchantRefundView })
export const publicRefundResponse = z.object({ success: z.literal(true), refund: PublicMerchantRefund })
export const refundsResponse = z.object({
  success: z.literal(true),
  refunds: z.array(MerchantRefundView),
  next: z.string().nullable(),
})
export const paymentRefundsResponse = z.object({
  success: z.literal(true),
  refunds: z.array(MerchantRefundView),
  refundable: amountText.openapi({ description: 'The sum that another refund may have.' }),
})
