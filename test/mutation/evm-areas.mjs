// Areas that read EVM chains and send transactions there, and what both families share. Some tests start a chain of their own.

/** @type {Record<string, { files: string[], tests: string[] }>} */
export const evmAreas = {
  'evm-payout': {
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
  'evm-sender': {
    files: [
      'bff/src/chain/evm/send/evm-sender.ts',
      'bff/src/chain/evm/send/evm-transaction.ts',
      'bff/src/chain/evm/payout/external-refund.ts',
      'bff/src/chain/evm/payout/failed-deposits.ts',
      'bff/src/chain/evm/payout/parked-shares.ts',
      'bff/src/chain/evm/payout/recheck.ts',
      'bff/src/chain/evm/payout/recheck-settlements.ts',
      'bff/src/chain/evm/payout/splitter-places.ts',
      'bff/src/chain/evm/payout/send-authorizations.ts',
      'bff/src/chain/evm/payout/sweeper.ts',
      'bff/src/chain/evm/payout/payout-context.ts',
      'bff/src/chain/evm/payout/gas-balance.ts',
    ],
    tests: [
      'bff/src/chain/evm/send/evm-sender.test.ts',
      'bff/src/chain/evm/send/evm-transaction.test.ts',
      'bff/src/chain/evm/payout/failed-deposits.test.ts',
      'bff/src/chain/evm/payout/replaced-refund.test.ts',
      'bff/src/chain/evm/payout/former-operator.test.ts',
      'bff/src/chain/evm/payout/missing-receipt.test.ts',
      'bff/src/chain/evm/payout/recheck.test.ts',
      'bff/src/chain/evm/payout/rest-after-sweep.test.ts',
      'bff/src/chain/evm/payout/payout-send.test.ts',
      'bff/src/checkout/authorization/authorize.test.ts',
    ],
  },
  'evm-deposit': {
    files: [
      'bff/src/chain/evm/deposit/deposit-terms.ts',
      'bff/src/chain/evm/deposit/forwarder-address.ts',
      'bff/src/chain/evm/deposit/parked-call.ts',
      'bff/src/chain/evm/deposit/refund-call.ts',
      'bff/src/chain/evm/deposit/settle-call.ts',
    ],
    tests: [
      'bff/src/chain/evm/deposit/deposit-terms.test.ts',
      'bff/src/chain/evm/payout/payout-send.test.ts',
      'bff/src/chain/evm/payout/payout-refund.test.ts',
      'bff/src/payment/swept-amount.test.ts',
      'bff/src/ops/reconcile/judge-payment.test.ts',
    ],
  },
  'deposit-kinds': {
    files: [
      'bff/src/chain/xpub-account.ts',
      'bff/src/chain/evm/deposit/xpub-addresses.ts',
      'bff/src/merchant/address-source-store.ts',
      'bff/src/merchant/given-address-store.ts',
      'bff/src/checkout/deposit/deposit-draft.ts',
    ],
    tests: [
      'bff/src/chain/xpub-account.test.ts',
      'bff/src/merchant/given-addresses.test.ts',
      'bff/src/checkout/deposit/xpub-deposits.test.ts',
      'bff/src/payment/direct.test.ts',
    ],
  },
  'evm-split': {
    files: [
      'bff/src/chain/evm/submit/verify-payment.ts',
      'bff/src/chain/evm/split/split-call.ts',
      'bff/src/chain/evm/split/split-log.ts',
      'bff/src/chain/evm/split/split-terms.ts',
    ],
    tests: [
      'bff/src/chain/evm/submit/refusals.test.ts',
      'bff/src/chain/evm/split/split-call.test.ts',
      'bff/src/chain/evm/split/split-log.test.ts',
    ],
  },
  'evm-submission': {
    files: [
      'bff/src/chain/evm/split/contract-call.ts',
      'bff/src/chain/evm/submit/evm-submission.ts',
      'bff/src/chain/evm/setup/verify-splitter.ts',
    ],
    tests: [
      'bff/src/chain/evm/submit/verify-payment.test.ts',
      'bff/src/chain/evm/setup/verify-splitter.test.ts',
      'bff/src/checkout/contract/process-payment.test.ts',
    ],
  },
  'evm-authorization': {
    files: [
      'bff/src/chain/evm/authorization/check-authorization.ts',
      'bff/src/chain/evm/authorization/permit2.ts',
      'bff/src/chain/evm/authorization/typed-data.ts',
      'bff/src/chain/evm/authorization/evm-authorizer.ts',
      'bff/src/chain/evm/authorization/external-settlement.ts',
      'bff/src/chain/evm/send/l1-fee.ts',
    ],
    tests: [
      'bff/src/chain/evm/authorization/check-authorization.test.ts',
      'bff/src/chain/evm/authorization/external-settlement.test.ts',
      'bff/src/checkout/authorization/authorize.test.ts',
      'bff/src/checkout/authorization/permit2.test.ts',
    ],
  },
  'evm-watch': {
    files: [
      'bff/src/chain/evm/watch/watcher.ts',
      'bff/src/chain/evm/watch/find-transfers.ts',
      'bff/src/chain/evm/watch/end-windows.ts',
      'bff/src/chain/evm/watch/held-windows.ts',
      'bff/src/chain/evm/watch/held-windows-store.ts',
      'bff/src/chain/evm/watch/reconcile.ts',
      'bff/src/chain/evm/watch/retry-transfers.ts',
      'bff/src/chain/evm/watch/second-reader.ts',
      'bff/src/chain/evm/watch/second-read-store.ts',
      'bff/src/chain/evm/watch/watch-list.ts',
      'bff/src/chain/evm/watch/few-topics.ts',
    ],
    tests: [
      'bff/src/chain/evm/watch/watcher.test.ts',
      'bff/src/chain/evm/watch/held-windows.test.ts',
      'bff/src/chain/evm/watch/high-value.test.ts',
      'bff/src/chain/evm/watch/reconcile.test.ts',
      'bff/src/chain/evm/watch/stalled-watcher.test.ts',
      'bff/src/chain/evm/watch/watch-list.test.ts',
      'bff/src/chain/evm/watch/payment-faults.test.ts',
    ],
  },
  'evm-unmatched': {
    files: [
      'bff/src/chain/evm/watch/unmatched-watcher.ts',
      'bff/src/chain/evm/watch/unmatched-addresses.ts',
      'bff/src/chain/evm/watch/retry-unmatched.ts',
      'bff/src/chain/evm/watch/known-tokens.ts',
      'bff/src/payment/store/unmatched-store.ts',
    ],
    tests: ['bff/src/chain/evm/watch/unmatched-watcher.test.ts'],
  },
  'evm-late': {
    files: [
      'bff/src/chain/evm/watch/late-scanner.ts',
      'bff/src/chain/evm/watch/late-search.ts',
      'bff/src/chain/evm/watch/late-search-store.ts',
    ],
    tests: ['bff/src/chain/evm/watch/late-scanner.test.ts', 'bff/src/chain/evm/watch/held-windows.test.ts'],
  },
  'late-scan': {
    files: ['bff/src/chain/late-scan.ts', 'bff/src/chain/late-scan-store.ts', 'bff/src/chain/watch-window.ts'],
    tests: ['bff/src/chain/late-scan.test.ts'],
  },
  tron: {
    files: [
      'bff/src/chain/event-topic.ts',
      'bff/src/chain/tron/facts/tron-addresses.ts',
      'bff/src/chain/tron/rpc/tron-adapter.ts',
    ],
    tests: ['bff/src/chain/event-topic.test.ts', 'bff/src/chain/tron/tron-deposits.test.ts'],
  },
  watch: {
    files: [
      'bff/src/chain/watch-loop.ts',
      'bff/src/chain/apply-isolated.ts',
      'bff/src/chain/confirmed-transfers.ts',
      'bff/src/chain/cursor-store.ts',
      'bff/src/chain/minute-bound.ts',
      'bff/src/chain/network-fault.ts',
      'bff/src/chain/watch-fault-store.ts',
      'bff/src/payment/store/watched-payments-store.ts',
    ],
    tests: [
      'bff/src/chain/watch-loop.test.ts',
      'bff/src/chain/minute-bound.test.ts',
      'bff/src/chain/evm/watch/watch-list.test.ts',
      'bff/src/chain/evm/watch/stalled-watcher.test.ts',
      'bff/src/chain/evm/watch/payment-faults.test.ts',
      'bff/src/chain/solana/watch/deposit-watcher.test.ts',
      'bff/src/chain/solana/watch/account-faults.test.ts',
    ],
  },
}
