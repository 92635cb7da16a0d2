import { confirmations, due, type ModelStage, openModelStage, payer } from '@stablecoin-checkout/rig/model-payouts'
import { transferOf } from '@stablecoin-checkout/rig/new-payment'
import type { Hex } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sql } from '../../../db/db.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { saveExternalSettlement } from '../../../payout/external-settlement-store.ts'
import { giveUpAfterMs } from './monitor.ts'
import { createSweeper } from './sweeper.ts'

const never = new AbortController().signal
const finalityBlocks = 12
let stage: ModelStage
beforeEach(async () => {
  stage = await openModelStage()
  await stage.chain.mine(finalityBlocks)
})
afterEach(() => stage.close())

async function pass(): Promise<void> {
  const network = { ...stage.network, finalityBlocks }
  await createSweeper({ ...stage.deps(), network }).pass(never)
  stage.clock.nowMs += 15_000
}

/** A final and counted refund. */
async function openRefund(): Promise<PaymentId> {
  const deadlineSeconds = Math.floor(stage.clock.nowMs / 1000) + 900
  const id = await stage.pay({ paid: 10_000_000n, deadlineSeconds })
  stage.clock.nowMs = (await stage.load(id)).windowEndsAtMs + 60_000
  stage.chain.timeSeconds = Math.floor(stage.clock.nowMs / 1000)
  await stage.apply(id, { type: 'window.ended', blockTimeMs: stage.clock.nowMs })
  await stage.apply(id, { type: 'refund.requested', address: payer })
  await pass()
  await stage.chain.mine(confirmations)
  await pass()
  expect(await stage.load(id)).toMatchObject({ refund: 'none', refunded: 10_000_000n })
  return id
}

const refundsOnChain = () =>
  stage.chain.blocks.flatMap(({ transactions }) => transactions.flatMap(({ receipt }) => receipt?.refunds ?? [])).length

test('the last refund, undone by a reorg deeper than the confirmations, is sent again, and counted once', async () => {
  const id = await openRefund()
  stage.chain.reorg(confirmations + 2)
  expect(refundsOnChain()).toBe(0)
  await pass()
  await pass()
  await stage.chain.mine(confirmations)
  await pass()
  expect(refundsOnChain()).toBe(1)
  expect(await stage.load(id)).toMatchObject({ refunded: 10_000_000n, refunding: 0n })
  expect(await stage.outgoing()).toMatchObject([{ state: 'confirmed' }])
})

test('so is the last sweep', async () => {
  const id = await stage.pay()
  await pass()
  await stage.chain.mine(confirmations)
  await pass()
  expect(await stage.load(id)).toMatchObject({ status: 'swept' })
  const { depositAddress } = await stage.load(id)
  stage.chain.reorg(confirmations + 2)
  expect(stage.chain.settlementOf(depositAddress)).toBeUndefined()
  await pass()
  await pass()
  await stage.chain.mine(confirmations)
  await pass()
  expect(stage.chain.settlementOf(depositAddress)).toBeDefined()
  expect(await stage.load(id)).toMatchObject({ status: 'swept' })
})

/** A reorg deeper than the confirmations undoes all of it, and an external transaction takes the nonce. */
function loseNonce(): void {
  stage.chain.reorg(confirmations + 2)
  stage.chain.pool.clear()
  stage.chain.takeNonce(stage.signer.address)
}

/** One worker, which remembers since when a receipt is missing. */
async function passUntilFinal(): Promise<void> {
  const sweeper = createSweeper({ ...stage.deps(), network: { ...stage.network, finalityBlocks } })
  for (let passes = 0; passes < 20; passes++) {
    await sweeper.pass(never)
    stage.clock.nowMs += 60_000
    await stage.chain.mine(finalityBlocks)
  }
}

