// What shares one commit, and how one of it fails alone.

const applier = 'bff/src/chain/apply-isolated.ts'
const commits = 'bff/src/db/group-commit.ts'

/** @type {import('./faults.mjs').Fault[]} */
export const groups = [
  {
    name: 'After a failure new transfers come before what a reorg took',
    file: applier,
    from: '[steps.filter(isReverted), steps.filter((step) => !isReverted(step))]',
    to: '[steps.filter((step) => !isReverted(step)), steps.filter(isReverted)]',
    test: 'bff/src/chain/apply-isolated.test.ts',
    fails: 'after a failure, what a reorg took is taken back from every payment before any takes something new',
  },
  {
    name: 'A payment that keeps a replaced transfer takes the new one too',
    file: applier,
    from: 'if (failed.has(id)) continue',
    to: '',
    test: 'bff/src/chain/apply-isolated.test.ts',
    fails: 'a payment that keeps a replaced transfer takes no new one, and both are tried again',
  },
  {
    name: 'The cursor moves in a commit of its own after a failure',
    file: applier,
    from: 'await storeFaults(deps, faults, (tx) => also(tx, failed))',
    to: 'await storeFaults(deps, faults)\n    await db.write((tx) => also(tx, failed))',
    test: 'bff/src/chain/apply-isolated.test.ts',
    fails: 'a failure is stored in the commit that moves the cursor, or neither is',
  },
  {
    name: 'A database that is down is the fault of a payment',
    file: applier,
    from: 'if (isDatabaseFault(error)) throw error\n      return error',
    to: 'return error',
    test: 'bff/src/chain/apply-isolated.test.ts',
    fails: 'a failure of the database is recorded for no payment',
  },
  {
    name: 'A commit tells again of what all earlier ones told of',
    file: commits,
    from: '    const settled: (() => void)[] = []\n    notified = new Set()\n',
    to: '    const settled: (() => void)[] = []\n',
    test: 'bff/src/db/group-commit.test.ts',
    fails: 'a commit notifies of what its own units name, not of earlier ones',
  },
  {
    name: 'A unit that hides the failure of its statement fails its group',
    file: commits,
    from: '          if (writer.failure() !== undefined) throw writer.failure()\n',
    to: '',
    test: 'bff/src/db/group-commit.test.ts',
    fails: 'a unit that hides a failed statement is undone alone, and rejects with its error',
  },
  {
    name: 'A group that the database keeps interrupting runs for ever',
    file: commits,
    from: 'runGroup(group, isGuarded, runs === runsMax)',
    to: 'runGroup(group, isGuarded, runs > 1_000)',
    test: 'bff/src/db/group-commit.test.ts',
    fails: 'a group that the database keeps interrupting is given up after five runs',
  },
]
