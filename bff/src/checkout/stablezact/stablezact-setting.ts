import { z } from 'zod'
import { listedSymbols } from '../../core/families.ts'

/** The configuration's `stablezact`. Absent: clients of that service are not served. */
export const stablezactSetting = z
  .strictObject({
    /** Metadata keys of a live payment that anyone who knows its id may read at the clients' address. */
    publicMetadata: z.array(z.string().min(1).max(100)).max(20).default(['bookingId']),
    /** The merchant whose payments prove bookings, because clients do not compare merchants. Required if the service has several. */
    merchant: z.string().min(1).max(100).optional(),
    /** The token that clients mean by `usd`, one for one. */
    usd: z.enum(listedSymbols).default('USDC'),
  })
  .optional()

export type StablezactSettings = NonNullable<z.infer<typeof stablezactSetting>>