async function openSweep(least = due): Promise<PaymentId> {
  const id = await stage.pay({ least, paid: least })
  await pass()
  await stage.chain.mine(confirmations)
  await pass()
  expect(await stage.load(id)).toMatchObject({ status: 'swept', sweptAmount: least })
  return id
}

test('a refund whose nonce was taken in such a reorg is made again, and counted once', async () => {
  const id = await openRefund()
  loseNonce()
  await passUntilFinal()
  expect(refundsOnChain()).toBe(1)
  const [, again] = await stage.outgoing()
  expect(await stage.load(id)).toMatchObject({ refunded: 10_000_000n, refundTxId: again?.tx_id })
})

test('so is a sweep; until then the payment is not shown as swept', async () => {
  const id = await openSweep()
  loseNonce()
  await passUntilFinal()
  const { depositAddress } = await stage.load(id)
  const txId = stage.chain.settlementOf(depositAddress)?.txId
  expect(txId).toBeDefined()
  expect(await stage.load(id)).toMatchObject({ status: 'swept', sweepTxId: txId, sweptAmount: due })
})

test('a sweep replaced by an external settlement counts as that', async () => {
  const id = await openSweep()
  loseNonce()
  const { depositAddress } = await stage.load(id)
  const txId = stage.chain.settleAsStranger(depositAddress)
  await passUntilFinal()
  expect(await stage.load(id)).toMatchObject({ status: 'swept', sweepTxId: txId })
})

/** An external settlement that counts as the sweep. */
async function openStrangersSweep(): Promise<{ id: PaymentId; depositAddress: string; txId: string }> {
  const id = await stage.pay()
  const { depositAddress } = await stage.load(id)
  const txId = stage.chain.settleAsStranger(depositAddress)
  await stage.chain.mine(confirmations)
  await pass()
  expect(await stage.load(id)).toMatchObject({ status: 'swept', sweepTxId: txId })
  return { id, depositAddress, txId }
}

const externalSettlements = () =>
  stage.db.read((tx) => tx.all<{ block: number }>(sql`select block from external_settlements`))

test('an external settlement undone by such a reorg is replaced by one of ours', async () => {
  const { id, depositAddress } = await openStrangersSweep()
  stage.chain.reorg(confirmations + 2)
  await passUntilFinal()
  const [sent] = await stage.outgoing()
  expect(stage.chain.settlementOf(depositAddress)?.txId).toBe(sent?.tx_id)
  expect(await stage.load(id)).toMatchObject({ status: 'swept', sweepTxId: sent?.tx_id, sweptAmount: due })
  expect(await externalSettlements()).toEqual([])
})

test('an external settlement mined again counts the amount in its new block, by whatever transaction', async () => {
  const { id, depositAddress } = await openStrangersSweep()
  stage.chain.reorg(confirmations + 2)
  const again = stage.chain.settleAsStranger(depositAddress)
  await passUntilFinal()
  expect(await stage.load(id)).toMatchObject({ status: 'swept', sweepTxId: again, sweptAmount: due })
  expect([await stage.outgoing(), await externalSettlements()]).toEqual([[], []])
})

test('an external settlement that moves to another block is the same, and is checked there', async () => {
  const { id, depositAddress, txId } = await openStrangersSweep()
  const [before] = await externalSettlements()
  stage.chain.reorg(confirmations + 2)
  stage.chain.settleAsStranger(depositAddress, txId as Hex)
  const sequence = (await stage.load(id)).sequence
  await stage.chain.mine(confirmations)
  await pass()
  const [after] = await externalSettlements()
  expect(after?.block).toBeGreaterThan(before?.block ?? 0)
  await passUntilFinal()
  expect(await stage.load(id)).toMatchObject({ status: 'swept', sweepTxId: txId, sequence })
  expect(await externalSettlements()).toEqual([])
})

