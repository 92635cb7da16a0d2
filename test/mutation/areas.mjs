// The core: what decides about money, and what keeps others from deciding about it. Of each area the files that are
// mutated, and the tests that must notice it: without a chain and a browser, each test within a second or two.

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
    tests: ['bff/src/agent/policy.test.ts', 'bff/src/agent/spending.test.ts'],
  },
}
