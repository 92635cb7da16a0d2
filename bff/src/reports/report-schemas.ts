import { z } from '@hono/zod-openapi'
import { amountText, time } from '../access/operation/common-schemas.ts'
import { qrCode } from '../checkout/wire/payment-schemas.ts'
import { attentions } from '../payment/attention.ts'
import { daysMax } from './summary.ts'

const ok = { success: z.literal(true) }

const day = (name: string) => z.iso.date(`${name} must be a day such as 2026-11-21`).openapi({ example: '2026-11-21' })

const timeZone = z
  .string()
  .max(64, 'timeZone must be at most 64 characters')
  .default('UTC')
  .openapi({ description: 'Where days begin: a name of the IANA database.', example: 'Europe/Berlin' })

const isTest = z
  .enum(['true', 'false'], 'isTest must be true or false')
  .default('false')
  .transform((text) => text === 'true')
  .openapi({ description: 'Test payments instead of live ones.' })

/** An amount in base units. */
const units = z
  .string()
  .regex(/^\d+$/)
  .openapi({ description: 'Base units: with 6 decimals, "1500000" is 1.50.', example: '1500000' })

const token = {
  network: z.string(),
  currency: z.string(),
  decimals: z.int(),
}

export const summaryQuery = z.object({
  from: day('from'),
  to: day('to').openapi({ description: `Included; at most ${daysMax - 1} days after \`from\`.` }),
  timeZone,
  isTest,
})

const sums = {
  ...token,
  created: z.int(),
  paid: z.int().openapi({ description: 'Of `created`.' }),
  received: units.openapi({ description: 'Confirmed, in base units; late money too.' }),
  refunded: units,
  refundedByMerchant: units.openapi({
    description: "Refunds of paid payments from the merchant's own wallet, confirmed.",
  }),
}

export const summaryResponse = z.object({
  ...ok,
  from: z.string(),
  to: z.string(),
  timeZone: z.string(),
  isTest: z.boolean(),
  days: z
    .array(z.object({ day: z.string(), ...sums }))
    .openapi({ description: 'By the day of the creation, network and token; days without a payment are left out.' }),
  totals: z.array(z.object(sums)),
  created: z.int(),
  paid: z.int(),
  conversionBps: z.int().nullable().openapi({
    description: 'Of `created` the part that is paid, in basis points, rounded down; null without a payment.',
  }),
})

export const attentionQuery = z.object({ isTest })

export const attentionResponse = z.object({
  ...ok,
  payments: z.array(
    z.object({
      attention: z.enum(attentions).openapi({
        description:
          '`payout_failed`, `refund_failed`, `return_failed`: it keeps failing. `late_held`: the full amount arrived late; accept or return it. `refund_address`: a refund is due and has no address. `unmatched`: an unmatched transfer has no address. `merchant_refund`: your own wallet has a refund to pay, or the customer has named no address. `excess_owed`: your own wallet received money that is owed to the customer; request a refund.',
      }),
      count: z.int().openapi({ description: 'Counted up to 1000.' }),
      newest: z.array(
        z.object({
          id: z.uuid(),
          orderId: z.string().nullable(),
          network: z.string(),
          currency: z.string(),
          amount: amountText.openapi({ description: 'The price of the payment.' }),
          owed: z
            .array(
              z.object({
                to: z.enum(['merchant', 'customer']),
                amount: amountText,
                currency: z.string(),
                network: z.string(),
              }),
            )
            .openapi({ description: 'The money that waits for the action, and whose it is.' }),
          awaitsAddress: z.boolean().openapi({
            description: 'Of `merchant_refund`: no refund can be paid yet, because the customer has named no address.',
          }),
          createdAt: time,
        }),
      ),
    }),
  ),
  endpoints: z
    .array(
      z.object({
        id: z.string(),
        url: z.string(),
        disabledReason: z.enum(['gone', 'failing']).nullable(),
        disabledAt: time.nullable(),
        failingSince: time.nullable(),
      }),
    )
    .openapi({ description: 'Webhook endpoints that were disabled automatically or fail.' }),
  gas: z
    .array(
      z.object({
        network: z.string(),
        state: z.enum(['low', 'empty']),
        address: z.string(),
        qr: qrCode.openapi({ description: 'Of the address.' }),
        balance: z.string(),
        needed: z.string(),
        currency: z.string(),
        message: z.string(),
      }),
    )
    .openapi({ description: 'Payout accounts with a low gas balance.' }),
  networks: z
    .array(z.object({ network: z.string(), name: z.string(), reason: z.string() }))
    .openapi({ description: 'Networks with a wallet of the merchant that cannot be paid on now.' }),
  setup: z
    .object({
      networks: z.int(),
      wallets: z.int(),
      payments: z.boolean(),
      endpoints: z.int(),
    })
    .openapi({ description: 'Onboarding progress of a new merchant.' }),
})

export const monthQuery = z.object({
  month: z
    .string('month must be a month such as 2026-11')
    .regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'month must be a month such as 2026-11')
    .openapi({ example: '2026-11' }),
  timeZone,
  isTest,
})

/** Seconds of `Prefer: wait`. The maximum is shorter than proxies wait for a response. */
const [waitMinSeconds, waitMaxSeconds] = [1, 50]

export const monthHeaders = z.object({
  prefer: z
    .string()
    .optional()
    // Other preferences are ignored, as RFC 7240 asks.
    .transform((text) => /(?:^|[,\s])wait=(\d+)/.exec(text ?? '')?.[1])
    .transform((seconds) =>
      seconds === undefined ? undefined : Math.min(Math.max(Number(seconds), waitMinSeconds), waitMaxSeconds),
    )
    .openapi({
      type: 'string',
      description:
        'RFC 7240: `wait=10` responds within ten seconds, with 202 if the month is not read yet. Without it, the response waits until it is.',
      example: 'wait=10',
    }),
})

export const monthProgress = z.object({
  ...ok,
  progress: z.object({
    read: z.int().openapi({ description: 'Payments added up so far. The next call continues from here.' }),
    payments: z.int().openapi({ description: 'Payments of the month.' }),
  }),
})

const monthRow = {
  ...token,
  payments: z.int(),
  paid: z.int(),
  received: units,
  receivedLate: units,
  merchantAmount: units.openapi({ description: "The merchant's part of paid payments." }),
  platformFee: units,
  paidOut: units.openapi({ description: 'The part of `merchantAmount` that has arrived in the wallet.' }),
  refunded: units,
  owedToPayer: units,
  refundedByMerchant: units.openapi({
    description: "Refunds of paid payments from the merchant's own wallet, confirmed.",
  }),
  refundDueByMerchant: units.openapi({ description: 'Such refunds that are still to be paid.' }),
  returned: units.openapi({ description: 'Unmatched transfers that went back.' }),
}

export const monthResponse = z.object({
  ...ok,
  month: z.string(),
  timeZone: z.string(),
  isTest: z.boolean(),
  days: z.array(z.object({ day: z.string(), ...monthRow })),
  totals: z.array(z.object(monthRow)),
})

export const errorsResponse = z.object({
  ...ok,
  errors: z.array(
    z.object({
      at: time,
      requestId: z.string(),
      method: z.string(),
      route: z.string(),
      status: z.int(),
      code: z.string(),
      field: z.string().nullable(),
    }),
  ),
})