test('an external settlement whose new block left the platform’s share at the deposit has that share parked', async () => {
  const { id, depositAddress, txId } = await openStrangersSweep()
  stage.chain.reorg(confirmations + 2)
  stage.chain.settleAsStranger(depositAddress, txId as Hex)
  const { receipt } = stage.sender
  const parking: typeof receipt = async (...asked) => {
    const found = await receipt(...asked)
    const amounts = { merchantAmount: due - 375_000n, platformAmount: 375_000n, isPlatformParked: true }
    return found && { ...found, settled: new Map([...found.settled].map(([at]) => [at, amounts])) }
  }
  await stage.chain.mine(confirmations)
  const network = { ...stage.network, finalityBlocks }
  await createSweeper({ ...stage.deps({ receipt: parking }), network }).pass(never)
  expect(await stage.load(id)).toMatchObject({ status: 'swept', sweepTxId: txId, sweptAmount: due })
  const shares = await stage.db.read((tx) => tx.all(sql`select payment_id, amount from parked_shares`))
  expect(shares).toEqual([{ payment_id: id, amount: '375000' }])
})

test('one of high value counts another amount once two nodes have the receipt that shows it', async () => {
  const { id, depositAddress, txId } = await openStrangersSweep()
  await stage.db.write((tx) => tx.run(sql`update payments set confirmations = 6 where id = ${id}`))
  stage.chain.reorg(confirmations + 2)
  stage.chain.settleAsStranger(depositAddress, txId as Hex)
  await stage.chain.mine(confirmations)
  const before = await stage.load(id)
  const { receipt } = stage.sender
  const lie: typeof receipt = async (...asked) => {
    const found = await receipt(...asked)
    const settled = new Map([...(found?.settled ?? [])].map(([at, one]) => [at, { ...one, merchantAmount: 1n }]))
    return found && { ...found, settled }
  }
  const deps = stage.deps({ receipt: lie, isAttested: async () => false })
  await createSweeper({ ...deps, network: { ...stage.network, finalityBlocks } }).pass(never)
  expect(await stage.load(id)).toEqual(before)
  stage.clock.nowMs += 15_000
  await passUntilFinal()
  expect(await stage.load(id)).toMatchObject({ status: 'swept', sweepTxId: txId })
  expect(await externalSettlements()).toEqual([])
})

test('of more external settlements than one pass checks, the next passes check the rest', async () => {
  const ids: PaymentId[] = []
  for (let count = 0; count < 51; count++) ids.push(await stage.pay())
  const block = stage.chain.head().number - confirmations
  await stage.db.write(async (tx) => {
    for (const paymentId of ids)
      await saveExternalSettlement(tx, 'devnet', { paymentId, txId: `0x${paymentId}`, block })
    await tx.run(sql`delete from payouts`)
  })
  const asked: string[] = []
  const receipt = async (txId: string) => {
    asked.push(txId)
    return undefined
  }
  const sweeper = createSweeper({ ...stage.deps({ receipt }), network: { ...stage.network, finalityBlocks } })
  const next = async () => {
    await sweeper.pass(never)
    stage.clock.nowMs += 15_000
  }
  await next()
  expect(new Set(asked).size).toBe(50)
  await next()
  expect(asked.toSorted()).toEqual(ids.map((id) => `0x${id}`).toSorted())
  await next()
  expect(asked).toHaveLength(101)
})

test('one missing receipt does not undo an external settlement', async () => {
  const { id, txId } = await openStrangersSweep()
  const network = { ...stage.network, finalityBlocks }
  const sweeper = createSweeper({
    ...stage.deps({
      receipt: async () => undefined,
      isUnsettledBy: async () => true,
      refusals: async (_, batch) => batch.map(() => undefined),
    }),
    network,
  })
  await sweeper.pass(never)
  stage.clock.nowMs += 60_000
  await sweeper.pass(never)
  expect(await stage.load(id)).toMatchObject({ status: 'swept', sweepTxId: txId })
  await passUntilFinal()
  expect([await stage.load(id), await stage.outgoing()]).toMatchObject([{ status: 'swept', sweepTxId: txId }, []])
})

