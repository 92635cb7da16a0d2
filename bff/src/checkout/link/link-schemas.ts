import { z } from '@hono/zod-openapi'
import { linkReaders, seenBy } from '../../access/context/seen-by.ts'
import { time } from '../../access/operation/common-schemas.ts'
import { qrCode } from '../wire/payment-schemas.ts'
import * as fields from '../wire/request-schemas.ts'
import { linkStates } from './link.ts'
import { linkPrefix } from './manage-links.ts'

/** Bounded, because every read of a link counts its payments. */
const paymentsMax = 10_000

const descriptionMax = 500

/** Links per page of the list. */
const listMax = 100

export const linkIdField = z
  .string()
  .regex(new RegExp(`^${linkPrefix}[\\w-]{24}$`), `linkId must be ${linkPrefix} and 24 characters`)

export const linkParam = z.object({
  linkId: linkIdField.openapi({ param: { name: 'linkId', in: 'path' }, example: 'pl_4fJtkVn3cXo0T2yqY9sLwQ1b' }),
})

const { orderId, callbackUrl, returnUrl, metadata } = fields.attachments

export const NewLinkBody = z
  .object({
    ...fields.money,
    network: fields.networkName.optional().openapi({ description: 'Default: the customer chooses.' }),
    currency: fields.currency.optional().openapi({ description: 'Default: the customer chooses.' }),
    description: z
      .string()
      .trim()
      .min(1, 'description must not be empty')
      .max(descriptionMax, `description must be at most ${descriptionMax} characters`)
      .optional()
      .openapi({ description: 'What the customer pays for. Shown to the customer.', example: 'Table 7' }),
    maxPayments: z
      .int('maxPayments must be a whole number')
      .min(1, 'maxPayments must be at least 1')
      .max(paymentsMax, `maxPayments must be at most ${paymentsMax}`)
      .default(1)
      .openapi({ description: 'How often the link may be paid. Payments still open at that point are cancelled.' }),
    expiresAt: z.iso
      .datetime({ offset: true, error: 'expiresAt must be a time such as 2026-12-24T18:00:00Z' })
      .optional()
      .openapi({ description: 'No payments are created after this time. Default: never.' }),
    orderId,
    callbackUrl,
    returnUrl,
    metadata,
    isTest: z
      .boolean('isTest must be true or false')
      .optional()
      .openapi({ description: 'Its payments are test payments. Default: the caller’s mode.' }),
  })
  .openapi('CreateLink')

export const LinkChoiceBody = z
  .object({
    network: fields.networkName,
    currency: fields.currency,
    customerEmail: fields.attachments.customerEmail,
  })
  .openapi('LinkChoice')

/** Fields visible to everyone with the link. */
const publicLinkShape = {
  id: z.string(),
  state: z.enum(linkStates).openapi({ description: '`paid`: paid `maxPayments` times.' }),
  isTest: z.boolean().openapi({ description: 'Its payments are test payments; no money is sent.' }),
  amount: z.string().nullable(),
  price: z.string().nullable(),
  priceCurrency: z.string().nullable(),
  network: z.string().nullable(),
  currency: z.string().nullable(),
  description: z.string().nullable(),
  returnUrl: z.string().nullable(),
  expiresAt: time.nullable(),
  Merchant: z.object({ businessName: z.string() }),
}

const linkShape = {
  ...publicLinkShape,
  id: z.string().openapi({ description: 'Viewers of the dashboard get only its first characters.' }),
  url: seenBy(
    linkReaders,
    z.url().nullable().openapi({
      description: 'The URL that the customer opens. Null for a viewer of the dashboard.',
    }),
  ),
  maxPayments: z.int(),
  opened: z.int().openapi({ description: 'How often its page was loaded.' }),
  paid: z.int().openapi({ description: 'Number of its paid payments.' }),
  orderId: z.string().nullable(),
  callbackUrl: z.string().nullable(),
  metadata: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  createdAt: time,
  endedAt: time.nullable(),
}

export const PaymentLink = z.object(linkShape).openapi('PaymentLink')

export const publicLinkResponse = z.object({
  success: z.literal(true),
  link: z.object(publicLinkShape).openapi('PublicPaymentLink'),
})
export const linkResponse = z.object({ success: z.literal(true), link: PaymentLink })
export const linkWithQrResponse = z.object({
  success: z.literal(true),
  link: PaymentLink.extend({ qr: qrCode.optional() }),
})

export const linksQuery = z.object({
  before: z
    .string()
    .regex(/^\d{1,15}$/, 'before must be the `next` of the previous page')
    .transform(Number)
    .optional(),
  limit: z.coerce.number().int().min(1).max(listMax).default(20),
  isTest: z
    .enum(['true', 'false'], 'isTest must be true or false')
    .transform((text) => text === 'true')
    .optional()
    .openapi({ description: 'Test links instead of live ones. Default: the caller’s mode.' }),
  sales: z
    .enum(['true', 'false'], 'sales must be true or false')
    .default('true')
    .transform((text) => text === 'true')
    .openapi({ description: '`false`: without the sales of tills.' }),
})
export const linksResponse = z.object({
  success: z.literal(true),
  links: z.array(PaymentLink),
  next: z.string().nullable().openapi({ description: '`before` of the next page; null on the last page.' }),
})
