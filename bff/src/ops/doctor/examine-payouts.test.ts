import { openModelStage, payer } from '@stablecoin-checkout/rig/model-payouts'
import { createTestDatabase, type TestDatabase } from '@stablecoin-checkout/rig/test-database'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { OperatorSource } from '../../chain/connector.ts'
import { saveSecondRead, saveUnanswered } from '../../chain/evm/watch/second-read-store.ts'
import type { EvmNetwork } from '../../core/families.ts'
import type { Db } from '../../db/db.ts'
import { postponeShare, saveParkedShare } from '../../payout/parked-share-store.ts'
import { examinePayouts } from './examine-payouts.ts'

const former = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
/** The key of {@link former}: the second account of the well-known test mnemonic. */
const formerKey = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'
const operatorKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const devnet = { shortName: 'devnet', name: 'Devnet', family: 'evm' } as EvmNetwork
const noKeys = { networks: new Map([['devnet', devnet]]), operator: null, formerOperators: [] }
const hourMs = 60 * 60 * 1000
let database: TestDatabase
let db: Db
beforeEach(async () => {
  database = await createTestDatabase()
  db = await database.open()
})
afterEach(async () => {
  await db.close()
  await database.drop()
})

test('pending platform shares are a warning with their number, age and reason; without any nothing is reported', async () => {
  const nowMs = () => 3 * hourMs
  expect(await examinePayouts(db, noKeys, { nowMs })).toEqual([])
  const share = { network: 'devnet', token: '0x01', recipient: '0x02', paymentId: null, amount: 5n }
  await db.write(async (tx) => {
    await saveParkedShare(tx, { ...share, place: '0x0a' }, hourMs)
    await saveParkedShare(tx, { ...share, place: '0x0b' }, 2 * hourMs)
    await postponeShare(tx, { ...share, place: '0x0a' }, { dueAtMs: 4 * hourMs, reason: 'the wallet is blocked' })
  })
  expect(await examinePayouts(db, noKeys, { nowMs })).toMatchObject([
    {
      ...{ check: 'platform shares', subject: 'devnet', state: 'warning' },
      says: '2 shares of the platform are parked at their deposit addresses, the oldest for 2 hours: the wallet is blocked',
    },
  ])
})

test('platform shares on a removed network are bad: they cannot be paid', async () => {
  const share = { network: 'gone', place: '0x0a', token: '0x01', recipient: '0x02', paymentId: null, amount: 5n }
  await db.write((tx) => saveParkedShare(tx, share, hourMs))
  expect(await examinePayouts(db, noKeys, { nowMs: () => 3 * hourMs })).toEqual([
    {
      ...{ check: 'platform shares', subject: 'gone', place: null, state: 'bad' },
      ...{ code: 'platform shares.removed', values: ['1'] },
      says: 'the network gone is not configured, but 1 shares of the platform are pending on it',
      fix: 'They are not paid until the network is configured again.',
    },
  ])
})

test('blocks that no node returns are a warning with their number and age', async () => {
  await db.write(async (tx) => {
    await saveSecondRead(tx, 'transfers', 'devnet', { from: 5, to: 9, toTimeMs: 0 })
    await saveUnanswered(tx, 'transfers', 'devnet', { block: 5, nowMs: hourMs })
    await saveUnanswered(tx, 'transfers', 'devnet', { block: 6, nowMs: 2 * hourMs })
    // Repeated: the age is that of the first failure.
    await saveUnanswered(tx, 'transfers', 'devnet', { block: 5, nowMs: 2 * hourMs })
  })
  expect(await examinePayouts(db, noKeys, { nowMs: () => 3 * hourMs })).toMatchObject([
    {
      ...{ check: 'unanswered blocks', subject: 'devnet', state: 'warning' },
      says: expect.stringContaining('no node returns 2 blocks from 5 on, for 2 hours'),
    },
  ])
})

test('refunds that only a former operator can send are bad until its key is configured', async () => {
  const stage = await openModelStage()
  try {
    const deadlineSeconds = Math.floor(stage.clock.nowMs / 1000) + 900
    const id = await stage.pay({ paid: 10_000_000n, deadlineSeconds, operator: former })
    const { windowEndsAtMs } = await stage.load(id)
    await stage.apply(id, { type: 'window.ended', blockTimeMs: windowEndsAtMs + 1_000 })
    await stage.apply(id, { type: 'refund.requested', address: payer })
    const operator = { kind: 'key' as const, privateKey: operatorKey }
    const examine = (formerOperators: OperatorSource[]) =>
      examinePayouts(stage.db, { ...noKeys, operator, formerOperators }, { nowMs: () => stage.clock.nowMs })
    expect(await examine([])).toMatchObject([
      {
        ...{ check: 'operator', subject: 'Devnet', state: 'bad' },
        says: `1 refunds or returns wait for the former operator ${former}: only that account can send them`,
        fix: expect.stringContaining('FORMER_OPERATOR_KEYS'),
      },
    ])
    expect(await examine([{ kind: 'key', privateKey: formerKey }])).toEqual([])
  } finally {
    await stage.close()
  }
})
