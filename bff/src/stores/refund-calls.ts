import { z } from 'zod'
import { numberText } from '../core/money.ts'
import type { Door } from './door.ts'
import { parseFields, parseJson } from './invoice-body.ts'
import { type createStoreRefunds, type MadeRefund, refundVariants } from './refunds.ts'

const refund = 'btcpay.store.cancreatenonapprovedpullpayments'

const textMax = 500
const decimalRule = 'must be a plain decimal number above zero, such as 25.00'

const amount = z
  .union([z.string(), z.number()], { error: decimalRule })
  .transform((value) => (typeof value === 'number' ? numberText(value) : value.trim()))
  .refine((text) => /^\d{1,15}(\.\d{1,20})?$/.test(text), decimalRule)

const currency = z.string('must be a currency').trim().max(20).toUpperCase()

const pullPayment = z.object({
  name: z.string('must name the order').max(textMax),
  description: z.string().max(5_000).nullish(),
  amount,
  currency,
})

const invoiceRefund = z.object({
  name: z.string().max(textMax).nullish(),
  description: z.string().max(5_000).nullish(),
  refundVariant: z.enum(refundVariants, { error: `must be one of ${refundVariants.join(', ')}` }),
  subtractPercentage: z
    .number('must be a percentage')
    .min(0, 'must be at least 0')
    .max(99, 'must be at most 99')
    .refine((percent) => Number.isInteger(Number((percent * 100).toPrecision(12))), 'must have at most two decimals')
    .nullish(),
  customAmount: amount.nullish(),
  customCurrency: currency.nullish(),
})

/** A refund as Greenfield shows it. */
const pullPaymentView = (made: MadeRefund, name: string, description: string) => ({
  id: made.id,
  name,
  description,
  amount: made.price ?? made.amount,
  currency: made.priceCurrency ?? made.currency,
  viewLink: made.pageUrl ?? '',
  archived: false,
  autoApproveClaims: false,
})

type Deps = { refunds: ReturnType<typeof createStoreRefunds> }

/** The refund calls of shops. */
export function refundCalls(door: Door, { refunds }: Deps): void {
  door.serve({ method: 'post', path: '/stores/:storeId/pull-payments', permission: refund }, async (c) => {
    const given = parseFields(pullPayment, parseJson(await c.req.text()))
    const text = given.name.trim()
    const made = await refunds.ofOrder(c.get('caller'), text, given.amount, given.currency, c.get('origin'))
    return pullPaymentView(made, given.name, given.description ?? '')
  })

  door.serve({ method: 'post', path: '/stores/:storeId/invoices/:invoiceId/refund', permission: refund }, async (c) => {
    const given = parseFields(invoiceRefund, parseJson(await c.req.text()))
    const terms = {
      variant: given.refundVariant,
      customAmount: given.customAmount ?? null,
      customCurrency: given.customCurrency ?? null,
      subtractPercentage: given.subtractPercentage ?? 0,
      reason: given.name?.trim() || undefined,
    }
    const made = await refunds.ofInvoice(c.get('caller'), c.req.param('invoiceId') ?? '', terms, c.get('origin'))
    return pullPaymentView(made, given.name ?? '', given.description ?? '')
  })
}