test('an external settlement is not undone while another node has its receipt, however long the first lacks it', async () => {
  const { id, txId } = await openStrangersSweep()
  const { version } = await stage.load(id)
  const network = { ...stage.network, finalityBlocks }
  const sweeper = createSweeper({ ...stage.deps({ receipt: async () => undefined }), network })
  for (let passes = 0; passes < 3; passes++) {
    await sweeper.pass(never)
    stage.clock.nowMs += giveUpAfterMs
  }
  expect(await stage.load(id)).toMatchObject({ status: 'swept', sweepTxId: txId, version })
  expect(await externalSettlements()).toHaveLength(1)
})

test('missing receipts of an external settlement do not accumulate across a found one', async () => {
  const { id, txId } = await openStrangersSweep()
  let isMissing = true
  const receipt: typeof stage.sender.receipt = async (...asked) =>
    isMissing ? undefined : await stage.sender.receipt(...asked)
  const deps = stage.deps({ receipt, isUnsettledBy: async () => true })
  const sweeper = createSweeper({ ...deps, network: { ...stage.network, finalityBlocks } })
  for (const missing of [true, false, true]) {
    isMissing = missing
    stage.clock.nowMs += giveUpAfterMs
    await sweeper.pass(never)
  }
  expect(await stage.load(id)).toMatchObject({ status: 'swept', sweepTxId: txId })
  expect(await externalSettlements()).toHaveLength(1)
})

test('late money of a failed payment settled externally is settled by us: the merchant was notified that it is paid', async () => {
  const deadlineSeconds = Math.floor(stage.clock.nowMs / 1000) + 900
  const id = await stage.pay({ paid: 10_000_000n, deadlineSeconds })
  stage.clock.nowMs = (await stage.load(id)).windowEndsAtMs + 60_000
  await stage.apply(id, { type: 'window.ended', blockTimeMs: stage.clock.nowMs })
  const { depositAddress } = await stage.load(id)
  stage.chain.arrive(depositAddress, 15_000_000n)
  const { number, hash } = stage.chain.head()
  const transfer = transferOf('15000000', { blockNumber: number, blockHash: hash, blockTimeMs: stage.clock.nowMs })
  await stage.apply(id, { type: 'transfer.confirmed', transfer })
  const before = await stage.load(id)
  expect(before).toMatchObject({ status: 'expired', sweep: 'none', lateTaken: false })
  const txId = stage.chain.settleAsStranger(depositAddress)
  await stage.chain.mine(confirmations)
  await pass()
  expect(await stage.load(id)).toMatchObject({ sweepTxId: txId, lateTaken: true })
  stage.chain.reorg(confirmations + 2)
  await passUntilFinal()
  const [sent] = await stage.outgoing()
  expect(stage.chain.settlementOf(depositAddress)?.txId).toBe(sent?.tx_id)
  expect(await stage.load(id)).toMatchObject({ status: 'swept', sweepTxId: sent?.tx_id, lateTaken: true })
})

test('a sweep mined again without the deposit, which arrives later, is made once more', async () => {
  const id = await openSweep()
  const { depositAddress } = await stage.load(id)
  const [sent] = await stage.outgoing()
  stage.chain.reorg(confirmations + 2)
  stage.chain.arrive(depositAddress, -due)
  stage.chain.pool.set(sent?.tx_id ?? '0x', sent?.raw ?? '0x')
  await stage.chain.mine()
  stage.chain.arrive(depositAddress, due)
  await passUntilFinal()
  expect(stage.chain.balanceOf(depositAddress)).toBe(0n)
  expect(await stage.load(id)).toMatchObject({ status: 'swept', sweptAmount: due })
})

