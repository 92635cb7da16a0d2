const file = 'bff/src/webhook/outbox/dispatcher.ts'
const test = 'bff/src/webhook/outbox/dispatcher.ends.test.ts'

/** What one attempt of a delivery leaves, and what a stop leaves of it. */
export const attempts = [
  {
    name: 'The next attempt is due counted from the start of the last one',
    file,
    from: 'const atMs = runtime.nowMs()\n    const plan',
    to: 'const atMs = startedAtMs\n    const plan',
    test,
    fails: 'an attempt is recorded with its start, and the next one is due counted from its end',
  },
  {
    name: 'Whoever lost the lease of the webhooks goes on storing results',
    file,
    from: 'if (error instanceof LeaseLostError) return false',
    to: '',
    test,
    fails: 'whoever lost the lease does not try again to store what its attempt gave',
  },
  {
    name: 'A stop waits for ever for a webhook result that cannot be stored',
    file,
    from: 'if (drop.aborted) return false\n',
    to: '',
    test,
    fails: 'a stop ends what cannot be stored',
  },
  {
    name: 'A lost lease leaves webhook attempts the time of a stop',
    file,
    from: 'signal.reason instanceof LeaseLostError ? 0 : limits.finishMs',
    to: 'limits.finishMs',
    test,
    fails: 'a lost lease drops the attempts at once',
  },
  {
    name: 'A stop drops webhook attempts that are about to be answered',
    file,
    from: 'signal.reason instanceof LeaseLostError ? 0 : limits.finishMs',
    to: '0',
    test,
    fails: 'a stop leaves a receiver time to answer',
  },
]
