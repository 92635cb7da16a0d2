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
      'bff/src/payment/attention.ts',
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
      'bff/src/payment/bridge-window.test.ts',
      'bff/src/payment/late-payment.test.ts',
    ],
  },
  ledger: {
    files: [
      'bff/src/payment/ledger.ts',
      'bff/src/payment/initial-state.ts',
      'bff/src/payment/store/payment-store.ts',
      'bff/src/payment/store/history-store.ts',
      'bff/src/payment/store/token-store.ts',
      'bff/src/checkout/accept-late.ts',
    ],
    tests: [
      'bff/src/payment/ledger.test.ts',
      'bff/src/payment/dust.test.ts',
      'bff/src/checkout/late-acceptance.test.ts',
    ],
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
  'payout-store': {
    files: [
      'bff/src/payout/payout-queue-store.ts',
      'bff/src/payout/outgoing-store.ts',
      'bff/src/payout/parked-share-store.ts',
      'bff/src/payout/external-settlement-store.ts',
      'bff/src/network/gas-balances.ts',
    ],
    tests: [
      'bff/src/payout/payout-queue-store.test.ts',
      'bff/src/payout/outgoing-store.test.ts',
      'bff/src/payout/parked-share-store.test.ts',
      'bff/src/network/gas-balances.test.ts',
      'bff/src/payout/payout-history.test.ts',
      'bff/src/payout/payout-results.test.ts',
      'bff/src/payout/payout-finalize.test.ts',
      'bff/src/payout/payout-worker.test.ts',
      'bff/src/chain/evm/payout/payout-end.test.ts',
      'bff/src/chain/evm/payout/recheck.test.ts',
    ],
  },
  settings: {
    files: ['bff/src/merchant/merchant-settings.ts', 'bff/src/checkout/price.ts', 'bff/src/checkout/money-fields.ts'],
    tests: ['bff/src/merchant/merchant-settings.test.ts', 'bff/src/checkout/price.test.ts'],
  },
  rate: {
    files: ['bff/src/rates/rate.ts'],
    tests: ['bff/src/rates/rate.test.ts'],
  },
  rates: {
    files: ['bff/src/rates/rates.ts', 'bff/src/rates/rate-settings.ts'],
    tests: ['bff/src/rates/rates.test.ts'],
  },
  'rate-providers': {
    files: ['bff/src/rates/fetch-rates.ts', 'bff/src/rates/providers.ts'],
    tests: ['bff/src/rates/providers.test.ts'],
  },
  sums: {
    files: [
      'bff/src/payment/sweep.ts',
      'bff/src/payment/store/sums-store.ts',
      'bff/src/payment/store/transfer-store.ts',
      'bff/src/checkout/read/payment-row.ts',
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
      'bff/src/reports/attention-store.ts',
      'bff/src/reports/payment-report.ts',
      'bff/src/reports/payment-report-store.ts',
    ],
    tests: [
      'bff/src/reports/reports.test.ts',
      'bff/src/reports/month-edges.test.ts',
      'bff/src/reports/kept-sums.test.ts',
      'bff/src/reports/local-day.test.ts',
      'bff/src/reports/every-zone.test.ts',
      'bff/src/merchant-routes.test.ts',
    ],
  },
  reconcile: {
    files: [
      'bff/src/ops/reconcile/judge-payment.ts',
      'bff/src/ops/reconcile/judge-payouts.ts',
      'bff/src/ops/reconcile/judge-transfers.ts',
      'bff/src/ops/reconcile/judge-unmatched.ts',
      'bff/src/ops/reconcile/statement.ts',
      'bff/src/ops/reconcile/difference.ts',
    ],
    tests: [
      'bff/src/ops/reconcile/judge-payment.test.ts',
      'bff/src/ops/reconcile/statement.test.ts',
      'bff/src/ops/reconcile/unmatched-balance.test.ts',
    ],
  },
  books: {
    files: ['bff/src/ops/reconcile/reconcile.ts', 'bff/src/ops/reconcile/books-store.ts'],
    tests: ['bff/src/ops/reconcile/reconcile.test.ts'],
  },
  create: {
    files: [
      'bff/src/checkout/payment-maker.ts',
      'bff/src/checkout/deposit/create-deposit.ts',
      'bff/src/checkout/deposit/deposit-draft.ts',
      'bff/src/checkout/contract/create-contract-payment.ts',
      'bff/src/checkout/cross-chain/create-cross-chain.ts',
      'bff/src/checkout/sandbox/create-sandbox.ts',
    ],
    tests: [
      'bff/src/checkout/existing-payment.test.ts',
      'bff/src/checkout/caller-rights.test.ts',
      'bff/src/checkout/contract/create-contract-payment.test.ts',
      'bff/src/checkout/cross-chain/create-cross-chain.test.ts',
      'bff/src/checkout/sandbox/create-sandbox.test.ts',
      'bff/src/checkout/open-payments.test.ts',
    ],
  },
  bridges: {
    files: [
      'bff/src/checkout/cross-chain/bridge-progress.ts',
      'bff/src/checkout/cross-chain/bridge-poll-store.ts',
      'bff/src/checkout/cross-chain/poll-interval.ts',
      'bff/src/checkout/cross-chain/relay-client.ts',
      'bff/src/checkout/cross-chain/relay-provider.ts',
      'bff/src/checkout/cross-chain/relay-settings.ts',
      'bff/src/checkout/cross-chain/sources.ts',
      'bff/src/payment/store/bridge-store.ts',
    ],
    tests: [
      'bff/src/checkout/cross-chain/bridge-progress.test.ts',
      'bff/src/checkout/cross-chain/relay-provider.test.ts',
      'bff/src/checkout/cross-chain/slow-bridge.test.ts',
      'bff/src/checkout/cross-chain/sources.test.ts',
    ],
  },
}
