import type { ErrorCode } from '../../core/error-codes.ts'

type Refusal = { code: ErrorCode; description: string; message: string }

/** Refusals of the middleware and of many handlers, by their component names. */
export const refusals = {
  Invalid: {
    code: 'VALIDATION_FAILED',
    description: 'A field breaks a rule; `message` names both.',
    message: 'amount must be a positive number with at most 6 decimals',
  },
  Unauthorized: {
    code: 'UNAUTHORIZED',
    description: 'Missing or invalid credentials.',
    message: 'API credentials are required: send the header x-public-key, or x-api-key with x-api-secret.',
  },
  NotAllowed: {
    code: 'API_SECRET_REQUIRED',
    description:
      "Not allowed with this kind of key, from this page (`ORIGIN_NOT_ALLOWED`), beyond the agent's limits, with the session's role or without its passkey; `code` says which.",
    message: 'Payment links are for API key and secret: send x-api-key with x-api-secret, and no x-public-key.',
  },
  NotFound: {
    code: 'PAYMENT_NOT_FOUND',
    description: 'Not found, or not yours.',
    message: 'There is no payment 7f0f1f4e-6a43-4a2e-9d2b-0a9f6d9d0a11.',
  },
  TooLarge: {
    code: 'BODY_TOO_LARGE',
    description: 'The body is over 64 kB.',
    message: 'The body must be at most 65536 bytes.',
  },
  NotJson: {
    code: 'UNSUPPORTED_MEDIA_TYPE',
    description: 'The body is not JSON.',
    message: 'Send the body as JSON with Content-Type: application/json.',
  },
  TooManyCalls: {
    code: 'RATE_LIMITED',
    description: 'Too many calls. Retry after `Retry-After` seconds.',
    message: 'At most 600 calls in 60 seconds; try again in 12 seconds.',
  },
  Failed: {
    code: 'INTERNAL_ERROR',
    description: 'Our fault, or, where the contract keeps it, an unknown payment id.',
    message:
      'Something went wrong on our side. Quote request 0b7a3f7e-52c1-4b53-8f0e-6a9f0d9c2b41 when you ask about it.',
  },
  Unavailable: {
    code: 'DATABASE_UNAVAILABLE',
    description:
      'The database cannot be reached, or a network is not verified yet. Retry after `Retry-After` seconds; repeat creates with the same key.',
    message: 'The database cannot be reached, or is too busy. Nothing was stored; try again.',
  },
} satisfies Record<string, Refusal>

export type RefusalName = keyof typeof refusals
