type Refusal = { status: number; description: string; example: { error: string; message: string; code: string } }

/** Refusals of the middleware and of many handlers, by their names among the components. */
export const refusals = {
  Invalid: {
    status: 400,
    description: 'A field breaks a rule; `message` names both.',
    example: {
      error: 'Validation failed',
      message: 'amount must be a positive number with at most 6 decimals',
      code: 'VALIDATION_FAILED',
    },
  },
  Unauthorized: {
    status: 401,
    description: 'Missing or invalid credentials.',
    example: {
      error: 'API credentials are required: send the header x-public-key, or x-api-key with x-api-secret.',
      message: 'API credentials are required: send the header x-public-key, or x-api-key with x-api-secret.',
      code: 'UNAUTHORIZED',
    },
  },
  NotAllowed: {
    status: 403,
    description:
      "Not allowed with this kind of key, from this page (`ORIGIN_NOT_ALLOWED`), beyond the agent's limits, with the session's role or without its passkey; `code` says which.",
    example: {
      error: 'API key and secret are required',
      message: 'Payment links are for API key and secret: send x-api-key with x-api-secret, and no x-public-key.',
      code: 'API_SECRET_REQUIRED',
    },
  },
  NotFound: {
    status: 404,
    description: 'Not found, or not yours.',
    example: {
      error: 'Payment not found',
      message: 'There is no payment 7f0f1f4e-6a43-4a2e-9d2b-0a9f6d9d0a11.',
      code: 'PAYMENT_NOT_FOUND',
    },
  },
  TooLarge: {
    status: 413,
    description: 'The body is over 64 kB.',
    example: {
      error: 'The body must be at most 65536 bytes.',
      message: 'The body must be at most 65536 bytes.',
      code: 'BODY_TOO_LARGE',
    },
  },
  NotJson: {
    status: 415,
    description: 'The body is not JSON.',
    example: {
      error: 'Unsupported media type',
      message: 'Send the body as JSON with Content-Type: application/json.',
      code: 'UNSUPPORTED_MEDIA_TYPE',
    },
  },
  TooManyCalls: {
    status: 429,
    description: 'Too many calls. Retry after `Retry-After` seconds.',
    example: {
      error: 'Too many requests',
      message: 'At most 600 calls in 60 seconds; try again in 12 seconds.',
      code: 'RATE_LIMITED',
    },
  },
  Failed: {
    status: 500,
    description: 'Our fault, or, where the contract keeps it, an unknown payment id.',
    example: {
      error: 'Internal server error',
      message:
        'Something went wrong on our side. Quote request 0b7a3f7e-52c1-4b53-8f0e-6a9f0d9c2b41 when you ask about it.',
      code: 'INTERNAL_ERROR',
    },
  },
  Unavailable: {
    status: 503,
    description:
      'The database cannot be reached, or a network is not verified yet. Retry after `Retry-After` seconds; repeat creates with the same key.',
    example: {
      error: 'Database unavailable',
      message: 'The database cannot be reached, or is too busy. Nothing was stored; try again.',
      code: 'DATABASE_UNAVAILABLE',
    },
  },
} satisfies Record<string, Refusal>

export type RefusalName = keyof typeof refusals
