import { confirmations, type ModelStage, openModelStage, payer } from '@stablecoin-checkout/rig/model-payouts'
import { type Hex, keccak256 } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createPaymentViewer } from '../../../checkout/read/payment-view.ts'
import type { EvmNetwork } from '../../../core/families.ts'
import { sql } from '../../../db/db.ts'
import { createHeads } from '../../../network/heads.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { parseRawTransaction } from '../send/evm-transaction.ts'
import { createSweeper } from './sweeper.ts'

const never = new AbortController().signal
const finalityBlocks = 12
const usdt = '0x00000000000000000000000000000000000000cc'
let stage: ModelStage
let sweeper: ReturnType<typeof createSweeper>
beforeEach(async () => {
  stage = await openModelStage()
  sweeper = createSweeper({ ...stage.deps(), network: { ...stage.network, finalityBlocks } })
  await stage.chain.mine(finalityBlocks)
})
afterEach(() => stage.close())

async function pass(): Promise<void> {
  await sweeper.pass(never)
  stage.clock.nowMs += 15_000
}

/** An underpaid payment, after its window. */
async function openShort(): Promise<PaymentId> {
  const deadlineSeconds = Math.floor(stage.clock.nowMs / 1000) + 900
  const id = await stage.pay({ paid: 10_000_000n, deadlineSeconds })
  stage.clock.nowMs = (await stage.load(id)).windowEndsAtMs + 60_000
  stage.chain.timeSeconds = Math.floor(stage.clock.nowMs / 1000)
  await stage.apply(id, { type: 'window.ended', blockTimeMs: stage.clock.nowMs })
  return id
}

/** A final and counted refund. */
async function openRefund(): Promise<PaymentId> {
  const id = await openShort()
  await stage.apply(id, { type: 'refund.requested', address: payer })
  await pass()
  await stage.chain.mine(confirmations)
  await pass()
  return id
}

/** The transaction shown by the payment and its webhook. */
async function shownOf(id: PaymentId): Promise<unknown> {
  const network = { ...stage.network, family: 'evm', tokens: [], explorerUrl: null } as unknown as EvmNetwork
  const view = createPaymentViewer(new Map([['devnet', network]]), createHeads()).merchant(await stage.load(id))
  return (view['refund'] as { txHash?: string }).txHash
}

const eventsOf = async (type: string): Promise<number> =>
  (await stage.db.read((tx) => tx.all(sql`select sequence from events where type = ${type}`))).length

/** A deep reorg removes the transaction, and it is replaced at its nonce by one with higher fees, which is mined. */
async function replaceAfterReorg(before: string | undefined): Promise<Hex> {
  stage.chain.reorg(confirmations + 2)
  await pass()
  await pass()
  stage.chain.baseFeePerGas *= 3n
  stage.clock.nowMs += 30 * 60_000
  await pass()
  const newest = (await stage.outgoing()).find(({ tx_id, state }) => state === 'stored' && tx_id !== before)?.tx_id
  stage.chain.pool.delete(before as Hex)
  await stage.chain.mine(confirmations)
  await pass()
  expect(newest).toBeDefined()
  return newest as Hex
}

test('a refund with other fees after a reorg shows the transaction that paid', async () => {
  const id = await openRefund()
  const before = await shownOf(id)
  const events = await eventsOf('deposit.refunded')
  const paid = await replaceAfterReorg(String(before))
  expect(paid).not.toBe(before)
  expect(await stage.load(id)).toMatchObject({ refunded: 10_000_000n, refundTxId: paid })
  expect(await shownOf(id)).toBe(paid)
  expect(await eventsOf('deposit.refunded')).toBe(events + 1)
})

test('a refund by the same transaction in another block changes nothing', async () => {
  const id = await openRefund()
  const { version } = await stage.load(id)
  stage.chain.reorg(confirmations + 2)
  await pass()
  await pass()
  await stage.chain.mine(confirmations)
  await pass()
  expect(await stage.outgoing()).toMatchObject([{ state: 'confirmed' }])
  expect((await stage.load(id)).version).toBe(version)
})

test('a refund sent manually by the operator at our nonce shows that transaction', async () => {
  const id = await openShort()
  await stage.apply(id, { type: 'refund.requested', address: payer })
  await pass()
  const [ours] = await stage.outgoing()
  const old = parseRawTransaction(ours?.raw as Hex)
  const { raw } = await stage.signer.signTransaction({ ...old, maxFeePerGas: old.maxFeePerGas * 2n })
  stage.chain.pool.clear()
  stage.chain.pool.set(keccak256(raw), raw)
  for (let passes = 0; passes < 10; passes++) {
    await stage.chain.mine(confirmations)
    await pass()
    stage.clock.nowMs += 60_000
  }
  expect(await stage.load(id)).toMatchObject({ refunded: 10_000_000n, refundTxId: keccak256(raw) })
  expect(await shownOf(id)).toBe(keccak256(raw))
})

test('so does the return of an unmatched transfer', async () => {
  const id = await openShort()
  const { depositAddress } = await stage.load(id)
  const { number } = stage.chain.head()
  const measured = { currency: 'USDT', decimals: 6, balance: 5_000_000n, block: number, txId: '0x51' }
  await stage.apply(id, { type: 'unmatched.measured', network: 'devnet', token: usdt, ...measured } as never)
  await stage.apply(id, { type: 'refund.requested', address: payer, network: 'devnet' })
  await pass()
  await stage.chain.mine(confirmations)
  await pass()
  expect(stage.chain.balanceOf(depositAddress)).toBeDefined()
  const returned = async () => (await stage.load(id)).unmatched[0]
  const before = (await returned())?.refundTxId
  expect(before).toBeTruthy()
  const events = await eventsOf('deposit.unmatched_refunded')
  const paid = await replaceAfterReorg(before ?? undefined)
  expect(await returned()).toMatchObject({ refunded: 5_000_000n, refundTxId: paid })
  expect(await eventsOf('deposit.unmatched_refunded')).toBe(events + 1)
})
