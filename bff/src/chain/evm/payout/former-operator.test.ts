import { confirmations, type ModelStage, openModelStage, payer } from '@stablecoin-checkout/rig/model-payouts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sql } from '../../../db/db.ts'
import { openMax } from './monitor.ts'
import { createSweeper } from './sweeper.ts'

const never = new AbortController().signal
let stage: ModelStage
beforeEach(async () => {
  stage = await openModelStage()
})
afterEach(() => stage.close())

/** An underpaid deposit of the former operator, whose payer has set an address. */
async function openFormerRefund() {
  const deadlineSeconds = Math.floor(stage.clock.nowMs / 1000) + 900
  const operator = stage.former.address
  const id = await stage.pay({ paid: 10_000_000n, deadlineSeconds, operator })
  stage.clock.nowMs = (await stage.load(id)).windowEndsAtMs + 60_000
  stage.chain.timeSeconds = Math.floor(stage.clock.nowMs / 1000)
  await stage.apply(id, { type: 'window.ended', blockTimeMs: stage.clock.nowMs })
  await stage.apply(id, { type: 'refund.requested', address: payer })
  return { id, operator }
}

/** A sweeper of the present operator that also has the former one's key. */
const withFormer = (changes: Parameters<ModelStage['deps']>[0] = {}) =>
  createSweeper({ ...stage.deps(changes), formerSigners: [stage.former] })

test('after the operator’s key was changed a refund of an older deposit waits, and names its operator', async () => {
  const { id, operator } = await openFormerRefund()
  for (let attempt = 0; attempt < 8; attempt++) {
    await stage.sweeper().pass(never)
    stage.clock.nowMs += 3_700_000
  }
  expect(await stage.load(id)).toMatchObject({ refund: 'failed', refunded: 0n, refunding: 0n })
  const reason = `only the operator ${operator} may send it: add its key to FORMER_OPERATOR_KEYS`
  expect(stage.lines.filter(({ level }) => level === 'warn').at(-1)?.fields).toMatchObject({ paymentId: id, reason })
  expect(await stage.outgoing()).toEqual([])
})

test('with the former operator’s key the refund is sent by that account, and sweeps by the new one', async () => {
  const { id } = await openFormerRefund()
  const paid = await stage.pay()
  await withFormer().pass(never)
  await stage.chain.mine(confirmations)
  await withFormer().pass(never)
  expect(await stage.load(id)).toMatchObject({ refund: 'none', refunded: 10_000_000n })
  expect(await stage.load(paid)).toMatchObject({ status: 'swept' })
  const senders = new Set((await stage.outgoing()).map(({ sender }) => sender))
  expect(senders).toEqual(new Set([stage.former.address.toLowerCase(), stage.signer.address.toLowerCase()]))
})

test('a former operator without gas delays only its own refunds', async () => {
  const refunds = [await openFormerRefund(), await openFormerRefund()]
  const former = stage.former.address.toLowerCase()
  const sweeper = withFormer({ balance: async (account) => (account.toLowerCase() === former ? 0n : 10n ** 18n) })
  const paid = await stage.pay()
  await sweeper.pass(never)
  await stage.chain.mine(confirmations)
  await sweeper.pass(never)
  expect(await stage.load(paid)).toMatchObject({ status: 'swept' })
  expect(await stage.load(refunds[0]?.id ?? paid)).toMatchObject({ refund: 'queued', refunded: 0n })
})

test('a stuck refund of a former operator is replaced by that account, at its nonce', async () => {
  const { id } = await openFormerRefund()
  await withFormer().pass(never)
  stage.chain.pool.clear()
  stage.clock.nowMs += 90_000
  await withFormer().pass(never)
  expect((await stage.outgoing()).map(({ sender, nonce, state }) => ({ sender, nonce, state }))).toEqual([
    { sender: stage.former.address.toLowerCase(), nonce: 0, state: 'replaced' },
    { sender: stage.former.address.toLowerCase(), nonce: 0, state: 'stored' },
  ])
  await stage.chain.mine(confirmations)
  await withFormer().pass(never)
  expect(await stage.load(id)).toMatchObject({ refunded: 10_000_000n })
})

for (const isConfigured of [true, false]) {
  test(`a former operator’s unpayable transaction does not block the present one${isConfigured ? '' : ', also without its key'}`, async () => {
    const { id } = await openFormerRefund()
    const former = stage.former.address
    // Its balance was moved to the new account between the check and the block.
    stage.chain.refusal = { answer: 'no-gas', reason: 'insufficient funds for gas * price + value' }
    await withFormer().pass(never)
    expect(await stage.load(id)).toMatchObject({ refunding: 10_000_000n })
    stage.chain.refusal = undefined
    const [stuck] = await stage.outgoing()
    const changes = {
      balance: async (account: string) => (account.toLowerCase() === former.toLowerCase() ? 0n : 10n ** 18n),
      broadcast: async (raw: `0x${string}`) =>
        raw === stuck?.raw
          ? ({ answer: 'no-gas', reason: 'insufficient funds for gas * price + value' } as const)
          : await stage.sender.broadcast(raw),
    }
    const sweeper = isConfigured ? withFormer(changes) : createSweeper(stage.deps(changes))
    stage.clock.nowMs += 15_000
    const paid = await stage.pay()
    for (let passes = 0; passes < 8; passes++) {
      await sweeper.pass(never)
      await stage.chain.mine(confirmations)
      stage.clock.nowMs += 15_000
    }
    expect(await stage.load(paid)).toMatchObject({ status: 'swept' })
    const named = stage.lines
      .filter(({ fields }) => fields['needed'] !== undefined)
      .map(({ fields }) => fields['address'])
    expect(new Set(named)).toEqual(new Set([former]))
  })
}

test('a former operator’s maximum of pending transactions does not block the present one either', async () => {
  for (let count = 0; count < 18; count++) await openFormerRefund()
  const isFormer = async (raw: `0x${string}`) =>
    (await stage.outgoing()).some((one) => one.raw === raw && one.sender === stage.former.address.toLowerCase())
  const sweeper = withFormer({
    broadcast: async (raw) =>
      (await isFormer(raw)) ? { answer: 'refused', reason: 'the fee is too low' } : await stage.sender.broadcast(raw),
  })
  const stored = async () => (await stage.outgoing()).filter(({ state }) => state === 'stored').length
  for (let passes = 0; passes < 6; passes++) {
    await sweeper.pass(never)
    stage.clock.nowMs += 1_000
  }
  expect(await stored()).toBe(openMax)
  const paid = await stage.pay()
  for (let passes = 0; passes < 4; passes++) {
    await sweeper.pass(never)
    await stage.chain.mine(confirmations)
    stage.clock.nowMs += 15_000
  }
  expect(await stage.load(paid)).toMatchObject({ status: 'swept' })
  expect(await stored()).toBe(openMax)
})

test('refunds of a former operator that too few nodes confirm hold up none of its others', async () => {
  const sweeper = withFormer({ isAttested: async () => false })
  for (let count = 0; count < openMax; count++) {
    const { id } = await openFormerRefund()
    await stage.db.write((tx) => tx.run(sql`update payments set confirmations = 6 where id = ${id}`))
    await sweeper.pass(never)
    await stage.chain.mine(confirmations)
  }
  await sweeper.pass(never)
  const { id } = await openFormerRefund()
  await sweeper.pass(never)
  await stage.chain.mine(confirmations)
  await sweeper.pass(never)
  expect(await stage.load(id)).toMatchObject({ refund: 'none', refunded: 10_000_000n })
})
