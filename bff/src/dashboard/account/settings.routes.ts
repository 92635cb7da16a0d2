import { z } from '@hono/zod-openapi'
import { errorResponses, jsonBody, jsonContent } from '../../access/common-schemas.ts'
import { defineOperation } from '../../access/operation.ts'
import type { Operations } from '../../access/operation-registry.ts'
import { ValidationError } from '../../core/errors.ts'
import type { Db } from '../../db/db.ts'
import { loadAccount, saveName } from '../../merchant/account-store.ts'
import {
  formatGasLimit,
  formatTolerance,
  type MerchantSettings,
  parseGasLimit,
  parseTolerance,
} from '../../merchant/merchant-settings.ts'
import { saveSettings } from '../../merchant/settings-store.ts'
import type { Audit } from '../audit/audit.ts'
import { tags } from '../sign-in/webauthn-schemas.ts'

const nameMax = 100

const settingsBody = z
  .object({
    name: z.string().openapi({ description: 'What customers see.' }),
    tolerance: z.string().openapi({ example: '100,1.50', description: 'Basis points, and at most this amount.' }),
    latePayments: z.enum(['report', 'accept']),
    publicReports: z.boolean(),
    signatureGas: z.string().openapi({ example: '100,0.02,1', description: 'Basis points, least, most; or `off`.' }),
  })
  .openapi('DashboardSettings')

const settingsResponse = jsonContent('the settings', z.object({ success: z.literal(true), settings: settingsBody }))

const readRoute = defineOperation({
  method: 'get',
  path: '/dashboard/settings',
  access: 'session',
  role: 'viewer',
  operationId: 'readSettings',
  tags,
  summary: "The merchant's settings",
  responses: { 200: settingsResponse, ...errorResponses },
})

const changeRoute = defineOperation({
  method: 'patch',
  path: '/dashboard/settings',
  access: 'session',
  role: 'owner',
  passkey: 'always',
  operationId: 'updateSettings',
  tags,
  summary: 'Change settings, for payments that are created from now on',
  request: {
    body: jsonBody(
      z.object({
        name: z.string().trim().min(1).max(nameMax).optional(),
        tolerance: z.string().max(60).optional(),
        latePayments: z.enum(['report', 'accept']).optional(),
        publicReports: z.boolean().optional(),
        signatureGas: z.string().max(60).optional(),
      }),
    ),
  },
  responses: { 200: settingsResponse, ...errorResponses },
})

type Account = { name: string; settings: MerchantSettings }
type Deps = { db: Db; audit: Audit }

export function settingsRoutes(api: Operations, { db, audit }: Deps) {
  const success = true as const

  api.serve(readRoute, async (c) => {
    const { merchantName: name, settings } = c.get('caller')
    return c.json({ success, settings: viewOf({ name, settings }) }, 200)
  })

  api.serve(changeRoute, async (c) => {
    const caller = c.get('caller')
    const { name, tolerance, latePayments, publicReports, signatureGas } = c.req.valid('json')
    const changes: Partial<MerchantSettings> = {
      ...(tolerance !== undefined && { tolerance: parseTolerance(tolerance) }),
      ...(latePayments !== undefined && { latePayments }),
      ...(publicReports !== undefined && { publicReports }),
      ...(signatureGas !== undefined && { signatureGas: parseGasLimit(signatureGas) }),
    }
    const settings = await db.write(async (tx) => {
      const before = await loadAccount(tx, caller.merchantId)
      if (!before) throw new ValidationError('there is no such merchant')
      const after: Account = { name: name ?? before.name, settings: { ...before.settings, ...changes } }
      await saveName(tx, caller.merchantId, after.name)
      await saveSettings(tx, caller.merchantId, after.settings)
      const [was, is] = [viewOf(before), viewOf(after)]
      for (const field of Object.keys(is) as (keyof typeof is)[]) {
        const [one, other] = [String(was[field]), String(is[field])]
        if (one === other) continue
        await audit(tx, caller, { action: 'setting.changed', subject: field, before: one, after: other })
      }
      return is
    })
    return c.json({ success, settings }, 200)
  })
}

const viewOf = ({ name, settings }: Account) => ({
  name,
  tolerance: formatTolerance(settings.tolerance),
  latePayments: settings.latePayments,
  publicReports: settings.publicReports,
  signatureGas: formatGasLimit(settings.signatureGas),
})
