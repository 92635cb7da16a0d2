import { type ContractStage, openContractStage } from '@stablecoin-checkout/rig/contract-stage'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { silentLog } from '../../../core/log.ts'
import { systemRuntime } from '../../../core/runtime.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { createWindowEnder } from './end-windows.ts'
import { moveSecondReads, saveSecondRead, saveUnanswered } from './second-read-store.ts'

const { signal } = new AbortController()
const hourMs = 60 * 60 * 1000
const head = 10_000

let stage: ContractStage
beforeAll(async () => {
  stage = await openContractStage()
})
afterAll(() => stage.close())

/** A node that is not an archive: it has the balances of the newest 128 blocks only. */
const adapter = {
  block: async (number: number) => ({
    ...{ number, hash: `0x${number}`, parentHash: '' },
    timeMs: systemRuntime.nowMs() + 2 * hourMs - (head - number) * 1_000,
  }),
  async balances(_: string | null, addresses: readonly string[], block: number) {
    if (block <= head - 128) throw new Error('missing trie node')
    return addresses.map(() => 0n)
  },
  areSettled: async (forwarders: readonly string[]) => forwarders.map(() => false),
}

async function createDeposit(): Promise<PaymentId> {
  const order = { amount: '25.00', currency: 'USDC', network: 'devnet' }
  const headers = { 'Idempotency-Key': systemRuntime.newUuid() }
  return (await stage.post('/api/v1/deposits/create', order, { headers })).body.payment.id
}

function openEnder(confirmations: number, balances = adapter.balances) {
  const { db, ledger } = stage
  const network = { ...stage.network, confirmations }
  const ofNode = { ...adapter, balances }
  return createWindowEnder({ db, ledger, adapter: ofNode, network, runtime: systemRuntime, log: silentLog })
}

test.each([12, 128, 240])(
  'a window ends with %i required confirmations and a node that is not an archive',
  async (confirmations) => {
    const id = await createDeposit()
    // A block was mined after the head was read.
    await openEnder(confirmations)(await adapter.block(head - 1), head - 1, signal)
    expect((await stage.load(id)).status).toBe('expired')
  },
)

test('balances are read only at applied blocks', async () => {
  await createDeposit()
  const blocks = new Set<number>()
  const balances: typeof adapter.balances = async (_, addresses, block) => {
    blocks.add(block)
    return addresses.map(() => 0n)
  }
  await openEnder(240, balances)(await adapter.block(head), head - 200, signal)
  expect([...blocks]).toEqual([head - 200])
})

test('a window does not end before its blocks are read a second time', async () => {
  const id = await createDeposit()
  const from = head - 7_000
  const { timeMs: toTimeMs } = await adapter.block(head)
  await stage.db.write((tx) => saveSecondRead(tx, 'transfers', 'devnet', { from, to: head, toTimeMs }))
  const end = async () => await openEnder(12)(await adapter.block(head), head, signal)
  await end()
  expect((await stage.load(id)).status).toBe('pending')
  await stage.db.write((tx) => moveSecondReads(tx, 'transfers', 'devnet', { from, to: head }))
  await end()
  expect((await stage.load(id)).status).toBe('expired')
})

test('the youngest block that no node returns decides which payments are held', async () => {
  const id = await createDeposit()
  const nowMs = systemRuntime.nowMs()
  // The first block is older than the payment, and the second is not.
  const blocks = [
    { block: head - 7_000, toTimeMs: nowMs - 2 * hourMs },
    { block: head - 6_900, toTimeMs: nowMs + hourMs / 12 },
  ]
  await stage.db.write(async (tx) => {
    for (const { block, toTimeMs } of blocks) {
      await saveSecondRead(tx, 'transfers', 'devnet', { from: block, to: block, toTimeMs })
      await saveUnanswered(tx, 'transfers', 'devnet', { block, nowMs })
    }
  })
  const end = async () => await openEnder(12)(await adapter.block(head), head, signal)
  await end()
  expect((await stage.load(id)).status).toBe('pending')
  const last = { from: head - 6_900, to: head - 6_900 }
  await stage.db.write((tx) => moveSecondReads(tx, 'transfers', 'devnet', last))
  await end()
  expect((await stage.load(id)).status).toBe('expired')
})
