import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ContractStage, openContractStage } from '../../../../test/contract-stage.ts'
import { silentLog } from '../../../core/log.ts'
import { systemRuntime } from '../../../core/runtime.ts'
import { createWindowEnder } from './end-windows.ts'

const { signal } = new AbortController()
const hourMs = 60 * 60 * 1000
const head = 10_000

let stage: ContractStage
beforeAll(async () => {
  stage = await openContractStage()
})
afterAll(() => stage.close())

/** A node that is no archive: it has the balances of the newest 128 blocks alone. */
const adapter = {
  block: async (number: number) => ({
    ...{ number, hash: `0x${number}`, parentHash: '' },
    timeMs: systemRuntime.nowMs() + 2 * hourMs - (head - number) * 1_000,
  }),
  async balances(_: string | null, addresses: readonly string[], block: number) {
    if (block <= head - 128) throw new Error('missing trie node')
    return addresses.map(() => 0n)
  },
}

test.each([12, 128, 240])(
  'a window ends where %i confirmations are required and the node is no archive',
  async (confirmations) => {
    const { db, ledger } = stage
    const order = { amount: '25.00', currency: 'USDC', network: 'devnet' }
    const headers = { 'Idempotency-Key': systemRuntime.newUuid() }
    const { id } = (await stage.post('/api/v1/deposits/create', order, { headers })).body.payment
    const network = { ...stage.network, confirmations }
    const endDueWindows = createWindowEnder({ db, ledger, adapter, network, runtime: systemRuntime, log: silentLog })
    // A block came after the head was read.
    await endDueWindows(await adapter.block(head - 1), head - 1, signal)
    expect((await stage.load(id)).status).toBe('expired')
  },
)
