import { base58 } from '@scure/base'
import { PublicKey } from '@solana/web3.js'
import { mintTestTokens } from '@stablecoin-checkout/rig/devnet/solana/tokens'
import { type LyingNode, openLyingNode } from '@stablecoin-checkout/rig/lying-node'
import { openSolanaStage, type SolanaStage } from '@stablecoin-checkout/rig/solana-stage'
import { afterEach, expect, test } from 'vitest'
import { sql, type Tx } from '../../../db/db.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { tokenAccountOf } from '../associated-token-account.ts'
import { openMax } from './monitor-transactions.ts'

/** The window, plus a second so that it is over. */
const windowSeconds = 901

let stage: SolanaStage
let nodes: LyingNode[]
afterEach(async () => {
  await stage.close()
  for (const node of nodes) await node.close()
})

/** A stage whose nodes can return false responses. Each has its own host. */
async function openStage(count = 1, options: Parameters<typeof openSolanaStage>[0] = {}): Promise<void> {
  nodes = []
  stage = await openSolanaStage({
    ...options,
    async nodes(truth) {
      for (let index = 0; index < count; index++) nodes.push(await openLyingNode(truth))
      return nodes.map(({ url }) => url)
    },
  })
}

const node = (index = 0): LyingNode => nodes[index] as LyingNode

const mint = (to: string, amount: bigint) =>
  mintTestTokens(stage.solana.connection, stage.solana.tokenOwner, { mint: stage.mint().toBase58(), to, amount })

async function balanceOf(wallet: string): Promise<string> {
  const account = new PublicKey(tokenAccountOf(stage.mint().toBase58(), wallet))
  const info = await stage.solana.connection.getAccountInfo(account, 'confirmed')
  return info === null ? '0' : (await stage.solana.connection.getTokenAccountBalance(account, 'confirmed')).value.amount
}

async function newWallet(): Promise<string> {
  const wallet = (await stage.solana.newAccount()).publicKey.toBase58()
  await mint(wallet, 1n)
  await stage.solana.advance(2)
  return wallet
}

/**
 * 40 arrive late for 25: 25 are held for the merchant, and the refund of 15 is in a final block that was not monitored
 * yet.
 */
async function refundLands(): Promise<{ id: PaymentId; depositAddress: string; wallet: string }> {
  const wallet = await newWallet()
  const { id, depositAddress, clientSecret } = await stage.createDeposit()
  await stage.work(1)
  await stage.solana.control('travel', windowSeconds)
  stage.later(windowSeconds * 1_000)
  await stage.work(1)
  await mint(depositAddress, 40_000_000n)
  await stage.work()
  await stage.post(`/deposits/refund-request/${id}`, { address: wallet, clientSecret })
  await stage.payout()
  await stage.solana.advance(40)
  expect(await balanceOf(wallet)).toBe('15000001')
  return { id, depositAddress, wallet }
}

/** The node has reached the height, but returns no transaction. */
function forgetStatuses(one: LyingNode): void {
  one.lie('getBlockHeight', () => 1_000_000_000)
  one.lie('getEpochInfo', (truth) => ({ ...(truth as object), blockHeight: 1_000_000_000 }))
  one.lie('getSignatureStatuses', (truth) => {
    const { context, value } = truth as { context: object; value: unknown[] }
    return { context, value: value.map(() => null) }
  })
  one.lie('getTransaction', () => null)
}

/** A deposit whose sweep is in a final block that was not monitored yet. */
async function paidDeposit() {
  const deposit = await stage.createDeposit()
  await stage.work(1)
  await mint(deposit.depositAddress, 25_000_000n)
  for (let round = 0; round < 3; round++) {
    await stage.watch()
    await stage.solana.advance(40)
  }
  await stage.payout()
  await stage.solana.advance(40)
  expect((await stage.balances()).merchant).toBe(24_625_000n)
  return deposit
}

/** As left by an older version, or by a node with false responses. */
const giveUpRefund = (id: PaymentId) =>
  stage.db.write(async (tx) => {
    await tx.run(sql`update outgoing_transactions set state = 'failed' where purpose = 'refund'`)
    await tx.run(sql`update outgoing_payouts set state = 'failed' where kind = 'refund'`)
    await tx.run(sql`update payouts set state = 'queued', transaction_id = null, due_at_ms = 0 where kind = 'refund'`)
    await tx.run(sql`update payments set refunding = '0' where id = ${id}`)
  })

/** A restored database has lost the refund and its transaction. */
async function loseRefund(tx: Tx, id: PaymentId): Promise<void> {
  await tx.run(sql`delete from outgoing_transactions where purpose = 'refund'`)
  await tx.run(sql`delete from outgoing_payouts where kind = 'refund'`)
  await tx.run(sql`update payouts set state = 'queued', transaction_id = null, due_at_ms = 0 where kind = 'refund'`)
  await tx.run(sql`update payments set refunding = '0' where id = ${id}`)
}

