import { z } from '@hono/zod-openapi'
import { bridgeShape } from '../checkout/cross-chain/cross-chain-schemas.ts'
import { bridgeStatuses } from '../payment/payment.ts'
import { clientSecret, createdPaymentShape, publicPaymentShape, statusShape } from './schemas.ts'

/** Shapes of the answers of the merchant's own routes. */
const ok = { success: z.literal(true) }
const amountText = z.string().openapi({ example: '25.00' })

const recordShape = {
  ...publicPaymentShape,
  orderId: z.string().nullable(),
  customerEmail: z.string().nullable(),
  callbackUrl: z.string().nullable(),
  metadata: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  agentId: z.string().nullable(),
  agentOwner: z.string().nullable(),
  sequence: z.int(),
}

export const recordAnswer = z.object({ ...ok, payment: z.object(recordShape).openapi('Payment') })

export const ownRecordAnswer = z.object({
  ...ok,
  payment: z
    .object({
      ...recordShape,
      clientSecret: clientSecret.optional(),
      paymentLink: z.string().nullable().optional().openapi({
        description: "The page of the payment with its client secret. Null where the service's `publicUrl` is not set.",
      }),
    })
    .openapi('PaymentRecord'),
})

const onlyForKeyAndSecret = z.string().optional().openapi({ description: 'Why a public key gets an empty answer.' })

const listedPayment = z.object({
  id: z.uuid().nullable().openapi({ description: 'Null for a public key.' }),
  amount: amountText,
  currency: z.string(),
  network: z.string(),
  status: statusShape.status,
  outcome: statusShape.outcome,
  orderId: z.string().nullable(),
  transactionHash: z.string().nullable(),
  createdAt: z.iso.datetime(),
})

export const listAnswer = z.object({
  ...ok,
  payments: z.object({
    data: z.array(listedPayment),
    totalCount: z.int(),
    totalPages: z.int(),
    currentPage: z.int(),
  }),
  filters: z.object({ currencies: z.array(z.string()), statuses: z.array(z.string()) }),
  message: onlyForKeyAndSecret,
})

export const statsAnswer = z.object({
  ...ok,
  stats: z.object({
    totalPayments: z.int(),
    completedPayments: z.int(),
    pendingPayments: z.int(),
    failedPayments: z.int(),
    agentPayments: z.int(),
    totalAmount: amountText,
    averageAmount: amountText,
    isNairaMerchant: z.boolean(),
  }),
  message: onlyForKeyAndSecret,
})

export const failAnswer = z.object({ ...ok, message: z.string(), status: statusShape.status, skipped: z.boolean() })

export const verifyQrAnswer = z.object({
  success: z.boolean(),
  verified: z.boolean(),
  error: z.string().nullable(),
  message: z.string(),
  payment: z.object(statusShape).nullable(),
  onChainData: z.object({ transactionHash: z.string(), from: z.string().nullable() }).nullable(),
})

export const balanceAnswer = z.object({ ...ok, balance: amountText, isComplete: z.boolean(), currency: z.string() })

export const bridgeAnswer = z.object({
  ...ok,
  payment: z.object({
    ...statusShape,
    bridgeStatus: z.enum(bridgeStatuses).nullable(),
    ...z.object(bridgeShape).partial().shape,
  }),
})

export const crossChainCreatedAnswer = z.object({
  ...ok,
  requestId: z.string(),
  serverTime: z.iso.datetime(),
  payment: z.object({ ...createdPaymentShape, ...bridgeShape }).openapi('CrossChainPayment'),
})