test('a sweep mined again after the rest has arrived counts its new amount', async () => {
  const least = 24_000_000n
  const id = await openSweep(least)
  const { depositAddress } = await stage.load(id)
  const [sent] = await stage.outgoing()
  stage.chain.reorg(confirmations + 2)
  stage.chain.arrive(depositAddress, due - least)
  stage.chain.pool.set(sent?.tx_id ?? '0x', sent?.raw ?? '0x')
  await stage.chain.mine()
  const rest = transferOf(String(due - least), { blockTimeMs: stage.clock.nowMs, blockNumber: 120 })
  await stage.apply(id, { type: 'transfer.confirmed', transfer: rest })
  await passUntilFinal()
  expect(await stage.load(id)).toMatchObject({ status: 'swept', sweptAmount: due, refund: 'none' })
})

test('transactions deeper than any reorg are no longer checked, and a lagging node proves nothing', async () => {
  await openRefund()
  const network = { ...stage.network, finalityBlocks }
  const behind = { head: async () => ({ ...(await stage.sender.head()), number: 100 }), nonce: async () => 0 }
  await createSweeper({ ...stage.deps(behind), network }).pass(never)
  expect(await stage.outgoing()).toMatchObject([{ state: 'confirmed' }])

  await stage.chain.mine(finalityBlocks)
  await pass()
  let asked = 0
  const counted = {
    async head() {
      asked += 1
      return await stage.sender.head()
    },
  }
  await createSweeper({ ...stage.deps(counted), network }).pass(never)
  expect(asked).toBe(0)
})

/** The given number of sweeps, each by its own final transaction. */
async function openSweeps(count: number, network: ModelStage['network']): Promise<PaymentId[]> {
  const ids: PaymentId[] = []
  const sweeper = createSweeper({ ...stage.deps(), network: { ...network, finalityBlocks: confirmations + 1 } })
  for (let opened = 0; opened < count; opened++) {
    ids.push(await stage.pay())
    await sweeper.pass(never)
    await stage.chain.mine(confirmations)
    await sweeper.pass(never)
  }
  return ids
}

test('transactions within reorg depth do not keep later ones from being checked', async () => {
  // Rechecks begin when all are final.
  const isLater = { ...stage.network, pollMs: 1_000_000 }
  const ids = await openSweeps(51, isLater)
  const last = await stage.load(ids.at(-1) as PaymentId)
  stage.clock.nowMs += 1_000_000
  stage.chain.reorg(confirmations)
  expect(stage.chain.settlementOf(last.depositAddress)).toBeUndefined()
  const sweeper = createSweeper({ ...stage.deps(), network: { ...stage.network, finalityBlocks: 100_000 } })
  await stage.chain.mine(confirmations)
  for (let passes = 0; passes < 4; passes++) {
    await sweeper.pass(never)
    stage.clock.nowMs += 15_000
  }
  await stage.chain.mine(confirmations)
  expect(stage.chain.settlementOf(last.depositAddress)).toBeDefined()
})

test('a transaction that no node returns does not keep others from being checked', async () => {
  await openSweeps(3, { ...stage.network, pollMs: 1_000_000 })
  const [first] = await stage.outgoing()
  stage.clock.nowMs += 1_000_000
  await stage.chain.mine(finalityBlocks)
  const receipt: typeof stage.sender.receipt = async (txId, factory) => {
    if (txId === first?.tx_id) throw new Error('no node responds')
    return await stage.sender.receipt(txId, factory)
  }
  const network = { ...stage.network, finalityBlocks }
  await expect(createSweeper({ ...stage.deps({ receipt }), network }).pass(never)).rejects.toThrow('no node responds')
  const left = () =>
    stage.db.read((tx) =>
      tx.all<{ txId: string }>(sql`select tx_id as "txId" from outgoing_transactions where recheck_block is not null`),
    )
  expect(await left()).toEqual([{ txId: first?.tx_id }])
  await createSweeper({ ...stage.deps(), network }).pass(never)
  expect(await left()).toEqual([])
})
