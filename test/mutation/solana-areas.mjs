// Areas that read Solana and send transactions there.

/** @type {Record<string, { files: string[], tests: string[] }>} */
export const solanaAreas = {
  'solana-payout': {
    files: [
      'bff/src/chain/solana/payout/rent-shares.ts',
      'bff/src/chain/solana/payout/solana-sweeps.ts',
      'bff/src/chain/solana/payout/prepare-solana-refund.ts',
      'bff/src/chain/solana/payout/monitor-transactions.ts',
      'bff/src/chain/solana/payout/payout-instructions.ts',
      'bff/src/chain/solana/payout/earlier-payouts.ts',
      'bff/src/chain/solana/payout/parked-shares.ts',
    ],
    tests: [
      'bff/src/chain/solana/payout/rent.test.ts',
      'bff/src/chain/solana/payout/rent-shares.test.ts',
      'bff/src/chain/solana/payout/solana-sweeps.test.ts',
      'bff/src/chain/solana/payout/expired-payouts.test.ts',
      'bff/src/chain/solana/payout/prepare-solana-refund.test.ts',
      'bff/src/chain/shares.test.ts',
      'bff/src/checkout/deposit/solana-refund.test.ts',
    ],
  },
  'solana-sender': {
    files: [
      'bff/src/chain/solana/payout/send-relayed.ts',
      'bff/src/chain/solana/payout/fee-payer-balance.ts',
      'bff/src/chain/solana/payout/send-transaction.ts',
      'bff/src/chain/solana/payout/solana-outgoing-store.ts',
      'bff/src/chain/solana/payout/solana-sender.ts',
      'bff/src/chain/solana/payout/solana-sweeper.ts',
      'bff/src/chain/solana/payout/token-accounts.ts',
      'bff/src/chain/solana/payout/account-history.ts',
      'bff/src/chain/solana/payout/solana-context.ts',
    ],
    tests: [
      'bff/src/chain/solana/payout/solana-sender.test.ts',
      'bff/src/chain/solana/payout/solana-outgoing-store.test.ts',
      'bff/src/chain/solana/payout/fee-payer-balance.test.ts',
      'bff/src/chain/solana/payout/send-relayed.test.ts',
      'bff/src/chain/solana/payout/token-accounts.test.ts',
      'bff/src/chain/solana/payout/solana-sweeps.test.ts',
      'bff/src/chain/solana/payout/expired-payouts.test.ts',
    ],
  },
  'solana-split': {
    files: [
      'bff/src/chain/solana/split/verify-transfer.ts',
      'bff/src/chain/solana/facts/solana-address.ts',
      'bff/src/chain/solana/facts/solana-family.ts',
      'bff/src/chain/solana/facts/solana-key.ts',
      'bff/src/chain/solana/facts/solana-split-terms.ts',
      'bff/src/chain/solana/split/payment-transfers.ts',
      'bff/src/chain/solana/facts/solana-deposit-terms.ts',
    ],
    tests: [
      'bff/src/chain/solana/split/solana-refusals.test.ts',
      'bff/src/chain/solana/split/solana-payment.test.ts',
      'bff/src/chain/solana/split/two-payments.test.ts',
      'bff/src/chain/solana/payout/solana-sweeps.test.ts',
    ],
  },
  'solana-refunds': {
    files: [
      'bff/src/chain/solana/facts/solana-refund-place.ts',
      'bff/src/chain/solana/refund/match-solana-refund.ts',
      'bff/src/chain/solana/refund/refund-transaction.ts',
      'bff/src/chain/solana/refund/refund-watcher.ts',
      'bff/src/chain/solana/refund/solana-refund-store.ts',
      'bff/src/chain/solana/refund/verify-solana-refund.ts',
      'bff/src/chain/solana/split/own-payouts.ts',
    ],
    tests: ['bff/src/chain/solana/refund/solana-refunds.test.ts', 'bff/src/chain/solana/split/plain-transfer.test.ts'],
  },
  'solana-split-watch': {
    files: [
      'bff/src/chain/solana/split/unreadable-transactions.ts',
      'bff/src/chain/solana/split/split-watcher.ts',
      'bff/src/chain/solana/split/split-verifications.ts',
      'bff/src/chain/solana/split/split-accounts.ts',
      'bff/src/chain/solana/split/split-account-store.ts',
      'bff/src/chain/solana/split/reference-store.ts',
      'bff/src/chain/solana/split/verify-submission.ts',
      'bff/src/chain/solana/split/solana-pay.ts',
    ],
    tests: [
      'bff/src/chain/solana/split/solana-payment.test.ts',
      'bff/src/chain/solana/split/split-watcher.test.ts',
      'bff/src/chain/solana/split/two-payments.test.ts',
      'bff/src/chain/solana/split/plain-transfer.test.ts',
      'bff/src/chain/solana/watch/solana-high-value.test.ts',
    ],
  },
  'solana-relay': {
    files: [
      'bff/src/chain/solana/relay/check-transaction.ts',
      'bff/src/chain/solana/relay/solana-authorizer.ts',
      'bff/src/chain/solana/relay/sponsored-transaction.ts',
    ],
    tests: [
      'bff/src/chain/solana/relay/check-transaction.test.ts',
      'bff/src/chain/solana/relay/solana-authorizer.test.ts',
    ],
  },
  'solana-watch': {
    files: [
      'bff/src/chain/solana/watch/deposit-watcher.ts',
      'bff/src/chain/solana/watch/account-watch-list.ts',
      'bff/src/chain/solana/watch/end-final-windows.ts',
      'bff/src/chain/solana/watch/read-account.ts',
      'bff/src/chain/solana/watch/token-account-store.ts',
      'bff/src/chain/solana/watch/unexplained-balances.ts',
    ],
    tests: [
      'bff/src/chain/solana/watch/read-account.test.ts',
      'bff/src/chain/solana/watch/deposit-watcher.test.ts',
      'bff/src/chain/solana/watch/account-watch-list.test.ts',
      'bff/src/chain/solana/watch/account-faults.test.ts',
      'bff/src/chain/solana/watch/solana-high-value.test.ts',
    ],
  },
  'solana-late': {
    files: ['bff/src/chain/solana/watch/late-account-scanner.ts'],
    tests: ['bff/src/chain/solana/watch/late-account-scanner.test.ts'],
  },
  'solana-movements': {
    files: ['bff/src/chain/solana/movements/solana-movements.ts'],
    tests: ['bff/src/chain/solana/movements/solana-movements.test.ts'],
  },
}
