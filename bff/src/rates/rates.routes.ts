import { z } from '@hono/zod-openapi'
import { defineOperation } from '../access/context/operation.ts'
import * as schemas from '../access/operation/common-schemas.ts'
import type { Operations } from '../access/operation/operation-registry.ts'
import type { RateTable } from './rate.ts'
import type { ReadRates } from './read-rates.ts'

const currencies = z.record(z.string(), z.number()).openapi({ example: { USD: 1 } })

const RatesResponse = z
  .object({
    success: z.literal(true),
    rates: z.record(z.string(), currencies).openapi({
      description: 'Units of a currency for one whole stablecoin, by token symbol and ISO 4217 code.',
      example: { USDC: { USD: 1 }, USDT: { USD: 1 } },
    }),
    timestamp: z.iso.datetime().openapi({ description: 'The time of the rate.' }),
    provider: z.string(),
  })
  .openapi('CurrencyRates')

const route = defineOperation({
  method: 'get',
  path: '/currency/rates',
  access: 'open',
  operationId: 'listRates',
  tags: ['networks'],
  summary: 'Exchange rates used for conversion',
  responses: {
    200: schemas.jsonContent('the rates and their time', RatesResponse),
    503: schemas.jsonContent('No rate is fresh enough; an old one is never given.', schemas.errorBody),
    ...schemas.errorResponses,
  },
})

/** Clients read numbers. A rate has no more digits than a number preserves. */
const numbersOf = (rates: RateTable): Record<string, Record<string, number>> =>
  Object.fromEntries(
    Object.entries(rates).map(([symbol, table]) => [
      symbol,
      Object.fromEntries(Object.entries(table).map(([currency, rate]) => [currency, Number(rate)])),
    ]),
  )

export function ratesRoutes(api: Operations, { readRates }: { readRates: ReadRates }) {
  api.serve(route, async (c) => {
    const { rates, asOfMs, provider } = await readRates()
    return c.json(
      { success: true as const, rates: numbersOf(rates), timestamp: new Date(asOfMs).toISOString(), provider },
      200,
    )
  })
}
