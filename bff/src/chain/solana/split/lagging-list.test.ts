import { type LyingNode, openLyingNode } from '@stablecoin-checkout/rig/lying-node'
import { openSolanaStage, type SolanaStage } from '@stablecoin-checkout/rig/solana-stage'
import { afterEach, beforeEach, expect, test } from 'vitest'

let stage: SolanaStage
let node: LyingNode

beforeEach(async () => {
  stage = await openSolanaStage({
    nodes: async (truth) => {
      node = await openLyingNode(truth)
      return [node.url]
    },
  })
})

afterEach(async () => {
  await stage.close()
  await node.close()
})

/** The node has the balances after the transaction, but does not list it. */
function leaveOut(txId: string): void {
  node.lie('getSignaturesForAddress', (truth) =>
    (truth as { signature: string }[]).filter(({ signature }) => signature !== txId),
  )
}

/** A payment made in time, whose transaction is final but not listed when its window ends. */
async function payUnlisted() {
  const [before, paid, unpaid] = [await stage.create(), await stage.create(), await stage.create()]
  await stage.pay(before.id)
  await stage.solana.advance(5)
  await stage.find()
  expect(await stage.stored(before.id)).toMatchObject({ status: 'completed' })
  leaveOut(await stage.pay(paid.id))
  await stage.solana.control('travel', 1_801)
  await stage.solana.advance(5)
  await stage.find()
  return { paid, unpaid }
}

test('no window of wallet payments ends while a balance has changed and no new transaction is listed', async () => {
  const { paid, unpaid } = await payUnlisted()
  expect(await stage.stored(paid.id)).toMatchObject({ windowEnded: false, status: 'pending' })
  node.mend()
  await stage.find()
  expect(await stage.events(paid.id)).toEqual(['payment.created', 'payment.detected', 'payment.completed'])
  expect(await stage.events(unpaid.id)).toEqual(['payment.created', 'payment.expired'])
})

test('a node that never lists it keeps no window open for more than ten minutes', async () => {
  const { unpaid } = await payUnlisted()
  stage.later(9 * 60_000)
  await stage.find()
  expect(await stage.stored(unpaid.id)).toMatchObject({ status: 'pending' })
  stage.later(2 * 60_000)
  await stage.find()
  expect(await stage.stored(unpaid.id)).toMatchObject({ status: 'expired' })
})

test('a transaction that is listed but not returned yet is not skipped', async () => {
  const [missing, other] = [await stage.create(), await stage.create()]
  await stage.find()
  const txId = await stage.pay(missing.id)
  await stage.pay(other.id)
  node.lie('getTransaction', (truth) =>
    (truth as { transaction: { signatures: string[] } } | null)?.transaction.signatures[0] === txId ? null : truth,
  )
  await stage.solana.advance(5)
  for (let passes = 0; passes < 3; passes++) await stage.find()
  expect(await stage.stored(missing.id)).toMatchObject({ status: 'pending', seen: 0n })
  node.mend()
  await stage.find()
  expect(await stage.stored(missing.id)).toMatchObject({ status: 'completed' })
  expect(await stage.stored(other.id)).toMatchObject({ status: 'completed' })
})

test('a payment in a block whose time is not known yet keeps its own window open, and no other', async () => {
  const [paid, unpaid] = [await stage.create(), await stage.create()]
  await stage.find()
  await stage.pay(paid.id)
  const slot = await stage.solana.connection.getSlot('processed')
  node.lie('getTransaction', (truth) => truth && { ...truth, blockTime: null })
  node.lie('getBlockTime', (truth, [of]) => (of === slot ? null : truth))
  await stage.solana.advance(5)
  await stage.solana.control('travel', 1_801)
  await stage.solana.advance(40)
  await stage.find()
  expect(await stage.stored(paid.id)).toMatchObject({ status: 'pending', windowEnded: false })
  expect(await stage.stored(unpaid.id)).toMatchObject({ status: 'expired' })
  node.mend()
  await stage.find()
  expect(await stage.stored(paid.id)).toMatchObject({ status: 'completed' })
})

test('a lag that was caught up does not shorten the next one: no window ends at once when it comes', async () => {
  const { paid } = await payUnlisted()
  node.mend()
  await stage.find()
  expect(await stage.stored(paid.id)).toMatchObject({ status: 'completed' })
  stage.later(1_860_000)
  await stage.find()
  const [next, unpaid] = [await stage.create(), await stage.create()]
  leaveOut(await stage.pay(next.id))
  await stage.solana.control('travel', 1_900)
  await stage.solana.advance(5)
  await stage.find()
  expect(await stage.stored(unpaid.id)).toMatchObject({ status: 'pending' })
  stage.later(11 * 60_000)
  await stage.find()
  expect(await stage.stored(unpaid.id)).toMatchObject({ status: 'expired' })
})