/** The node reports every transaction as failed. */
function denySuccess(one: LyingNode): void {
  const err = { InstructionError: [0, 'Custom'] }
  one.lie('getSignatureStatuses', (truth) => {
    const { context, value } = truth as { context: object; value: (object | null)[] }
    return { context, value: value.map((status) => status && { ...status, err }) }
  })
  one.lie('getSignaturesForAddress', (truth) => (truth as object[]).map((listed) => ({ ...listed, err })))
}

async function expectRefundedOnce({ id, depositAddress, wallet }: Awaited<ReturnType<typeof refundLands>>) {
  for (let round = 0; round < 4; round++) {
    stage.later(31_000)
    await stage.work(1)
  }
  expect(await balanceOf(wallet)).toBe('15000001')
  expect(await balanceOf(depositAddress)).toBe('25000000')
  expect(await stage.stored(id)).toMatchObject({ late: 40_000_000n, refunded: 15_000_000n, refunding: 0n })
  expect((await stage.events(id)).filter((type) => type === 'deposit.refunded')).toHaveLength(1)
}

test('a refund reported as expired is searched for in its account’s history, and is not paid twice', async () => {
  await openStage()
  const refund = await refundLands()
  forgetStatuses(node())
  await stage.payout()
  node().mend()
  await expectRefundedOnce(refund)
})

test('a node without the account’s history proves nothing: the refund stays pending until a node has that history', async () => {
  await openStage()
  const refund = await refundLands()
  forgetStatuses(node())
  node().lie('getSignaturesForAddress', () => [])
  await stage.payout()
  expect(await stage.stored(refund.id)).toMatchObject({ refunding: 15_000_000n, refunded: 0n })
  node().mend()
  await expectRefundedOnce(refund)
})

test('both of two nodes must deny the transaction, and an unreachable node does not count', async () => {
  await openStage(2)
  const refund = await refundLands()
  forgetStatuses(node())
  node().lie('getSignaturesForAddress', (truth) => (truth as unknown[]).slice(1))
  node(1).fail(503)
  await stage.payout()
  expect(await stage.stored(refund.id)).toMatchObject({ refunding: 15_000_000n, refunded: 0n })
  node(1).mend()
  stage.later(61_000)
  await stage.payout()
  await stage.solana.advance(6)
  node().mend()
  await expectRefundedOnce(refund)
})

test('a refund given up although it landed is counted before another is made', async () => {
  await openStage()
  const refund = await refundLands()
  await giveUpRefund(refund.id)
  // The same amount arrives again: the balance equals that before the refund.
  await mint(refund.depositAddress, 15_000_000n)
  await stage.payout()
  expect(await stage.stored(refund.id)).toMatchObject({ refunded: 15_000_000n })
  expect(await balanceOf(refund.wallet)).toBe('15000001')
})

test('a refund that landed is not paid again because one node of two reports it as failed', async () => {
  await openStage(2)
  const refund = await refundLands()
  denySuccess(node())
  node(1).fail(503)
  // The same amount arrives again: the balance equals that before the refund.
  await mint(refund.depositAddress, 15_000_000n)
  for (let round = 0; round < 3; round++) {
    await stage.payout()
    await stage.solana.advance(40)
    stage.later(31_000)
  }
  expect(await balanceOf(refund.wallet)).toBe('15000001')
  node().mend()
  node(1).mend()
  stage.later(61_000)
  await stage.payout()
  expect(await stage.stored(refund.id)).toMatchObject({ refunded: 15_000_000n })
  expect(await balanceOf(refund.wallet)).toBe('15000001')
})

test('a refund given up although it landed is not paid again because the second node of two reports it as failed', async () => {
  await openStage(2)
  const refund = await refundLands()
  await giveUpRefund(refund.id)
  denySuccess(node(1))
  await mint(refund.depositAddress, 15_000_000n)
  // No later block can contain the refund.
  await stage.solana.advance(200)
  await stage.payout()
  await stage.solana.advance(40)
  expect(await stage.stored(refund.id), 'while they contradict each other').toMatchObject({ refunded: 0n })
  node(1).mend()
  stage.later(16_000)
  await stage.payout()
  expect(await stage.stored(refund.id)).toMatchObject({ refunded: 15_000_000n })
  expect(await balanceOf(refund.wallet)).toBe('15000001')
})

test('a refund of high value counts as paid only once two nodes report that it landed', async () => {
  await openStage(2, { highValue: { amount: '20', confirmations: 32 } })
  const refund = await refundLands()
  node(1).fail(503)
  await stage.payout()
  expect(await stage.stored(refund.id), 'while one is down').toMatchObject({ refunded: 0n })
  node(1).mend()
  denySuccess(node(1))
  stage.later(61_000)
  await stage.payout()
  expect(await stage.stored(refund.id), 'while they contradict each other').toMatchObject({ refunded: 0n })
  node(1).mend()
  stage.later(61_000)
  await stage.payout()
  await expectRefundedOnce(refund)
})

test('a sweep that landed is not sent again from money that arrived since because one node reports it as failed', async () => {
  await openStage(2)
  const { id, depositAddress } = await paidDeposit()
  await mint(depositAddress, 26_000_000n)
  await stage.solana.advance(40)
  denySuccess(node())
  node(1).fail(503)
  for (let round = 0; round < 3; round++) {
    await stage.payout()
    await stage.solana.advance(40)
    stage.later(31_000)
  }
  node().mend()
  node(1).mend()
  stage.later(61_000)
  await stage.work()
  expect(await stage.balances()).toEqual({ merchant: 24_625_000n, platform: 375_000n })
  expect(await stage.stored(id)).toMatchObject({ status: 'swept' })
})

