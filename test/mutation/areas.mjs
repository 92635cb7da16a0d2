// The core: what decides about money, and what keeps others from deciding about it. Of each area the files that are
// mutated, and the tests that must notice it: without a chain and a browser, each test within a second or two.

const at = (folder, ...files) => files.map((file) => `bff/src/${folder}${file}.ts`)

/** @type {Record<string, { files: string[], tests: string[] }>} */
export const areas = {
  money: {
    files: at('', 'money'),
    tests: at('', 'money.test'),
  },
  payment: {
    files: at('payment/', 'transition', 'payment', 'refund', 'stray', 'bridge', 'dust', 'take-late'),
    tests: at(
      'payment/',
      'transition.test',
      'late.test',
      'refund.test',
      'refund-state.test',
      'stray.test',
      'bridge.test',
      'take-late.test',
      'worth-telling.test',
    ),
  },
  ledger: {
    files: at('payment/', 'apply', 'accept-late', 'as-created'),
    tests: at('payment/', 'ledger.test', 'accept-late.test'),
  },
  idempotency: {
    files: at('http/', 'idempotency'),
    tests: at('http/', 'idempotency-rules.test'),
  },
  chain: {
    files: at('chain/', 'reconcile'),
    tests: at('chain/', 'reconcile.test'),
  },
  wallet: {
    files: at('contract-payment/', 'verify', 'solana-verify'),
    tests: at('contract-payment/', 'refusals.test', 'solana-refusals.test'),
  },
  retry: {
    files: [...at('settlement/', 'retry', 'worth'), ...at('webhook/', 'retry')],
    tests: [...at('settlement/', 'retry.test', 'worth.test'), ...at('webhook/', 'retry.test')],
  },
  payout: {
    files: at(
      'settlement/',
      'advance',
      'broadcast',
      'nonce',
      'claim',
      'foreign',
      'hold',
      'end',
      'refund-end',
      'stray-end',
    ),
    tests: at('settlement/', 'payout-monitor.test', 'payout-nonce.test', 'payout-plan.test', 'payout-end.test'),
  },
  target: {
    files: at('webhook/', 'target', 'address'),
    tests: at('webhook/', 'target.test'),
  },
  agent: {
    files: at('agent/', 'check', 'policy', 'policy-store'),
    tests: at('agent/', 'policy.test', 'spending.test'),
  },
}
