import { z } from 'zod'
import { listedSymbols } from '../../core/families.ts'

/** The configuration's `stablezact`. Absent: clients of that service are not served. */
export const stablezactSetting = z
  .strictObject({
    publicMetadata: z
      .array(z.string().min(1).max(100))
      .max(20)
      .default(['bookingId'])
      .describe('metadata keys of a live payment that anyone who knows its id may read there'),
    merchant: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe('the merchant whose payments prove bookings: clients do not compare merchants. Required with several'),
    usd: z.enum(listedSymbols).default('USDC').describe('the token that clients mean by `usd`, one for one'),
  })
  .optional()
  .describe('[apps of Cal.com](moving-over.md#calcom) at `/stablezact/api`; `{}` has these defaults')

export type StablezactSettings = NonNullable<z.infer<typeof stablezactSetting>>
