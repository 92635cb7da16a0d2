import { openPayoutStage, type PayoutStage, payer, unmatchedToken } from '@stablecoin-checkout/rig/payout-stage'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sql } from '../db/db.ts'
import type { PaymentId } from '../payment/payment.ts'
import { insertAttempt, markReplaced } from './outgoing-store.ts'
import {
  countAttempts,
  firstConfirmedTxId,
  firstTransferBlock,
  givenUpTransactions,
  hasPayoutWork,
  insertOutgoingPayout,
  type Payout,
  type Sending,
} from './payout-queue-store.ts'

const network = 'devnet'

let stage: PayoutStage
beforeEach(async () => {
  stage = await openPayoutStage()
})
afterEach(() => stage.close())

const sweepOf = async (id: PaymentId): Promise<Payout> => {
  const { tokenAddress } = await stage.load(id)
  return { kind: 'sweep', paymentId: id, network, token: tokenAddress }
}

/** @returns the transaction's id and hash. */
async function send(payout: Payout, sending: Sending | null = null): Promise<{ id: string; txId: string }> {
  let id = ''
  const { txId } = await stage.storeTransaction(async (tx, transactionId) => {
    id = transactionId
    await insertOutgoingPayout(tx, payout, transactionId, sending)
  })
  return { id, txId }
}

const giveUp = (id: string, lastValidHeight: number | null) =>
  stage.db.write(async (tx) => {
    await tx.run(sql`
        update outgoing_transactions set state = 'failed', last_valid_height = ${lastValidHeight} where id = ${id}`)
    await tx.run(sql`update outgoing_payouts set state = 'failed' where transaction_id = ${id}`)
  })

test('a payment’s first transfer is that of its lowest block, and of its confirmed ones the first is known by its hash', async () => {
  const id = await stage.paid()
  const blockOf = () => stage.db.read((tx) => firstTransferBlock(tx, id))
  const txIdOf = (of: PaymentId = id) => stage.db.read((tx) => firstConfirmedTxId(tx, of))
  const { lastBlock } = await stage.load(id)
  expect([await blockOf(), await txIdOf()]).toEqual([lastBlock, `0x${id}`])
  await stage.db.write((tx) =>
    tx.run(sql`
        insert into transfers (network, tx_id, log_index, payment_id, payer, amount, block_number, block_hash,
                               block_time_ms, state, is_late)
        values (${network}, '0xseen', 0, ${id}, ${payer}, '1', 1, '0xb', 1, 'seen', 0)`),
  )
  expect([await blockOf(), await txIdOf()]).toEqual([1, `0x${id}`])
  const none = 'none' as PaymentId
  expect([await stage.db.read((tx) => firstTransferBlock(tx, none)), await txIdOf(none)]).toEqual([0, null])
})

test('transactions that were given up are known with what they sent, the newest first, where they could expire', async () => {
  const payout = await sweepOf(await stage.paid())
  const read = () => stage.db.read((tx) => givenUpTransactions(tx, payout))
  const old = await send(payout)
  stage.clock.nowMs += 1
  const newer = await send(payout, { address: payer, amount: 7n })
  stage.clock.nowMs += 1
  const open = await send(payout, { address: payer, amount: 8n })
  expect(await read()).toEqual([])
  await giveUp(old.id, 10)
  await giveUp(newer.id, 20)
  expect(await read()).toEqual([
    { txId: newer.txId, lastValidHeight: 20, address: payer, amount: '7' },
    { txId: old.txId, lastValidHeight: 10, address: null, amount: null },
  ])
  await giveUp(open.id, null)
  expect(await read()).toHaveLength(2)
  const attempts = (of: Payout) => stage.db.read((tx) => countAttempts(tx, of))
  expect(await attempts(payout)).toEqual({ count: 3, newestAtMs: stage.clock.nowMs })
  expect(await attempts({ ...payout, kind: 'refund' })).toEqual({ count: 0, newestAtMs: 0 })
})

test('each payout has its own history: no other payment, kind, network or token counts in it', async () => {
  const payout = await sweepOf(await stage.paid())
  const { id } = await send(payout, { address: payer, amount: 7n })
  await giveUp(id, 10)
  const historyOf = (of: Payout) =>
    stage.db.read(async (tx) => [(await countAttempts(tx, of)).count, (await givenUpTransactions(tx, of)).length])
  expect(await historyOf(payout)).toEqual([1, 1])
  const others: Payout[] = [
    { ...payout, paymentId: await stage.paid() },
    { ...payout, kind: 'refund' },
    { ...payout, network: 'polygon' },
    { ...payout, token: unmatchedToken },
  ]
  for (const other of others) expect([other, await historyOf(other)]).toEqual([other, [0, 0]])
})

test('a transaction that was replaced by one with higher fees is one attempt', async () => {
  const payout = await sweepOf(await stage.paid())
  const { id, txId } = await send(payout)
  stage.clock.nowMs += 1
  const at = { network, sender: '0xa', nonce: 1, raw: '0x00', atMs: stage.clock.nowMs } as const
  await stage.db.write(async (tx) => {
    await markReplaced(tx, txId)
    await insertAttempt(tx, { ...at, id, txId: '0xdearer' })
  })
  expect(await stage.db.read((tx) => countAttempts(tx, payout))).toEqual({ count: 1, newestAtMs: stage.clock.nowMs })
})

test('there is work while a payout is due or a transaction may still be mined, and on no other network', async () => {
  const hasWork = (nowMs = stage.clock.nowMs, at = network) => stage.db.read((tx) => hasPayoutWork(tx, at, nowMs))
  expect(await hasWork()).toBe(false)
  const id = await stage.paid()
  expect([await hasWork(), await hasWork(stage.clock.nowMs - 1), await hasWork(undefined, 'polygon')]).toEqual([
    ...[true, false, false],
  ])
  await stage.db.write((tx) => tx.run(sql`update payouts set state = 'sent'`))
  expect(await hasWork()).toBe(false)
  const { id: transaction } = await send(await sweepOf(id))
  expect([await hasWork(), await hasWork(undefined, 'polygon')]).toEqual([true, false])
  await giveUp(transaction, null)
  expect(await hasWork()).toBe(false)
})