test('a sweep reported as expired is not sent again from money that arrived since', async () => {
  await openStage()
  const { id, depositAddress } = await paidDeposit()
  await mint(depositAddress, 26_000_000n)
  await stage.solana.advance(40)
  forgetStatuses(node())
  await stage.payout()
  node().mend()
  await stage.work()
  expect(await stage.balances()).toEqual({ merchant: 24_625_000n, platform: 375_000n })
  expect(await stage.stored(id)).toMatchObject({ status: 'swept' })
})

test('money held for the merchant is not paid out for a refund unknown to the books', async () => {
  await openStage()
  const refund = await refundLands()
  await stage.db.write((tx) => loseRefund(tx, refund.id))
  await stage.payout()
  await expectRefundedOnce(refund)
})

test('a transaction that really expired is made again', async () => {
  await openStage(2)
  const { wallet } = await refundExpires()
  expect(await balanceOf(wallet)).toBe('1')
  await stage.work()
  expect(await balanceOf(wallet)).toBe('15000001')
  const states = await stage.db.read((tx) =>
    tx.all<{ state: string }>(
      sql`select state from outgoing_transactions where purpose = 'refund' order by created_at_ms`,
    ),
  )
  expect(states.map(({ state }) => state)).toEqual(['failed', 'confirmed'])
})

/** The node lists the transaction as final and successful, although it never landed. */
const inventListed = (one: LyingNode, signature: string) =>
  one.lie('getSignaturesForAddress', (truth) => [
    { signature, slot: 1, err: null, confirmationStatus: 'finalized', blockTime: 1 },
    ...(truth as object[]),
  ])

/** A refund whose transaction no later block can contain. */
async function refundExpires() {
  const wallet = await newWallet()
  const { id, depositAddress, clientSecret } = await stage.createDeposit()
  await mint(depositAddress, 15_000_000n)
  await stage.work()
  await stage.solana.control('travel', windowSeconds)
  stage.later(windowSeconds * 1_000)
  await stage.work(1)
  await stage.post(`/deposits/refund-request/${id}`, { address: wallet, clientSecret })
  await stage.solana.control('drop', 1)
  await stage.payout()
  await stage.solana.control('expireBlockhashes')
  await stage.solana.advance(40)
  const sent = await stage.db.read((tx) =>
    tx.get<{ txId: string }>(sql`select tx_id as "txId" from outgoing_transactions where purpose = 'refund'`),
  )
  return { id, wallet, txId: String(sent?.txId) }
}

async function expectNotCounted({ id, wallet }: { id: PaymentId; wallet: string }) {
  await stage.payout()
  expect(await stage.stored(id), 'while one node alone lists it').toMatchObject({ refunded: 0n })
  node(1).mend()
  stage.later(61_000)
  await stage.work()
  expect(await balanceOf(wallet)).toBe('15000001')
  expect(await stage.stored(id)).toMatchObject({ refunded: 15_000_000n })
}

test('an expired refund of high value is not counted because one node lists it as landed', async () => {
  await openStage(2, { highValue: { amount: '20', confirmations: 32 } })
  const refund = await refundExpires()
  inventListed(node(1), refund.txId)
  await expectNotCounted(refund)
})

test('nor is one that was given up before', async () => {
  await openStage(2, { highValue: { amount: '20', confirmations: 32 } })
  const refund = await refundExpires()
  await giveUpRefund(refund.id)
  inventListed(node(1), refund.txId)
  await expectNotCounted(refund)
})

test('nor is one that the books have lost, while a node of two does not have its transaction', async () => {
  await openStage(2, { highValue: { amount: '20', confirmations: 32 } })
  const refund = await refundLands()
  await stage.db.write((tx) => loseRefund(tx, refund.id))
  node(1).lie('getTransaction', () => null)
  await expect(stage.payout()).rejects.toThrow('too few nodes confirm transaction')
  expect(await stage.stored(refund.id)).toMatchObject({ refunded: 0n })
  node(1).mend()
  await expectRefundedOnce(refund)
})

test('transactions whose end too few nodes confirm hold up no sweep', async () => {
  await openStage(2)
  await stage.db.write(async (tx) => {
    for (let index = 0; index < openMax; index++) {
      await tx.run(sql`
          insert into outgoing_transactions (id, network, sender, nonce, tx_id, raw, state, created_at_ms, last_valid_height)
          values (${`id${index}`}, 'solana-devnet', 'x', 0, ${base58.encode(new Uint8Array(64).fill(index))}, '', 'stored', 0, 1)`)
    }
  })
  node(1).fail(503)
  await paidDeposit()
  const states = await stage.db.read((tx) =>
    tx.all<{ state: string }>(sql`select distinct state from outgoing_transactions where purpose is null`),
  )
  expect(states).toEqual([{ state: 'stored' }])
})
