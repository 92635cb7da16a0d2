import { z } from '@hono/zod-openapi'
import { amountText, time } from '../../access/operation/common-schemas.ts'
import { qrCode } from '../../checkout/wire/payment-schemas.ts'
import * as fields from '../../checkout/wire/request-schemas.ts'
import { isCurrency } from '../../core/currency-codes.ts'
import { nameMax } from '../sign-in/invitations.ts'
import { isEasyPin, pinPattern } from './pin.ts'
import { saleStates } from './sales.ts'

/** More than any shop needs. */
export const tillsMax = 50

export const tags: ['till'] = ['till']

export const tillParam = z.object({ tillId: z.uuid().openapi({ param: { name: 'tillId', in: 'path' } }) })

const pin = z.string().regex(pinPattern, 'pin must be six digits').openapi({ example: '204816' })

const chosenPin = pin.refine((digits) => !isEasyPin(digits), 'pin must not be one digit, or digits in a row')

const name = z
  .string()
  .trim()
  .min(1, 'name must not be empty')
  .max(nameMax, `name must be at most ${nameMax} characters`)

const priceCurrency = z
  .string()
  .toUpperCase()
  .refine(isCurrency, 'priceCurrency must be an ISO 4217 code such as EUR')
  .openapi({ description: 'Currency of entered amounts; null: tokens.', example: 'EUR' })

/** The preferred network and token of a sale. */
const first = {
  network: fields.networkName.nullable().optional().openapi({ description: 'Null: the customer chooses.' }),
  currency: fields.currency.nullable().optional().openapi({ description: 'Null: the customer chooses.' }),
}

const bothOrNone = ({
  network,
  currency,
}: {
  network?: string | null | undefined
  currency?: string | null | undefined
}) => (network == null) === (currency == null)
const bothOrNoneText = 'network and currency are set together, or neither'

export const NewTillBody = z
  .object({ name, pin: chosenPin, priceCurrency: priceCurrency.nullable().optional(), ...first })
  .refine(bothOrNone, bothOrNoneText)
  .openapi('CreateTill')

export const TillChanges = z
  .object({
    name: name.optional(),
    pin: chosenPin.optional(),
    unblock: z.literal(true).optional().openapi({ description: 'Unblocks the till after too many wrong PINs.' }),
  })
  .openapi('ChangeTill')

const Till = z
  .object({
    id: z.uuid(),
    name: z.string(),
    isTest: z.boolean().openapi({ description: 'Whether its sales are test payments.' }),
    priceCurrency: z.string().nullable(),
    network: z.string().nullable(),
    currency: z.string().nullable(),
    isPaired: z.boolean(),
    isBlocked: z.boolean().openapi({ description: 'Whether too many wrong PINs were entered.' }),
    browser: z.string().nullable().openapi({ description: "The paired device's browser." }),
    lastUsedAt: time.nullable(),
    createdAt: time,
  })
  .openapi('Till')

const success = z.literal(true)
export const tillsResponse = z.object({ success, tills: z.array(Till) })
export const tillResponse = z.object({ success, till: Till })
export const pairingResponse = z.object({
  success,
  till: Till,
  link: z.url().openapi({ description: 'Open it on the device; valid once, for ten minutes.' }),
  qr: qrCode,
  endsAt: time,
})

export const PairBody = z.object({ token: z.string().max(100) })
export const PinBody = z.object({ pin })

export const ownTillResponse = z.object({
  success,
  till: z
    .object({
      name: z.string(),
      merchantName: z.string(),
      isTest: z.boolean(),
      isOpen: z.boolean().openapi({ description: 'Whether the PIN was entered and the till is in use.' }),
      isBlocked: z.boolean(),
      attemptsLeft: z.int().openapi({ description: 'Remaining wrong PINs until the till is blocked.' }),
      priceCurrency: z.string().nullable(),
      symbols: z.array(z.string()).openapi({ description: 'Tokens that a customer can pay in.', example: ['USDC'] }),
    })
    .openapi('OwnTill'),
})

export const NewSaleBody = z
  .object({
    amount: z.string().max(40).openapi({ description: "In the till's currency.", example: '12.50' }),
    description: z.string().trim().min(1).max(100).optional().openapi({ example: 'Two coffees' }),
  })
  .openapi('CreateSale')

export const saleParam = z.object({
  saleId: z
    .string()
    .regex(/^pl_[\w-]{24}$/, 'saleId must be pl_ and 24 characters')
    .openapi({ param: { name: 'saleId', in: 'path' }, example: 'pl_4fJtkVn3cXo0T2yqY9sLwQ1b' }),
})

const Sale = z
  .object({
    id: z.string(),
    state: z.enum(saleStates).openapi({
      description:
        '`partial`: less than the amount has arrived. `detected`: the amount has arrived and is unconfirmed. Hand over goods only when `paid`.',
    }),
    amount: z.string().nullable(),
    price: z.string().nullable(),
    priceCurrency: z.string().nullable(),
    description: z.string().nullable(),
    createdAt: time,
    url: z.url().nullable().openapi({ description: 'Where the customer chooses network and token, and pays.' }),
    qr: z.union([qrCode, z.null()]),
    receiptUrl: z.url().nullable(),
    receiptQr: z.union([qrCode, z.null()]),
    payment: z.union([
      z
        .object({
          id: z.uuid(),
          currency: z.string(),
          networkName: z.string(),
          amount: amountText,
          amountReceived: amountText,
          amountRemaining: amountText,
          confirmations: z.int(),
          requiredConfirmations: z.int(),
          address: z.string().nullable(),
          addressQr: z.union([qrCode, z.null()]),
        })
        .openapi('SalePayment'),
      z.null(),
    ]),
  })
  .openapi('Sale')

export const saleResponse = z.object({ success, sale: Sale })

export const salesQuery = z.object({
  since: z.iso.datetime({ offset: true, error: 'since must be a time such as 2026-11-24T00:00:00Z' }),
})
export const salesResponse = z.object({
  success,
  sales: z.array(Sale),
  totals: z.array(z.object({ currency: z.string(), amount: amountText, sales: z.int() })).openapi({
    description: 'Totals of the paid sales in the list.',
  }),
  isComplete: z.boolean().openapi({ description: 'False if the list omits older sales of that time.' }),
})
