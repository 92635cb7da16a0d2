// What decides about money, rights, leases, budgets, sums and order. Of each area the files that are mutated, and the tests that
// must notice it: without a chain and a browser, each test within a second or two.

/** @type {Record<string, { files: string[], tests: string[] }>} */
export const areas = {
  money: {
    files: ['bff/src/core/money.ts'],
    tests: ['bff/src/core/money.test.ts', 'bff/src/core/significant-change.test.ts'],
  },
  payment: {
    files: [
      'bff/src/payment/transition.ts',
      'bff/src/payment/payment.ts',
      'bff/src/payment/refund.ts',
      'bff/src/payment/unmatched.ts',
      'bff/src/payment/bridge.ts',
    ],
    tests: [
      'bff/src/payment/payment.test.ts',
      'bff/src/payment/transition.test.ts',
      'bff/src/payment/transition-rules.test.ts',
      'bff/src/payment/late.test.ts',
      'bff/src/payment/refund.test.ts',
      'bff/src/payment/refund-state.test.ts',
      'bff/src/payment/unmatched.test.ts',
      'bff/src/payment/unmatched-rules.test.ts',
      'bff/src/payment/bridge.test.ts',
      'bff/src/payment/late-payment.test.ts',
    ],
  },
  ledger: {
    files: ['bff/src/payment/ledger.ts', 'bff/src/checkout/accept-late.ts', 'bff/src/payment/initial-state.ts'],
    tests: ['bff/src/payment/ledger.test.ts', 'bff/src/checkout/late-acceptance.test.ts'],
  },
  idempotency: {
    files: ['bff/src/checkout/idempotency-store.ts'],
    tests: ['bff/src/checkout/idempotency-rules.test.ts'],
  },
  chain: {
    files: ['bff/src/chain/evm/watch/reconcile.ts'],
    tests: ['bff/src/chain/evm/watch/reconcile.test.ts'],
  },
  wallet: {
    files: ['bff/src/chain/evm/split/verify-payment.ts', 'bff/src/chain/solana/split/verify-transfer.ts'],
    tests: ['bff/src/chain/evm/split/refusals.test.ts', 'bff/src/chain/solana/split/solana-refusals.test.ts'],
  },
  retry: {
    files: [
      'bff/src/payout/payout-retry.ts',
      'bff/src/payout/payout-plan.ts',
      'bff/src/webhook/outbox/delivery-retry.ts',
    ],
    tests: [
      'bff/src/payout/payout-retry.test.ts',
      'bff/src/payout/sending-plan.test.ts',
      'bff/src/payout/sweep-economics.test.ts',
      'bff/src/webhook/outbox/delivery-retry.test.ts',
    ],
  },
  payout: {
    files: [
      'bff/src/chain/evm/payout/monitor.ts',
      'bff/src/chain/evm/payout/nonce.ts',
      'bff/src/chain/evm/payout/preflight.ts',
      'bff/src/chain/evm/payout/external-settlement.ts',
      'bff/src/chain/evm/payout/send-sweeps.ts',
      'bff/src/chain/evm/payout/prepare-refund.ts',
      'bff/src/chain/evm/payout/sign-and-store.ts',
    ],
    tests: [
      'bff/src/chain/evm/payout/payout-monitor.test.ts',
      'bff/src/chain/evm/payout/payout-nonce.test.ts',
      'bff/src/chain/evm/payout/payout-plan.test.ts',
      'bff/src/chain/evm/payout/payout-end.test.ts',
      'bff/src/chain/evm/payout/payout-send.test.ts',
      'bff/src/chain/evm/payout/payout-refund.test.ts',
    ],
  },
  'payout-queue': {
    files: ['bff/src/payout/payout-worker.ts', 'bff/src/payout/payout-failure.ts', 'bff/src/payout/payout-finalize.ts'],
    tests: [
      'bff/src/payout/late-payout.test.ts',
      'bff/src/payout/payout-failure.test.ts',
      'bff/src/payout/payout-finalize.test.ts',
      'bff/src/payout/payout-worker.test.ts',
      'bff/src/chain/evm/payout/payout-end.test.ts',
      'bff/src/chain/evm/payout/payout-monitor.test.ts',
      'bff/src/chain/evm/payout/payout-refund.test.ts',
      'bff/src/chain/evm/payout/payout-send.test.ts',
    ],
  },
  target: {
    files: ['bff/src/webhook/outbox/target.ts', 'bff/src/webhook/outbox/public-address.ts'],
    tests: [
      'bff/src/webhook/outbox/target.test.ts',
      'bff/src/webhook/outbox/target-lookup.test.ts',
      'bff/src/webhook/outbox/public-address.test.ts',
    ],
  },
  agent: {
    files: ['bff/src/agent/check-spending.ts', 'bff/src/agent/policy.ts', 'bff/src/agent/policy-store.ts'],
    tests: [
      'bff/src/agent/policy.test.ts',
      'bff/src/agent/spending.test.ts',
      'bff/src/agent/late-spending.test.ts',
      'bff/src/agent/pays.test.ts',
      'bff/src/agent/budgets.test.ts',
    ],
  },
  settings: {
    files: [
      'bff/src/merchant/merchant-settings.ts',
      'bff/src/checkout/price.ts',
      'bff/src/rates/rate.ts',
      'bff/src/rates/rates.ts',
    ],
    tests: [
      'bff/src/merchant/merchant-settings.test.ts',
      'bff/src/checkout/price.test.ts',
      'bff/src/rates/rates.test.ts',
    ],
  },
  sums: {
    files: [
      'bff/src/payment/sweep.ts',
      'bff/src/payment/store/sums-store.ts',
      'bff/src/payment/store/transfer-store.ts',
      'bff/src/ops/export/payment-row.ts',
    ],
    tests: [
      'bff/src/payment/sums.test.ts',
      'bff/src/payment/swept-amount.test.ts',
      'bff/src/payment/moved-transfer.test.ts',
      'bff/src/payment/tolerance-window.test.ts',
      'bff/src/payment/transition.test.ts',
      'bff/src/ops/export/shares.test.ts',
      'bff/src/ops/export/export-csv.test.ts',
    ],
  },
  reports: {
    files: [
      'bff/src/reports/month.ts',
      'bff/src/reports/month-store.ts',
      'bff/src/reports/local-day.ts',
      'bff/src/reports/summary.ts',
      'bff/src/reports/attention.ts',
    ],
    tests: [
      'bff/src/reports/reports.test.ts',
      'bff/src/reports/month-edges.test.ts',
      'bff/src/reports/kept-sums.test.ts',
      'bff/src/reports/local-day.test.ts',
      'bff/src/reports/every-zone.test.ts',
    ],
  },
  reconcile: {
    files: [
      'bff/src/ops/reconcile/judge-payment.ts',
      'bff/src/ops/reconcile/judge-payouts.ts',
      'bff/src/ops/reconcile/judge-transfers.ts',
      'bff/src/ops/reconcile/judge-unmatched.ts',
      'bff/src/ops/reconcile/statement.ts',
    ],
    tests: [
      'bff/src/ops/reconcile/judge-payment.test.ts',
      'bff/src/ops/reconcile/statement.test.ts',
    ],
  },
  authorization: {
    files: [
      'bff/src/checkout/authorization/authorization-bounds.ts',
      'bff/src/payment/store/authorization-store.ts',
      'bff/src/chain/evm/authorization/check-authorization.ts',
      'bff/src/chain/evm/authorization/permit2.ts',
      'bff/src/payment/authorization.ts',
    ],
    tests: [
      'bff/src/checkout/authorization/bounds-of-a-day.test.ts',
      'bff/src/payment/authorization-usage.test.ts',
      'bff/src/chain/evm/authorization/check-authorization.test.ts',
    ],
  },
  x402: {
    files: [
      'bff/src/checkout/x402/charge.ts',
      'bff/src/checkout/x402/charge-store.ts',
      'bff/src/checkout/x402/claim.ts',
      'bff/src/checkout/x402/use-payment.ts',
      'bff/src/checkout/x402/x402-wire.ts',
    ],
    tests: [
      'bff/src/checkout/x402/charge.test.ts',
    ],
  },
  links: {
    files: [
      'bff/src/checkout/link/link.ts',
      'bff/src/checkout/link/links.ts',
      'bff/src/checkout/link/link-store.ts',
      'bff/src/checkout/link/end-surplus.ts',
      'bff/src/checkout/link/link-key-store.ts',
    ],
    tests: [
      'bff/src/checkout/link/links.test.ts',
      'bff/src/checkout/link/one-time-links.test.ts',
      'bff/src/checkout/link/repeated-links.test.ts',
      'bff/src/checkout/link/test-links.test.ts',
    ],
  },
  access: {
    files: [
      'bff/src/checkout/access.ts',
      'bff/src/checkout/client-secret.ts',
      'bff/src/checkout/fail-payment.ts',
      'bff/src/checkout/open-payments-store.ts',
      'bff/src/checkout/deposit/refund-request.ts',
    ],
    tests: [
      'bff/src/checkout/access.test.ts',
      'bff/src/checkout/client-secret.test.ts',
      'bff/src/checkout/fail-payment.test.ts',
      'bff/src/checkout/open-payments.test.ts',
      'bff/src/checkout/deposit/refund-request.test.ts',
    ],
  },
  keys: {
    files: [
      'bff/src/merchant/keys.ts',
      'bff/src/merchant/key-origins.ts',
      'bff/src/http/authenticate.ts',
      'bff/src/http/limits/rate-limit.ts',
      'bff/src/http/client-address.ts',
    ],
    tests: [
      'bff/src/merchant/keys.test.ts',
      'bff/src/merchant/key-origins.test.ts',
      'bff/src/merchant-routes.test.ts',
      'bff/src/http/limits/rate-limit.test.ts',
      'bff/src/http/client-address.test.ts',
    ],
  },
  'sign-in': {
    files: [
      'bff/src/dashboard/sign-in/sessions.ts',
      'bff/src/dashboard/sign-in/session-store.ts',
      'bff/src/dashboard/sign-in/passkeys.ts',
      'bff/src/dashboard/sign-in/invitations.ts',
      'bff/src/dashboard/sign-in/invitation-store.ts',
      'bff/src/dashboard/page/page-origin.ts',
    ],
    tests: [
      'bff/src/dashboard/sign-in/sessions.test.ts',
      'bff/src/dashboard/sign-in/confirmation.test.ts',
      'bff/src/dashboard/sign-in/challenge.test.ts',
      'bff/src/dashboard/sign-in/attestation.test.ts',
      'bff/src/dashboard/people/invitations.test.ts',
      'bff/src/dashboard/people/foreign-sessions.test.ts',
      'bff/src/dashboard/account/settings.test.ts',
      'bff/src/dashboard/page/page.routes.test.ts',
    ],
  },
  roles: {
    files: [
      'bff/src/dashboard/people/roles.ts',
      'bff/src/dashboard/people/people-store.ts',
      'bff/src/dashboard/people/people.routes.ts',
      'bff/src/dashboard/people/invitation.routes.ts',
    ],
    tests: [
      'bff/src/dashboard/people/role-matrix.test.ts',
      'bff/src/dashboard/people/field-rights.test.ts',
      'bff/src/dashboard/people/invitations.test.ts',
      'bff/src/dashboard/people/foreign-sessions.test.ts',
      'bff/src/dashboard/account/settings.test.ts',
    ],
  },
  leases: {
    files: [
      'bff/src/db/lease-store.ts',
      'bff/src/db/fenced.ts',
      'bff/src/db/leases.ts',
    ],
    tests: [
      'bff/src/db/lease-store.test.ts',
      'bff/src/db/lease-end.test.ts',
      'bff/src/db/leases.test.ts',
    ],
  },
  outbox: {
    files: [
      'bff/src/payment/store/outbox-store.ts',
      'bff/src/webhook/outbox/delivery-store.ts',
      'bff/src/webhook/outbox/endpoint-limiter.ts',
      'bff/src/webhook/outbox/sign.ts',
      'bff/src/webhook/endpoints/endpoint-store.ts',
    ],
    tests: [
      'bff/src/webhook/receivers.test.ts',
      'bff/src/webhook/outbox/receiver-order.test.ts',
      'bff/src/webhook/outbox/delivery-outcomes.test.ts',
      'bff/src/webhook/outbox/endpoint-limiter.test.ts',
      'bff/src/webhook/outbox/sign.test.ts',
      'bff/src/webhook/endpoints/endpoint.routes.test.ts',
    ],
  },
  'payout-store': {
    files: [
      'bff/src/payout/payout-queue-store.ts',
      'bff/src/payout/outgoing-store.ts',
    ],
    tests: [
      'bff/src/payout/payout-queue-store.test.ts',
      'bff/src/payout/outgoing-store.test.ts',
      'bff/src/payout/payout-results.test.ts',
      'bff/src/payout/payout-finalize.test.ts',
      'bff/src/payout/payout-worker.test.ts',
    ],
  },
  solana: {
    files: [
      'bff/src/chain/solana/payout/rent-shares.ts',
      'bff/src/chain/solana/payout/solana-sweeps.ts',
      'bff/src/chain/solana/payout/prepare-solana-refund.ts',
      'bff/src/chain/solana/payout/monitor-transactions.ts',
      'bff/src/chain/solana/split/solana-split-terms.ts',
      'bff/src/chain/solana/split/payment-transfers.ts',
    ],
    tests: [
      'bff/src/chain/solana/payout/rent.test.ts',
      'bff/src/chain/solana/payout/solana-sweeps.test.ts',
      'bff/src/chain/solana/payout/expired-payouts.test.ts',
      'bff/src/chain/solana/split/solana-payment.test.ts',
      'bff/src/chain/solana/split/two-payments.test.ts',
      'bff/src/ops/export/shares.test.ts',
    ],
  },
}
