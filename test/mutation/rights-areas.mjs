// Areas that decide who may do what, how often, and in which order.

/** @type {Record<string, { files: string[], tests: string[] }>} */
export const rightsAreas = {
  leases: {
    files: ['bff/src/db/lease-store.ts', 'bff/src/db/fenced.ts', 'bff/src/db/leases.ts'],
    tests: [
      'bff/src/db/lease-store.test.ts',
      'bff/src/db/lease-end.test.ts',
      'bff/src/db/lease-renewals.test.ts',
      'bff/src/db/leases.test.ts',
    ],
  },
  'fair-shares': {
    files: ['bff/src/core/fair-shares.ts'],
    tests: ['bff/src/core/fair-shares.test.ts'],
  },
  idempotency: {
    files: ['bff/src/checkout/idempotency-store.ts', 'bff/src/access/operation/idempotency-key.ts'],
    tests: ['bff/src/checkout/idempotency-rules.test.ts', 'bff/src/access/operation/idempotency-key.test.ts'],
  },
  target: {
    files: ['bff/src/webhook/send/target.ts', 'bff/src/webhook/send/public-address.ts'],
    tests: [
      'bff/src/webhook/send/target.test.ts',
      'bff/src/webhook/send/target-lookup.test.ts',
      'bff/src/webhook/send/public-address.test.ts',
    ],
  },
  outbox: {
    files: [
      'bff/src/payment/store/outbox-store.ts',
      'bff/src/webhook/outbox/delivery-store.ts',
      'bff/src/webhook/outbox/endpoint-limiter.ts',
      'bff/src/webhook/send/sign.ts',
      'bff/src/webhook/endpoints/endpoint-store.ts',
    ],
    tests: [
      'bff/src/webhook/receivers.test.ts',
      'bff/src/webhook/outbox/receiver-order.test.ts',
      'bff/src/webhook/outbox/delivery-outcomes.test.ts',
      'bff/src/webhook/outbox/endpoint-limiter.test.ts',
      'bff/src/webhook/send/sign.test.ts',
      'bff/src/webhook/endpoints/endpoint.routes.test.ts',
      'bff/src/payment/outbox-rows.test.ts',
    ],
  },
  dispatcher: {
    files: [
      'bff/src/webhook/outbox/dispatcher.ts',
      'bff/src/webhook/outbox/attempt.ts',
      'bff/src/webhook/send/post.ts',
      'bff/src/webhook/outbox/prune-deliveries.ts',
      'bff/src/webhook/outbox/prune-store.ts',
    ],
    tests: [
      'bff/src/webhook/outbox/dispatcher.ends.test.ts',
      'bff/src/webhook/outbox/dispatcher.test.ts',
      'bff/src/webhook/outbox/dispatcher.restart.test.ts',
      'bff/src/webhook/outbox/prune-deliveries.test.ts',
      'bff/src/webhook/outbox/receiver-order.test.ts',
    ],
  },
  agent: {
    files: ['bff/src/agent/check-spending.ts', 'bff/src/agent/policy.ts', 'bff/src/agent/policy-store.ts'],
    tests: [
      'bff/src/agent/policy.test.ts',
      'bff/src/agent/policy.routes.test.ts',
      'bff/src/agent/decisions.test.ts',
      'bff/src/agent/spending.test.ts',
      'bff/src/agent/late-spending.test.ts',
      'bff/src/agent/pays.test.ts',
      'bff/src/agent/budgets.test.ts',
    ],
  },
  authorization: {
    files: [
      'bff/src/checkout/authorization/authorization-bounds.ts',
      'bff/src/payment/store/authorization-store.ts',
      'bff/src/payment/authorization.ts',
    ],
    tests: [
      'bff/src/checkout/authorization/bounds-of-a-day.test.ts',
      'bff/src/checkout/authorization/budget-of-a-day.test.ts',
      'bff/src/payment/authorization-usage.test.ts',
      'bff/src/payment/authorization-rows.test.ts',
    ],
  },
  authorize: {
    files: ['bff/src/checkout/authorization/authorize.ts', 'bff/src/checkout/authorization/token-account-waits.ts'],
    tests: [
      'bff/src/checkout/authorization/authorize-rules.test.ts',
      'bff/src/checkout/authorization/token-account-waits.test.ts',
    ],
  },
  x402: {
    files: [
      'bff/src/checkout/x402/charge.ts',
      'bff/src/checkout/x402/charge-store.ts',
      'bff/src/checkout/x402/charge-room.ts',
      'bff/src/checkout/x402/claim.ts',
      'bff/src/checkout/x402/use-payment.ts',
      'bff/src/checkout/x402/x402-wire.ts',
    ],
    tests: [
      'bff/src/checkout/x402/charge.test.ts',
      'bff/src/checkout/x402/charge-bounds.test.ts',
      'bff/src/checkout/x402/charge-uses.test.ts',
    ],
  },
  'x402-schemes': {
    files: [
      'bff/src/checkout/x402/authorization-scheme.ts',
      'bff/src/checkout/x402/exact-scheme.ts',
      'bff/src/checkout/x402/transaction-scheme.ts',
      'bff/src/checkout/x402/parsed-proof.ts',
      'bff/src/checkout/x402/x402-payments.ts',
      'bff/src/checkout/x402/x402-refusal.ts',
      'bff/src/checkout/x402/x402-answer.ts',
      'bff/src/checkout/x402/x402.part.ts',
    ],
    tests: [
      'bff/src/checkout/x402/transaction-scheme.test.ts',
      'bff/src/checkout/x402/x402.test.ts',
      'bff/src/checkout/x402/x402-refused.test.ts',
      'bff/src/checkout/x402/former-token.test.ts',
    ],
  },
  facilitator: {
    files: [
      'bff/src/checkout/x402/facilitator.ts',
      'bff/src/checkout/x402/facilitator.routes.ts',
      'bff/src/checkout/x402/settlement-store.ts',
    ],
    tests: ['bff/src/checkout/x402/facilitator.test.ts'],
  },
  links: {
    files: [
      'bff/src/checkout/link/link.ts',
      'bff/src/checkout/link/manage-links.ts',
      'bff/src/checkout/link/link-store.ts',
      'bff/src/checkout/end-surplus.ts',
      'bff/src/checkout/link/link-key-store.ts',
    ],
    tests: [
      'bff/src/checkout/link/links.test.ts',
      'bff/src/checkout/link/one-time-links.test.ts',
      'bff/src/checkout/link/repeated-links.test.ts',
      'bff/src/checkout/link/test-links.test.ts',
      'bff/src/checkout/link/fixed-links.test.ts',
    ],
  },
  access: {
    files: [
      'bff/src/checkout/access.ts',
      'bff/src/access/callers/client-secret.ts',
      'bff/src/checkout/fail-payment.ts',
      'bff/src/checkout/open-payments-store.ts',
      'bff/src/checkout/deposit/refund-request.ts',
      'bff/src/checkout/deposit/refund-request-store.ts',
    ],
    tests: [
      'bff/src/checkout/access.test.ts',
      'bff/src/checkout/caller-rights.test.ts',
      'bff/src/access/callers/client-secret.test.ts',
      'bff/src/checkout/fail-payment.test.ts',
      'bff/src/checkout/open-payments.test.ts',
      'bff/src/checkout/link/links.test.ts',
      'bff/src/checkout/link/one-time-links.test.ts',
      'bff/src/checkout/deposit/refund-request.test.ts',
    ],
  },
  submission: {
    files: [
      'bff/src/checkout/contract/process-payment.ts',
      'bff/src/checkout/contract/named-sender.ts',
      'bff/src/checkout/contract/submission-store.ts',
    ],
    tests: [
      'bff/src/checkout/contract/process-payment.left.test.ts',
      'bff/src/checkout/contract/process-payment.test.ts',
    ],
  },
  'free-network': {
    files: ['bff/src/network/free-network.ts'],
    tests: ['bff/src/checkout/networks/free-networks.test.ts', 'bff/src/stores/payment-methods.test.ts'],
  },
  limits: {
    files: [
      'bff/src/access/limits/rate-limit.ts',
      'bff/src/access/limits/rate-limit-store.ts',
      'bff/src/access/limits/shared-counters.ts',
      'bff/src/access/limits/stream-slots.ts',
    ],
    tests: ['bff/src/access/limits/rate-limit.test.ts', 'bff/src/access/limits/stream-slots.test.ts'],
  },
  'sign-in': {
    files: [
      'bff/src/dashboard/sign-in/sessions.ts',
      'bff/src/dashboard/sign-in/session-store.ts',
      'bff/src/dashboard/sign-in/passkeys.ts',
      'bff/src/dashboard/sign-in/registrations.ts',
      'bff/src/dashboard/sign-in/invitations.ts',
      'bff/src/dashboard/sign-in/invitation-store.ts',
      'bff/src/dashboard/page/page-origin.ts',
    ],
    tests: [
      'bff/src/dashboard/sign-in/sessions.test.ts',
      'bff/src/dashboard/sign-in/confirmation.test.ts',
      'bff/src/dashboard/sign-in/challenge.test.ts',
      'bff/src/dashboard/sign-in/attestation.test.ts',
      'bff/src/dashboard/sign-in/lock-out.test.ts',
      'bff/src/dashboard/people/invitations.test.ts',
      'bff/src/dashboard/people/foreign-sessions.test.ts',
      'bff/src/dashboard/account/settings.test.ts',
      'bff/src/dashboard/page/page.routes.test.ts',
    ],
  },
  roles: {
    files: [
      'bff/src/access/context/seen-by.ts',
      'bff/src/dashboard/roles.ts',
      'bff/src/dashboard/sign-in/people-store.ts',
      'bff/src/dashboard/people/people.routes.ts',
      'bff/src/dashboard/people/invitation.routes.ts',
    ],
    tests: [
      'bff/src/dashboard/people/role-matrix.test.ts',
      'bff/src/dashboard/people/field-rights.test.ts',
      'bff/src/checkout/fields-by-reader.test.ts',
      'bff/src/dashboard/people/invitations.test.ts',
      'bff/src/dashboard/people/foreign-sessions.test.ts',
      'bff/src/dashboard/account/settings.test.ts',
    ],
  },
}
