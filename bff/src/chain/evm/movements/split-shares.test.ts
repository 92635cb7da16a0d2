import { expect, test } from 'vitest'
import type { Account, Movement } from '../../movements.ts'
import { formatSplitTerms } from '../split/split-terms.ts'
import type { ParkedShare } from './contract-logs.ts'
import { withShares } from './split-shares.ts'

const [token, merchant, platform, splitter, other] = ['0a', '0b', '0c', '0d', '0e'].map(
  (byte) => `0x${byte.repeat(20)}` as const,
) as [`0x${string}`, `0x${string}`, `0x${string}`, `0x${string}`, `0x${string}`]

const terms = formatSplitTerms({
  ...{ chainId: 1, splitter, token, merchant, platform, amount: 10_000n, feeBps: 100, deadlineSeconds: 0 },
  paymentId: 'p',
})
const account: Account = {
  ...{ number: 1, id: 'p' as Account['id'], mode: 'contract', network: 'devnet', place: '0x7e', createdAtMs: 0 },
  ...{ token, splitter, terms },
}
const split: Movement = { kind: 'in', txId: '0x1', logIndex: 3, block: 10, timeMs: 0, token, amount: 10_000n }
const never = new AbortController().signal
const adapter = { network: 'devnet', receipt: async () => undefined }

const share = (change: Partial<ParkedShare>): ParkedShare => ({
  ...{ isPaid: false, txId: '0x1', logIndex: 1, block: 10, timeMs: 0, splitter, token, recipient: platform },
  ...change,
})

/** The movements of the payment, with these events of splitters. */
async function movementsWith(...parked: ParkedShare[]) {
  const movements = await withShares(adapter, account, [split], parked, never)
  return movements.map(({ kind, block, ...rest }) => ('isFeeParked' in rest ? [kind, rest.isFeeParked] : [kind, block]))
}

test('a parked share counts as paid when its own splitter pays it, not when another one pays the same recipient', async () => {
  const paid = { isPaid: true, txId: '0x2', logIndex: 0 }
  const parked = [
    ['in', 10],
    ['settled', true],
  ]
  expect(await movementsWith(share({}), share({ ...paid, block: 11, splitter: other }))).toEqual(parked)
  expect(
    await movementsWith(
      share({}),
      share({ ...paid, block: 11, splitter: other }),
      share({ ...paid, block: 12, splitter }),
    ),
  ).toEqual([...parked, ['feePaid', 12]])
})

test('a share parked by another splitter in the same transaction is not the payment’s', async () => {
  expect(await movementsWith(share({ splitter: other }))).toEqual([
    ['in', 10],
    ['settled', false],
  ])
})
