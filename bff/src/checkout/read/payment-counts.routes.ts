import { z } from '@hono/zod-openapi'
import { defineOperation } from '../../access/context/operation.ts'
import { errorResponses, jsonContent } from '../../access/operation/common-schemas.ts'
import type { Operations } from '../../access/operation/operation-registry.ts'
import { countMax, type PaymentSearch } from './payment-search.ts'

const count = z.number().int().min(0).max(countMax)

export const countsResponse = z.object({
  success: z.literal(true),
  counts: z
    .object({
      all: count,
      paid: count,
      partly_paid: count,
      overpaid: count,
      late: count,
      refunded: count,
      to_do: count,
    })
    .openapi('PaymentCounts', { description: `${countMax} stands for ${countMax} or more.` }),
})

const countsRoute = defineOperation({
  method: 'get',
  path: '/payments/counts',
  access: 'secret',
  secretFor: 'Payments are counted',
  role: 'viewer',
  operationId: 'countPayments',
  tags: ['payments'],
  summary: `How many payments there are of each kind, up to ${countMax}`,
  description:
    '`paid` counts the list of `status=paid`, the others the list of their `kind`. The cost does not depend on the number of payments.',
  responses: { 200: jsonContent('the counts', countsResponse), ...errorResponses },
})

/** For the merchant only, as the list is. */
export function paymentCountsRoutes(api: Operations, { paymentSearch }: { paymentSearch: PaymentSearch }) {
  api.serve(countsRoute, async (c) =>
    c.json({ success: true as const, counts: await paymentSearch.count(c.get('caller')) }, 200),
  )
}
