// Areas that decide about money: of each the files that are mutated, and the tests that must notice it.

/** @type {Record<string, { files: string[], tests: string[] }>} */
export const moneyAreas = {
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
  chain: {
    files: ['bff/src/chain/evm/watch/reconcile.ts'],
    tests: ['bff/src/chain/evm/watch/reconcile.test.ts'],
  },
  wallet: {
    files: ['bff/src/chain/evm/submit/verify-payment.ts', 'bff/src/chain/solana/split/verify-transfer.ts'],
    tests: ['bff/src/chain/evm/submit/refusals.test.ts', 'bff/src/chain/solana/split/solana-refusals.test.ts'],
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
      'bff/src/chain/shares.ts',
    ],
    tests: [
      'bff/src/payment/sums.test.ts',
      'bff/src/payment/swept-amount.test.ts',
      'bff/src/payment/moved-transfer.test.ts',
      'bff/src/payment/tolerance-window.test.ts',
      'bff/src/payment/transition.test.ts',
      'bff/src/chain/shares.test.ts',
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
    tests: ['bff/src/ops/reconcile/judge-payment.test.ts', 'bff/src/ops/reconcile/statement.test.ts'],
  },
  'payout-store': {
    files: ['bff/src/payout/payout-queue-store.ts', 'bff/src/payout/outgoing-store.ts'],
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
      'bff/src/chain/shares.test.ts',
    ],
  },
}
