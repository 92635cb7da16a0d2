// Where the accounts that receive Solana's wallet payments are watched and kept.

const folder = 'bff/src/chain/solana/split'
const watcher = { file: `${folder}/split-watcher.ts`, test: `${folder}/split-watcher.test.ts` }
const accounts = { file: `${folder}/split-accounts.ts`, test: `${folder}/split-accounts.test.ts` }
const restarted = { fails: 'after a restart, accounts on which nothing was paid yet are watched' }
const extended = { fails: 'an account is watched until the window of its newest payment has long ended' }

/** @type {import('./faults.mjs').Fault[]} */
export const splitAccounts = [
  {
    ...watcher,
    name: 'Each account is taken for changed when the first one is',
    from: 'states[index]?.amount ?? null',
    to: 'states[0]?.amount ?? null',
    fails: 'a change of any account is noticed at the next pass, not only of the first',
  },
  {
    ...watcher,
    name: 'What is left of a flooded account waits where the last account has no more',
    from: 'hasMore ||= progress.hasMore',
    to: 'hasMore = progress.hasMore',
    fails: 'an account that a stranger floods with transactions delays no other',
  },
  {
    ...watcher,
    name: 'An account that was once read late is given up at its next lag, and its windows end',
    from: 'else Object.assign(account, { behindSinceMs: null, isGivenUp: false })',
    to: '',
    test: `${folder}/lagging-list.test.ts`,
    fails: 'a lag that was caught up does not shorten the next one',
  },
  {
    ...watcher,
    name: 'Windows of an account end by the newest transaction listed, although earlier ones are not read',
    from: 'listed.slice(0, end + 1).findLast',
    to: 'listed.findLast',
    fails: 'a payment in time is not expired, however long the transactions before it are read',
  },
  {
    ...watcher,
    name: 'Failed transactions count as reads, so that a flood of them delays payments',
    from: '!one.isFailed && !isRead(one)',
    to: '!isRead(one)',
    fails: 'a flood of failed transactions costs no read',
  },
  {
    ...watcher,
    name: 'Two hundred unreadable transactions keep those behind them from being read',
    from: ' && !unreadable.has(one.signature)',
    to: '',
    fails: 'a flood of transactions that nodes do not return in a readable form is passed by',
  },
  {
    ...watcher,
    name: 'Wallet payments are read from nodes of another chain',
    from: 'isPayable() && (await pass(signal))',
    to: 'await pass(signal)',
    fails: 'nothing is read while the network’s nodes do not match the configuration',
  },
  {
    ...accounts,
    ...restarted,
    name: 'A new account is not stored, and not watched after a restart',
    from: 'readTo: null }), isChanged: true })',
    to: 'readTo: null }) })',
  },
  {
    ...accounts,
    ...restarted,
    name: 'The payment behind the newest known one is passed by at a restart',
    from: 'await saveSplitCursor(tx, network, number)',
    to: 'await saveSplitCursor(tx, network, number + 1)',
  },
  {
    ...accounts,
    ...extended,
    name: 'An account is watched until the window of its first payment has ended',
    from: 'known.windowEndsAtMs < windowEndsAtMs',
    to: 'known.windowEndsAtMs > windowEndsAtMs',
  },
  {
    ...accounts,
    ...extended,
    name: 'How long an account is watched is not stored where it grows',
    from: '      known.windowEndsAtMs = windowEndsAtMs\n      known.isChanged = true\n',
    to: '      known.windowEndsAtMs = windowEndsAtMs\n',
  },
  {
    ...accounts,
    ...extended,
    file: `${folder}/split-account-store.ts`,
    name: 'How long an account is watched is stored once',
    from: 'set since_ms = excluded.since_ms, window_ends_at_ms = excluded.window_ends_at_ms,',
    to: 'set since_ms = excluded.since_ms,',
  },
  {
    ...accounts,
    name: 'Accounts are watched for ever',
    from: 'if (windowEndsAtMs <= endedAfterMs) accounts',
    to: 'if (windowEndsAtMs <= 0) accounts',
    fails: 'an account whose payments have long ended costs no further calls',
  },
]
