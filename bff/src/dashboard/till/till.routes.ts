import { tillOf } from '../../access/context/caller.ts'
import { requestInfo } from '../../access/context/env.ts'
import { defineOperation } from '../../access/context/operation.ts'
import { errorResponses, jsonBody, jsonContent } from '../../access/operation/common-schemas.ts'
import { requestKey } from '../../access/operation/idempotency-key.ts'
import type { Operations } from '../../access/operation/operation-registry.ts'
import type { PayableTokens } from '../../checkout/networks/payable-tokens.ts'
import { PaymentError } from '../../core/errors.ts'
import type { Db } from '../../db/db.ts'
import { doneResponse } from '../sign-in/webauthn-schemas.ts'
import type { Sales } from './sales.ts'
import * as schemas from './till-schemas.ts'
import { isBlocked, type TillSessions } from './till-sessions.ts'
import { loadTill } from './till-store.ts'

const path = '/till'
const salesPath = `${path}/sales`
const salePath = `${salesPath}/{saleId}` as const

const pairRoute = defineOperation({
  method: 'post',
  path: `${path}/pair`,
  access: 'page',
  rate: 'signIns',
  operationId: 'pairTill',
  tags: schemas.tags,
  summary: "Pair this device with a link's till",
  request: { body: jsonBody(schemas.PairBody) },
  responses: { 200: doneResponse, ...errorResponses },
})

const readRoute = defineOperation({
  method: 'get',
  path,
  access: 'till',
  till: 'paired',
  operationId: 'readTill',
  tags: schemas.tags,
  summary: "This device's till",
  responses: { 200: jsonContent('the till', schemas.ownTillResponse), ...errorResponses },
})

const openRoute = defineOperation({
  method: 'post',
  path: `${path}/open`,
  access: 'till',
  till: 'paired',
  operationId: 'openTill',
  tags: schemas.tags,
  summary: 'Enter the PIN',
  description: 'After five wrong PINs, an owner must unblock the till. It locks after ten minutes without use.',
  request: { body: jsonBody(schemas.PinBody) },
  responses: { 200: doneResponse, ...errorResponses },
})

const lockRoute = defineOperation({
  method: 'post',
  path: `${path}/lock`,
  access: 'till',
  till: 'paired',
  operationId: 'lockTill',
  tags: schemas.tags,
  summary: 'Lock the till: the PIN is required again',
  responses: { 200: doneResponse, ...errorResponses },
})

const createRoute = defineOperation({
  method: 'post',
  path: salesPath,
  access: 'till',
  till: 'open',
  idempotency: 'key',
  operationId: 'createSale',
  tags: schemas.tags,
  summary: 'Create a sale',
  description: 'A repeat with the same `Idempotency-Key` returns the same sale.',
  request: { body: jsonBody(schemas.NewSaleBody) },
  responses: { 200: jsonContent('the sale', schemas.saleResponse), ...errorResponses },
})

const listRoute = defineOperation({
  method: 'get',
  path: salesPath,
  access: 'till',
  till: 'open',
  operationId: 'listSales',
  tags: schemas.tags,
  summary: "This till's sales since a time, newest first, with their totals",
  request: { query: schemas.salesQuery },
  responses: { 200: jsonContent('the sales', schemas.salesResponse), ...errorResponses },
})

const readSaleRoute = defineOperation({
  method: 'get',
  path: salePath,
  access: 'till',
  // A sale being paid may be polled for longer than the PIN stays valid.
  till: 'paired',
  operationId: 'readSale',
  tags: schemas.tags,
  summary: 'One sale of this till',
  request: { params: schemas.saleParam },
  responses: { 200: jsonContent('the sale', schemas.saleResponse), ...errorResponses },
})

const cancelRoute = defineOperation({
  method: 'post',
  path: `${salePath}/cancel`,
  access: 'till',
  till: 'open',
  operationId: 'cancelSale',
  tags: schemas.tags,
  summary: 'Cancel a sale of this till; a payment that has received money continues',
  request: { params: schemas.saleParam },
  responses: { 200: jsonContent('the updated sale', schemas.saleResponse), ...errorResponses },
})

type Deps = {
  db: Db
  tills: TillSessions
  sales: Sales
  payableTokens: PayableTokens
}

/** Routes called by the device at the counter. */
export function tillRoutes(api: Operations, { db, tills, sales, payableTokens }: Deps) {
  const success = true as const

  api.serve(pairRoute, async (c) => {
    await tills.pair(c, c.req.valid('json').token)
    return c.json({ success }, 200)
  })

  api.serve(readRoute, async (c) => {
    const caller = c.get('caller')
    const till = await db.read((tx) => loadTill(tx, caller.merchantId, tillOf(caller).id))
    if (!till) throw new PaymentError('TILL_ENDED', 'This till was removed.')
    const symbols =
      till.currency === null ? payableTokens(caller, c.get('origin')).map(({ symbol }) => symbol) : [till.currency]
    const own = {
      name: till.name,
      merchantName: caller.merchantName,
      isTest: till.isTest,
      isOpen: tills.isOpen(till),
      isBlocked: isBlocked(till),
      attemptsLeft: tills.attemptsLeft(till),
      priceCurrency: till.priceCurrency,
      symbols: [...new Set(symbols)],
    }
    return c.json({ success, till: own }, 200)
  })

  api.serve(openRoute, async (c) => {
    await tills.open(c, c.req.valid('json').pin)
    return c.json({ success }, 200)
  })

  api.serve(lockRoute, async (c) => {
    await tills.lock(tillOf(c.get('caller')).id)
    return c.json({ success }, 200)
  })

  api.serve(createRoute, async (c) => {
    const { amount, description } = c.req.valid('json')
    const sale = await sales.create(c.get('caller'), requestInfo(c), { amount, description }, await requestKey(c))
    return c.json({ success, sale }, 200)
  })

  api.serve(listRoute, async (c) => {
    const sinceMs = Date.parse(c.req.valid('query').since)
    return c.json({ success, ...(await sales.list(c.get('caller'), sinceMs, c.get('origin'))) }, 200)
  })

  api.serve(readSaleRoute, async (c) => {
    const sale = await sales.read(c.get('caller'), c.req.valid('param').saleId, c.get('origin'))
    return c.json({ success, sale }, 200)
  })

  api.serve(cancelRoute, async (c) => {
    const sale = await sales.cancel(c.get('caller'), c.req.valid('param').saleId, c.get('origin'))
    return c.json({ success, sale }, 200)
  })
}
