import { z } from '@hono/zod-openapi'
import { bridgeShape, bridgeStatuses } from './cross-chain-schemas.ts'
import { createdPaymentShape, publicPaymentShape, statusShape } from './schemas.ts'

/** Shapes of the answers of the merchant's own routes. */
const ok = { success: z.literal(true) }
const amountText = z.string().openapi({ example: '25.00' })

export const recordAnswer = z.object({
  ...ok,
  payment: z
    .object({
      ...publicPaymentShape,
      orderId: z.string().nullable(),
      customerEmail: z.string().nullable(),
      callbackUrl: z.string().nullable(),
      metadata: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
      agentId: z.string().nullable(),
      agentOwner: z.string().nullable(),
      sequence: z.int(),
    })
    .openapi('Payment'),
})

const listedPayment = z.object({
  id: z.uuid(),
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
