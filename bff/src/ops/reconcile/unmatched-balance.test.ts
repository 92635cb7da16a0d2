import { newPayment } from '@stablecoin-checkout/rig/new-payment'
import { expect, test } from 'vitest'
import type { Movement } from '../../chain/movements.ts'
import { judgeUnmatched } from './judge-unmatched.ts'

const token = `0x${'77'.repeat(20)}`
const txId = `0x${'7'.repeat(64)}`
const came: Movement = { kind: 'in', token, txId, logIndex: 0, block: 15, timeMs: 15_000, amount: 9n }

/** Nine units arrived that the service has not read yet, and the address holds this balance. */
const differences = (amount: bigint) =>
  judgeUnmatched(
    { payment: newPayment(), transfers: [], payouts: [], queued: [], readTo: undefined },
    { movements: [came], balances: [{ token, amount }], blocks: undefined },
    {
      ...{ network: 'devnet', at: { number: 100, timeMs: 100_000 }, unmatchedApplied: 14, later: new Set() },
      isSameAddress: (one, other) => one === other,
    },
  ).differences.map(({ code, message }) => [code, message])

test.each([8n, 10n])(
  'movements of an unmatched token must equal the balance, neither less nor more: %s of 9',
  (amount) => {
    expect(differences(9n)).toEqual([])
    expect(differences(amount)).toEqual([
      ['balance_differs', `the movements of ${token} add up to 9; the address holds ${amount}`],
    ])
  },
)
