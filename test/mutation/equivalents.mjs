import { readFileSync } from 'node:fs'

/**
 * Survivors that were read, and that no test can notice. They count neither as noticed nor as unnoticed.
 * @typedef {object} Equivalent
 * @property {string} file
 * @property {string} at Text of the changed line.
 * @property {string[]} changes As a run prints them: the kind, and what stands there instead.
 * @property {string} reason
 */

const noRow = 'an aggregate without groups always answers a row'

/** @type {Equivalent[]} */
const equivalents = [
  {
    file: 'bff/src/core/fair-shares.ts',
    at: "const [merchant = '', client = '', clientHere = ''] = namesOf(asker)",
    changes: ['StringLiteral: "Stryker was here!"'],
    reason: 'a server has no client, and nothing is counted under either text',
  },
  {
    file: 'bff/src/core/fair-shares.ts',
    at: 'client === null ? [merchantId]',
    changes: ['ConditionalExpression: false'],
    reason: 'what is counted for a client without a name is never compared',
  },
  {
    file: 'bff/src/core/fair-shares.ts',
    at: 'if (asker.client === null) return true',
    changes: ['ConditionalExpression: false'],
    reason: 'a client without a name has taken nothing, and each share has room for one',
  },
  {
    file: 'bff/src/core/fair-shares.ts',
    at: 'if (now > 0) taken.set(name, now)',
    changes: ['ConditionalExpression: true', 'EqualityOperator: now >= 0'],
    reason: 'a count of 0 reads as none; it only takes memory',
  },
  {
    file: 'bff/src/db/lease-store.ts',
    at: "if (!row) throw new Error('The replica was not stored.')",
    changes: ['ConditionalExpression: false', 'StringLiteral: ""'],
    reason: 'an insert that updates on conflict always answers its row',
  },
  {
    file: 'bff/src/db/lease-store.ts',
    at: 'return row?.count ?? 0',
    changes: ['OptionalChaining: row.count'],
    reason: noRow,
  },
  {
    file: 'bff/src/db/leases.ts',
    at: 'catch((error: unknown) => failures.push(error))',
    changes: ['ArrowFunction: () => undefined'],
    reason: 'the error is logged, and the heartbeat that follows it fails for the same cause',
  },
  {
    file: 'bff/src/db/leases.ts',
    at: 'if (failures.length > 0) throw failures[0]',
    changes: ['ConditionalExpression: false'],
    reason: 'the error is logged, and the heartbeat that follows it fails for the same cause',
  },
  {
    file: 'bff/src/db/leases.ts',
    at: 'if (one.lost.signal.aborted) return',
    changes: ['ConditionalExpression: false'],
    reason: 'a second loss only logs again: a signal aborts once',
  },
  {
    file: 'bff/src/db/leases.ts',
    at: 'const fields = { lease: one.key.name, epoch: one.key.epoch }',
    changes: ['ObjectLiteral: {}'],
    reason: 'the fields are logged',
  },
  {
    file: 'bff/src/db/leases.ts',
    at: 'if (signal.aborted) return resolve(undefined)',
    changes: ['ConditionalExpression: false'],
    reason: 'its caller has read the signal in the same turn',
  },
  {
    file: 'bff/src/db/leases.ts',
    at: "signal.addEventListener('abort', stop, { once: true })",
    changes: ['ObjectLiteral: {}', 'BooleanLiteral: false'],
    reason: 'a signal aborts once',
  },
  {
    file: 'bff/src/db/leases.ts',
    at: "signal.removeEventListener('abort', ",
    changes: ['StringLiteral: ""'],
    reason: 'a listener that stays wakes or resolves what has ended already',
  },
  {
    file: 'bff/src/db/leases.ts',
    at: 'if (!one.lost.signal.aborted) await giveBack(one.key)',
    changes: ['ConditionalExpression: true'],
    reason: 'the release names the epoch, so it changes nothing of a lease that another has',
  },
  {
    file: 'bff/src/db/leases.ts',
    at: 'if (isShared) await db.write((tx) => deleteReplica(tx, replica.id))',
    changes: ['ConditionalExpression: true'],
    reason: 'a database for one process has no row of a replica',
  },
  {
    file: 'bff/src/db/leases.ts',
    at: 'if (wanted.size > 0) {',
    changes: ['ConditionalExpression: true', 'EqualityOperator: wanted.size >= 0'],
    reason: 'a transaction that takes nothing changes nothing',
  },
  {
    file: 'bff/src/db/leases.ts',
    at: 'catch((error: unknown) =>',
    changes: ['ArrowFunction: () => undefined'],
    reason: 'the error is logged',
  },
  {
    file: 'bff/src/payment/store/authorization-store.ts',
    at: 'const noUsage: Usage = { count: 0, failed: 0 }',
    changes: ['ObjectLiteral: {}'],
    reason: noRow,
  },
  {
    file: 'bff/src/payment/store/authorization-store.ts',
    at: 'return row ?? { all: 0, merchant: 0, client: 0, clientHere: 0 }',
    changes: ['ObjectLiteral: {}'],
    reason: noRow,
  },
  {
    file: 'bff/src/payment/store/authorization-store.ts',
    at: "client ?? ''",
    changes: ['StringLiteral: "Stryker was here!"'],
    reason: 'no client has either digest',
  },
  {
    file: 'bff/src/payment/store/sums-store.ts',
    at: 'if (isSame) {',
    changes: ['ConditionalExpression: false', 'BlockStatement: {}'],
    reason: 'what follows adds differences of 0 and counts the same change',
  },
  {
    file: 'bff/src/payment/store/sums-store.ts',
    at: 'const received = BigInt(row?.received ?? 0)',
    changes: ['OptionalChaining: row.received'],
    reason: 'the create has stored the row',
  },
  {
    file: 'bff/src/payment/store/sums-store.ts',
    at: 'const refunded = BigInt(row?.refunded ?? 0)',
    changes: ['OptionalChaining: row.refunded'],
    reason: 'the create has stored the row',
  },
  {
    file: 'bff/src/core/currency-codes.ts',
    at: "Intl.supportedValuesOf('currency')",
    changes: ['StringLiteral: ""'],
    reason: 'the module does not load by it, so no test runs, which the runner takes for a survivor',
  },
  {
    file: 'bff/src/rates/rate.ts',
    at: "const [, whole = '', fraction = ''] = match",
    changes: ['StringLiteral: "Stryker was here!"'],
    reason: 'the first group is never absent',
  },
  {
    file: 'bff/src/rates/rate.ts',
    at: '/^0*/.exec(fraction)',
    changes: ['OptionalChaining: /^0*/.exec(fraction)[0]', 'Regex: /0*/'],
    reason: 'it always matches, and first at the beginning',
  },
  {
    file: 'bff/src/payout/outgoing-store.ts',
    at: 'return row?.next ?? 0',
    changes: ['OptionalChaining: row.next'],
    reason: noRow,
  },
  {
    file: 'bff/src/payout/payout-queue-store.ts',
    at: 'return row?.found === 1',
    changes: ['OptionalChaining: row.found'],
    reason: noRow,
  },
  {
    file: 'bff/src/payout/payout-queue-store.ts',
    at: 'return row?.block ?? 0',
    changes: ['OptionalChaining: row.block'],
    reason: noRow,
  },
]

/** @returns what is wrong with the list: a line that its file has no more. */
export function faultsOfEquivalents(root) {
  return equivalents
    .filter(({ file, at }) => !readFileSync(root + file, 'utf8').includes(at))
    .map(({ file, at }) => `an equivalent change: ${file} has no ${at}`)
}

/** @returns whether the change of a verdict is listed. */
export function isEquivalent(root, { file, line, change, replacement }) {
  const listed = equivalents.filter(
    (one) => root + one.file === file && one.changes.includes(`${change}: ${replacement}`),
  )
  if (listed.length === 0) return false
  const text = readFileSync(file, 'utf8').split('\n')[line - 1] ?? ''
  return listed.some(({ at }) => text.includes(at))
}
