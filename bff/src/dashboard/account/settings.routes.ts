import { z } from '@hono/zod-openapi'
import { defineOperation } from '../../access/context/operation.ts'
import { errorResponses, jsonBody, jsonContent } from '../../access/operation/common-schemas.ts'
import type { Operations } from '../../access/operation/operation-registry.ts'
import { ValidationError } from '../../core/errors.ts'
import type { Db } from '../../db/db.ts'
import { loadAccount, saveName } from '../../merchant/account-store.ts'
import { type Branding, brandingLinks, logoPath, parseColor, parsePageLink } from '../../merchant/branding.ts'
import { loadBranding, saveBranding } from '../../merchant/branding-store.ts'
import { logoBytesMax, readLogo } from '../../merchant/logo-picture.ts'
import {
  formatGasLimit,
  formatTolerance,
  type MerchantSettings,
  parseCurrency,
  parseGasLimit,
  parseTolerance,
} from '../../merchant/merchant-settings.ts'
import { saveSettings } from '../../merchant/settings-store.ts'
import type { ReadRates } from '../../rates/read-rates.ts'
import type { Audit } from '../audit/audit.ts'
import { tags } from '../sign-in/webauthn-schemas.ts'

const nameMax = 100

const settingsBody = z
  .object({
    name: z.string().openapi({ description: 'The name that customers see.' }),
    tolerance: z.string().openapi({ example: '100,1.50', description: 'Basis points, and at most this amount.' }),
    latePayments: z.enum(['report', 'accept']),
    publicReports: z.boolean(),
    signatureGas: z.string().openapi({ example: '100,0.02,1', description: 'Basis points, least, most; or `off`.' }),
    currency: z.string().nullable().openapi({
      example: 'EUR',
      description:
        'The default currency of the dashboard, new tills and links, as ISO 4217 code. No payment depends on it. Null: not chosen.',
    }),
    color: z
      .string()
      .nullable()
      .openapi({ example: '#2b50c8', description: 'Color of buttons and links on hosted pages.' }),
    logo: z.string().nullable().openapi({ description: 'Path of the image at this service.' }),
    termsUrl: z.string().nullable(),
    privacyUrl: z.string().nullable(),
    imprintUrl: z.string().nullable(),
    supportUrl: z.string().nullable(),
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

const pageLink = z
  .string()
  .max(2_000)
  .nullable()
  .optional()
  .openapi({ description: 'An https URL that hosted pages link to. Null: none.' })

const changeRoute = defineOperation({
  method: 'patch',
  path: '/dashboard/settings',
  access: 'session',
  role: 'owner',
  passkey: 'always',
  operationId: 'updateSettings',
  tags,
  summary: 'Update settings. Payment settings apply to new payments; branding changes immediately',
  request: {
    body: jsonBody(
      z.object({
        name: z.string().trim().min(1).max(nameMax).optional(),
        tolerance: z.string().max(60).optional(),
        latePayments: z.enum(['report', 'accept']).optional(),
        publicReports: z.boolean().optional(),
        signatureGas: z.string().max(60).optional(),
        currency: z
          .string()
          .max(60)
          .nullable()
          .optional()
          .openapi({ description: 'A currency in which a token has an exchange rate. Null: none.' }),
        color: z.string().max(60).nullable().optional(),
        logo: z
          .base64('logo must be base64')
          .max(Math.ceil(logoBytesMax / 3) * 4, `logo must be at most ${logoBytesMax} bytes`)
          .nullable()
          .optional()
          .openapi({ description: 'A PNG, JPEG or WebP image of at most 512 × 512 pixels. Null: none.' }),
        termsUrl: pageLink,
        privacyUrl: pageLink,
        imprintUrl: pageLink,
        supportUrl: pageLink,
      }),
    ),
  },
  responses: { 200: settingsResponse, ...errorResponses },
})

type Account = { name: string; settings: MerchantSettings; branding: Branding }
type Deps = { db: Db; audit: Audit; readRates: ReadRates }

export function settingsRoutes(api: Operations, { db, audit, readRates }: Deps) {
  const success = true as const

  /**
   * Parses a currency. The current one is always accepted, so that other settings can be saved while no rates are available.
   * @throws {ValidationError} if the code is not a currency, or no token has a rate in it.
   * @throws {PaymentError} RATES_UNAVAILABLE (503)
   */
  async function ratedCurrency(text: string | null, before: string | null): Promise<string | null> {
    const currency = text && parseCurrency(text)
    if (!currency || currency === before) return currency || null
    const { rates } = await readRates()
    if (Object.values(rates).some((table) => currency in table)) return currency
    throw new ValidationError(`currency must be one that a token has an exchange rate in, which ${currency} is not`)
  }

  api.serve(readRoute, async (c) => {
    const { merchantId, merchantName: name, settings } = c.get('caller')
    const branding = await db.read((tx) => loadBranding(tx, merchantId))
    return c.json({ success, settings: viewOf({ name, settings, branding }) }, 200)
  })

  api.serve(changeRoute, async (c) => {
    const caller = c.get('caller')
    const body = c.req.valid('json')
    const { name, tolerance, latePayments, publicReports, signatureGas, currency, color } = body
    const changes: Partial<MerchantSettings> = {
      ...(tolerance !== undefined && { tolerance: parseTolerance(tolerance) }),
      ...(latePayments !== undefined && { latePayments }),
      ...(publicReports !== undefined && { publicReports }),
      ...(signatureGas !== undefined && { signatureGas: parseGasLimit(signatureGas) }),
      ...(currency !== undefined && { currency: await ratedCurrency(currency, caller.settings.currency) }),
    }
    const logo = body.logo ? readLogo(Buffer.from(body.logo, 'base64')) : undefined
    const shown: Partial<Branding> = {
      ...(color !== undefined && { color: color ? parseColor(color) : null }),
      ...(body.logo !== undefined && { logo: logo?.name ?? null }),
    }
    for (const link of brandingLinks) {
      const url = body[link]
      if (url !== undefined) shown[link] = url ? parsePageLink(link, url) : null
    }
    const settings = await db.write(async (tx) => {
      const account = await loadAccount(tx, caller.merchantId)
      if (!account) throw new ValidationError('there is no such merchant')
      const before: Account = { ...account, branding: await loadBranding(tx, caller.merchantId) }
      const after: Account = {
        name: name ?? before.name,
        settings: { ...before.settings, ...changes },
        branding: { ...before.branding, ...shown },
      }
      await saveName(tx, caller.merchantId, after.name)
      await saveSettings(tx, caller.merchantId, after.settings)
      if (Object.keys(shown).length > 0) {
        await saveBranding(tx, caller.merchantId, after.branding, logo)
      }
      const [was, is] = [viewOf(before), viewOf(after)]
      for (const field of Object.keys(is) as (keyof typeof is)[]) {
        const [one, other] = [String(was[field] ?? ''), String(is[field] ?? '')]
        if (one === other) continue
        await audit(tx, caller, { action: 'setting.changed', subject: field, before: one, after: other })
      }
      return is
    })
    return c.json({ success, settings }, 200)
  })
}

const viewOf = ({ name, settings, branding }: Account) => ({
  name,
  tolerance: formatTolerance(settings.tolerance),
  latePayments: settings.latePayments,
  publicReports: settings.publicReports,
  signatureGas: formatGasLimit(settings.signatureGas),
  currency: settings.currency,
  ...branding,
  logo: branding.logo && logoPath(branding.logo),
})
