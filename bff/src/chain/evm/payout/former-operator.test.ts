import { afterEach, beforeEach, expect, test } from 'vitest'
import { confirmations, type ModelStage, openModelStage, payer } from '../../../../test/model-payouts.ts'

const never = new AbortController().signal
let stage: ModelStage
beforeEach(async () => {
  stage = await openModelStage()
})
afterEach(() => stage.close())

test('after the operator’s key was changed a refund of an older deposit waits, names its operator, and goes by that key', async () => {
  const deadlineSeconds = Math.floor(stage.clock.nowMs / 1000) + 900
  const operator = stage.former.address
  const id = await stage.pay({ paid: 10_000_000n, deadlineSeconds, operator })
  stage.clock.nowMs = (await stage.load(id)).windowEndsAtMs + 60_000
  stage.chain.timeSeconds = Math.floor(stage.clock.nowMs / 1000)
  await stage.apply(id, { type: 'window.ended', blockTimeMs: stage.clock.nowMs })
  await stage.apply(id, { type: 'refund.requested', address: payer })
  for (let attempt = 0; attempt < 8; attempt++) {
    await stage.sweeper().pass(never)
    stage.clock.nowMs += 3_700_000
  }
  expect(await stage.load(id)).toMatchObject({ refund: 'failed', refunded: 0n, refunding: 0n })
  const reason = `only the operator ${operator} may send it`
  expect(stage.lines.filter(({ level }) => level === 'warn').at(-1)?.fields).toMatchObject({ paymentId: id, reason })
  expect(await stage.outgoing()).toEqual([])

  const former = () => stage.sweeper({}, stage.former).pass(never)
  await former()
  await stage.chain.mine(confirmations)
  await former()
  expect(await stage.load(id)).toMatchObject({ refund: 'none', refunded: 10_000_000n })
})
