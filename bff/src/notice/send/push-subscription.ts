import { z } from 'zod'

const endpointMax = 1_000

/** A browser's `PushSubscription.toJSON()`. The endpoint's host is checked separately, as for webhooks. */
export const pushSubscription = z.object({
  endpoint: z.url({ protocol: /^https?$/ }).max(endpointMax),
  keys: z.object({
    p256dh: z.string().regex(/^[\w-]{87}=?$/, 'must be a P-256 key as base64url'),
    auth: z.string().regex(/^[\w-]{22}(==)?$/, 'must be 16 bytes as base64url'),
  }),
})

export type PushSubscription = z.infer<typeof pushSubscription>
