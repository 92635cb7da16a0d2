// When the relay is asked about a bridge, and what its last answer still decides.

/** @type {import('./faults.mjs').Fault[]} */
export const slowBridges = [
  {
    name: 'Bridges that are due longest are not polled first',
    file: 'bff/src/checkout/cross-chain/bridge-poll-store.ts',
    from: 'order by due_at_ms, payment_id limit',
    to: 'order by due_at_ms desc, payment_id limit',
    test: 'bff/src/checkout/cross-chain/bridge-progress.test.ts',
    fails: 'is polled first of the bridge that is due longest',
  },
  {
    name: 'A relay that is down takes back what it said after the window',
    file: 'bff/src/checkout/cross-chain/bridge-poll-store.ts',
    from: '= 1 then 1 else is_answered end',
    to: '= 1 then 1 else 0 end',
    test: 'bff/src/checkout/cross-chain/slow-bridge.test.ts',
    fails: 'expires by what the relay said after the window',
  },
  {
    name: 'Failures of a bridge are not counted',
    file: 'bff/src/checkout/cross-chain/bridge-progress.ts',
    from: 'const failures = poll.failures + 1',
    to: 'const failures = 1',
    test: 'bff/src/checkout/cross-chain/bridge-progress.test.ts',
    fails: 'is asked for ever less often',
  },
  {
    name: 'A bridge that the relay no longer knows is waiting',
    file: 'bff/src/checkout/cross-chain/bridge-progress.ts',
    from: "{ ...known, statusText: 'not known to the relay' }",
    to: "{ ...known, status: 'waiting', statusText: 'not known to the relay' }",
    test: 'bff/src/checkout/cross-chain/bridge-progress.test.ts',
    fails: 'stays what it was while the relay no longer knows the order',
  },
  {
    name: 'A bridge that failed is polled as if its money were on its way',
    file: 'bff/src/checkout/cross-chain/poll-interval.ts',
    from: "status === 'waiting' || status === 'failure'",
    to: "status === 'waiting'",
    test: 'bff/src/checkout/cross-chain/bridge-progress.test.ts',
    fails: 'of a bridge that is failure',
  },
  {
    name: 'A bridge is not polled at the end of the late window',
    file: 'bff/src/checkout/cross-chain/poll-interval.ts',
    from: 'nowMs > expiresAtMs + lateWindowMs',
    to: 'nowMs >= expiresAtMs + lateWindowMs',
    test: 'bff/src/checkout/cross-chain/bridge-progress.test.ts',
    fails: 'of a bridge that is pending, at',
  },
  {
    name: 'The pause after failures of a bridge has no end',
    file: 'bff/src/checkout/cross-chain/poll-interval.ts',
    from: 'Math.min(pollMs * 2 ** Math.min(failures, 12), faultPauseMaxMs)',
    to: 'pollMs * 2 ** Math.min(failures, 12)',
    test: 'bff/src/checkout/cross-chain/bridge-progress.test.ts',
    fails: 'doubles with each failure, up to ten minutes',
  },
  {
    name: 'Each payment of a transaction is said to be paid by its first wallet',
    file: 'bff/src/checkout/read/payment-reader.ts',
    from: 'transfers.find(({ paymentId }) => paymentId === id)?.payer',
    to: 'transfers[0]?.payer',
    test: 'bff/src/checkout/read/payment-reader.test.ts',
    fails: 'by the wallet that paid it',
  },
]
