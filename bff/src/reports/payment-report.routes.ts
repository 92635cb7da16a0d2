import { z } from '@hono/zod-openapi'
import type { Caller } from '../access/context/caller.ts'
import { defineOperation } from '../access/context/operation.ts'
import { createFieldFilter, merchantReaders, seenBy } from '../access/context/seen-by.ts'
import * as schemas from '../access/operation/common-schemas.ts'
import type { Operations } from '../access/operation/operation-registry.ts'
import { outcomes, statuses } from '../payment/payment.ts'
import type { createReports } from './payment-report.ts'

/** Rows of one page, which bounds what one request reads. */
const pageRowsMax = 100
const pageRowsDefault = 20
const pageMax = 1_000_000

const range = { startDate: z.string().optional(), endDate: z.string().optional() }

const publicKeyNote =
  'For API key and secret. A public key gets the same answer without payments and with zeros; where the merchant setting `publicReports` is on, with the turnover, and still nothing that names a payment, an order or a customer.'

const onlyForKeyAndSecret = z.string().optional().openapi({ description: 'Why the list is empty for a public key.' })

const listedPayment = z.object({
  id: seenBy(merchantReaders, z.uuid().nullable().openapi({ description: 'Null for a public key.' })),
  amount: schemas.amountText,
  currency: z.string(),
  network: z.string(),
  status: z.enum(statuses),
  outcome: z.enum(outcomes),
  orderId: seenBy(merchantReaders, z.string().nullable()),
  transactionHash: seenBy(merchantReaders, z.string().nullable()),
  createdAt: schemas.time,
  price: z.string().nullable(),
  priceCurrency: z.string().nullable(),
  rate: z.string().nullable().openapi({ description: 'Units of `priceCurrency` for one whole token.' }),
  rateAt: schemas.time.nullable(),
})

const forReader = createFieldFilter(listedPayment.shape)

const listResponse = z.object({
  success: z.literal(true),
  payments: z.object({
    data: z.array(listedPayment),
    totalCount: z.int(),
    totalPages: z.int(),
    currentPage: z.int(),
  }),
  filters: z.object({ currencies: z.array(z.string()), statuses: z.array(z.string()) }),
  message: onlyForKeyAndSecret,
})

const statsResponse = z.object({
  success: z.literal(true),
  stats: z.object({
    totalPayments: z.int(),
    completedPayments: z.int(),
    pendingPayments: z.int(),
    failedPayments: z.int(),
    agentPayments: z.int(),
    totalAmount: schemas.amountText.openapi({ description: 'Of tokens that stand for the US dollar.' }),
    averageAmount: schemas.amountText.openapi({ description: 'Of tokens that stand for the US dollar.' }),
    byCurrency: z
      .array(
        z.object({
          currency: z.string().openapi({ description: 'ISO 4217 code of the currency that the tokens stand for.' }),
          completedPayments: z.int(),
          totalAmount: schemas.amountText,
          averageAmount: schemas.amountText,
        }),
      )
      .openapi({ description: 'The amounts of each currency; different currencies are never added.' }),
    isNairaMerchant: z.boolean(),
  }),
  message: onlyForKeyAndSecret,
})

const deprecation = z.object({
  Deprecation: z
    .literal('true')
    .optional()
    .openapi({ description: 'Sent to public keys, for which this operation is deprecated.' }),
})

const listRoute = defineOperation({
  method: 'get',
  path: '/payments/merchant/list',
  access: 'key',
  endsForPublicKeys: true,
  role: 'viewer',
  operationId: 'listMerchantPayments',
  tags: ['reports'],
  summary: "The merchant's payments, newest first",
  description: publicKeyNote,
  request: {
    query: z.object({
      page: z.coerce
        .number('page must be a whole number')
        .int('page must be a whole number')
        .min(1)
        .max(pageMax)
        .default(1),
      limit: z.coerce
        .number('limit must be a whole number')
        .int('limit must be a whole number')
        .min(1)
        .max(pageRowsMax, `limit must be at most ${pageRowsMax}`)
        .default(pageRowsDefault),
      search: z.string().max(200).optional(),
      status: z.string().max(40).optional(),
      currency: z.string().max(10).optional(),
      ...range,
    }),
  },
  responses: {
    200: { ...schemas.jsonContent('one page', listResponse), headers: deprecation },
    ...schemas.errorResponses,
  },
})

const statsRoute = defineOperation({
  method: 'get',
  path: '/payments/merchant/stats',
  access: 'key',
  endsForPublicKeys: true,
  role: 'viewer',
  operationId: 'readMerchantStats',
  tags: ['reports'],
  summary: "Counts and sums of the merchant's payments",
  description: publicKeyNote,
  request: { query: z.object({ ...range, statusFilter: z.string().max(40).optional() }) },
  responses: {
    200: { ...schemas.jsonContent('the numbers', statsResponse), headers: deprecation },
    ...schemas.errorResponses,
  },
})

type Deps = { reports: ReturnType<typeof createReports> }

/** Why a public key gets an empty report, unless the merchant allows it. */
function noteFor({ kind, settings }: Caller) {
  return kind === 'api' || settings.publicReports
    ? {}
    : { message: 'Reports require API key and secret, because a public key is visible in a page.' }
}

export function reportRoutes(api: Operations, { reports }: Deps) {
  api.serve(listRoute, async (c) => {
    const { page, limit, ...query } = c.req.valid('query')
    const caller = c.get('caller')
    const found = await reports.list(caller, query, page, limit)
    const payments = { ...found, data: found.data.map((payment) => forReader(caller, payment)) }
    const filters = { currencies: reports.currencies(), statuses: [...statuses] }
    return c.json({ success: true as const, payments, filters, ...noteFor(caller) }, 200)
  })

  api.serve(statsRoute, async (c) => {
    const { statusFilter, ...query } = c.req.valid('query')
    const caller = c.get('caller')
    const stats = await reports.stats(caller, { ...query, status: statusFilter })
    return c.json({ success: true as const, stats, ...noteFor(caller) }, 200)
  })
}
