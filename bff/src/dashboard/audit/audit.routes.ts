import { z } from '@hono/zod-openapi'
import { defineOperation } from '../../access/context/operation.ts'
import { errorResponses, jsonContent, time } from '../../access/operation/common-schemas.ts'
import type { Operations } from '../../access/operation/operation-registry.ts'
import { auditKinds } from '../../core/record-codes.ts'
import type { Db } from '../../db/db.ts'
import { listAuditEntries } from './audit-store.ts'

const tags: ['dashboard'] = ['dashboard']

const pageMax = 100

const auditRoute = defineOperation({
  method: 'get',
  path: '/dashboard/audit',
  access: 'session',
  role: 'owner',
  operationId: 'listAuditEntries',
  tags,
  summary: 'Changes by people, newest first',
  request: {
    query: z.object({
      before: z.coerce.number().int().min(1).optional().openapi({ description: '`next` of the previous page.' }),
      person: z.uuid().optional().openapi({ description: 'Only changes by this person.' }),
      kind: z.enum(auditKinds).optional().openapi({ description: 'Only changes of this kind.' }),
      limit: z.coerce.number().int().min(1).max(pageMax).default(50),
    }),
  },
  responses: {
    200: jsonContent(
      'the entries',
      z.object({
        success: z.literal(true),
        entries: z.array(
          z
            .object({
              number: z.int(),
              at: time,
              person: z.object({ id: z.string().nullable(), name: z.string() }),
              action: z.string().openapi({ example: 'wallet.changed' }),
              subject: z.string(),
              before: z.string().nullable(),
              after: z.string().nullable(),
              outcome: z.enum(['done', 'unchanged', 'refused', 'unknown']).openapi({
                description: '`unknown`: the service failed or stopped before it responded. Check the change itself.',
              }),
              refusal: z.string().nullable().openapi({ description: 'The `code` of the error response.' }),
              address: z.string(),
            })
            .openapi('AuditEntry'),
        ),
        next: z.int().nullable().openapi({ description: '`before` of the next page; null on the last page.' }),
      }),
    ),
    ...errorResponses,
  },
})

export function auditRoutes(api: Operations, { db }: { db: Db }) {
  api.serve(auditRoute, async (c) => {
    const { before = Number.MAX_SAFE_INTEGER, person: personId, kind, limit } = c.req.valid('query')
    const { merchantId } = c.get('caller')
    const rows = await db.read((tx) => listAuditEntries(tx, merchantId, { before, personId, kind }, limit + 1))
    const entries = rows.slice(0, limit).map((row) => ({
      number: row.number,
      at: new Date(row.atMs).toISOString(),
      person: { id: row.personId, name: row.personName },
      action: row.action,
      subject: row.subject,
      before: row.before,
      after: row.after,
      outcome: row.outcome ?? ('unknown' as const),
      refusal: row.refusal,
      address: row.address,
    }))
    const next = rows.length > limit ? (entries.at(-1)?.number ?? null) : null
    return c.json({ success: true as const, entries, next }, 200)
  })
}
