// Rows that cannot be read, or always fail, must not hold up those behind or beside them.

const evm = 'bff/src/chain/evm/payout'

/** @type {import('./faults.mjs').Fault[]} */
export const rowsInFront = [
  {
    name: 'Authorizations that always fail are attempted before all others',
    file: 'bff/src/chain/queued-authorizations.ts',
    from: 'if (!isOfNodes(error)) faulty.add(id)',
    to: '',
    test: `${evm}/send-authorizations.test.ts`,
    fails: 'behind more than a pass attempts that cannot be read',
  },
  {
    name: 'Parked shares that cannot be read keep back those behind them',
    file: `${evm}/parked-shares.ts`,
    from: '      await db.write((tx) => postponeShare(tx, key, { dueAtMs, reason: null }))\n      fault ??= error',
    to: '      fault ??= error',
    test: `${evm}/parked-shares.test.ts`,
    fails: 'behind more than a pass attempts that cannot be read',
  },
]
