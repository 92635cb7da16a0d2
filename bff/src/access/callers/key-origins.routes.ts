import { z } from '@hono/zod-openapi'
import type { Db } from '../../db/db.ts'
import { setMerchant } from '../../merchant/accounts.ts'
import { parseOrigins } from '../../merchant/origin-list.ts'
import { defineOperation } from '../context/operation.ts'
import { errorResponses, jsonBody, jsonContent } from '../operation/common-schemas.ts'
import type { Operations } from '../operation/operation-registry.ts'

const path = '/merchants/key-origins'

const origins = z
  .array(z.string('origins must be a list of texts').max(300, 'origins must be at most 300 characters each'), {
    error: 'origins must be a list of origins; an empty list is allowed',
  })
  .openapi({
    description:
      'Scheme and host, with its port if there is one. Empty: the live public key is accepted from any page.',
    example: ['https://shop.example'],
  })

const KeyOrigins = z.object({ origins }).openapi('KeyOrigins')
const response = jsonContent('the origins', z.object({ success: z.literal(true), origins }))

const readRoute = defineOperation({
  method: 'get',
  path,
  access: 'secret',
  secretFor: 'The origins of public keys are',
  role: 'viewer',
  operationId: 'readKeyOrigins',
  tags: ['merchant'],
  summary: 'The origins that the live public key is accepted from',
  responses: { 200: response, ...errorResponses },
})

const putRoute = defineOperation({
  method: 'put',
  path,
  access: 'secret',
  secretFor: 'The origins of public keys are',
  role: 'owner',
  passkey: 'always',
  audit: 'keyOrigins.changed',
  operationId: 'setKeyOrigins',
  tags: ['merchant'],
  summary: 'Replace the origins that the live public key is accepted from',
  description: 'It takes effect within a second.',
  request: { body: jsonBody(KeyOrigins) },
  responses: { 200: response, ...errorResponses },
})

type Deps = { db: Db }

export function keyOriginRoutes(api: Operations, { db }: Deps) {
  api.serve(readRoute, (c) =>
    c.json({ success: true as const, origins: [...c.get('caller').settings.keyOrigins] }, 200),
  )

  api.serve(putRoute, async (c) => {
    const keyOrigins = parseOrigins(c.req.valid('json').origins)
    const { merchantId, settings } = c.get('caller')
    await setMerchant(db, merchantId, { keyOrigins })
    c.set('change', { subject: 'origins', before: settings.keyOrigins.join(' '), after: keyOrigins.join(' ') })
    return c.json({ success: true as const, origins: keyOrigins }, 200)
  })
}
