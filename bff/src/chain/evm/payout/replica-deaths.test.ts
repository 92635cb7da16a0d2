import { untilMined } from '@stablecoin-checkout/rig/anvil-client'
import { type Death, openDyingDb } from '@stablecoin-checkout/rig/dying-replica'
import { confirmations, due, openStage, type Stage } from '@stablecoin-checkout/rig/sweeper-stage'
import { getAddress, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { silentLog } from '../../../core/log.ts'
import { baseUnits } from '../../../core/money.ts'
import { sql } from '../../../db/db.ts'
import { createGasBalances } from '../../../network/gas-balances.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { createSweeper } from './sweeper.ts'

const never = new AbortController().signal
const excess = 5_000_000n
/** Wei; less would not be worth its gas. */
const coins = 10n ** 16n
const coin = '0x0000000000000000000000000000000000000000'
/** Runs passes until a payout has ended, however often it was interrupted. */
const passesMax = 40
/** More commits than a payout has. */
const commitsMax = 20

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

/** A replica's payout worker. */
function startReplica(death?: Death) {
  const { db, verifyAlive, isDead } = openDyingDb(stage.db, death)
  const { ledger, network, signer, runtime } = stage
  const sender = {
    ...stage.sender,
    async broadcast(raw: Hex) {
      verifyAlive()
      return await stage.sender.broadcast(raw)
    },
  }
  const gasBalances = createGasBalances()
  const worker = createSweeper({ db, ledger, network, sender, signer, runtime, log: silentLog, gasBalances })
  return { pass: () => worker.pass(never), isDead }
}

/** Works until nothing is queued any more, or the replica has died. */
async function work(replica: ReturnType<typeof startReplica>, id: PaymentId): Promise<void> {
  for (let passes = 0; passes < passesMax; passes++) {
    await replica.pass().catch((error: unknown) => {
      if (!replica.isDead()) throw error
    })
    if (replica.isDead()) return
    const queued = await stage.db.read((tx) => tx.all(sql`select 1 as one from payouts where payment_id = ${id}`))
    if (queued.length === 0) return
    await stage.chain.mine({ blocks: 1 })
    stage.clock.nowMs += 1_000
  }
  throw new Error('The payouts have not ended.')
}

const newAddress = () => `0x${Buffer.from(stage.runtime.randomBytes(20)).toString('hex')}` as Hex

/** The excess of a deposit swept before, so that it is returned by its own transaction. */
async function owedRefund(to: Hex): Promise<PaymentId> {
  const id = await stage.pay({ amount: due })
  await stage.passUntil(stage.sweeper(), 'swept', [id])
  await stage.payMore(id, excess)
  await stage.requestRefund(id, to)
  return id
}

/** Coins received at the address of a token deposit. */
async function owedReturn(to: Hex): Promise<PaymentId> {
  const id = await stage.pay({ amount: due })
  await stage.passUntil(stage.sweeper(), 'swept', [id])
  const { depositAddress } = await stage.load(id)
  await stage.chain.sendTransaction({ account: stage.customer, to: depositAddress as Hex, value: coins } as never)
  await untilMined(stage.chain)
  const where = { network: 'devnet', token: coin, currency: 'ETH', decimals: 18, txId: null }
  const block = Number(await stage.chain.getBlockNumber())
  const balance = baseUnits(String(coins))
  await stage.ledger.apply(id, { type: 'unmatched.measured', ...where, balance, block, atMs: stage.clock.nowMs })
  await stage.requestRefund(id, to)
  return id
}

type Payout = {
  kind: string
  make: (to: Hex) => Promise<PaymentId>
  /** What the chain shows of it when it has happened once. */
  expectOnce: (id: PaymentId, to: Hex, death: string) => Promise<void>
}

const returnsTo =
  (amount: bigint): Payout['expectOnce'] =>
  async (id, to, death) =>
    expect([death, await stage.refunds(id)]).toEqual([death, [{ to: getAddress(to), amount }]])

async function expectSwept(id: PaymentId, _: Hex, death: string): Promise<void> {
  expect([death, await stage.settlements(id)]).toEqual([death, 1])
  expect(await stage.load(id)).toMatchObject({ status: 'swept' })
}

const payouts: Payout[] = [
  { kind: 'sweep', make: () => stage.pay(), expectOnce: expectSwept },
  { kind: 'refund', make: owedRefund, expectOnce: returnsTo(excess) },
  { kind: 'return', make: owedReturn, expectOnce: returnsTo(coins) },
]

for (const { kind, make, expectOnce } of payouts) {
  test(`replicas die one after the other at each commit of a ${kind}: the next one continues, and the money moves once`, async () => {
    const died: string[] = []
    for (let commit = 1; commit <= commitsMax; commit++) {
      for (const at of ['inside', 'after'] as const) {
        const to = newAddress()
        const id = await make(to)
        const replica = startReplica({ commit, at })
        await work(replica, id)
        if (replica.isDead()) died.push(`${commit} ${at}`)
        await work(startReplica(), id)
        await stage.chain.mine({ blocks: confirmations })
        await expectOnce(id, to, `${commit} ${at}`)
      }
      if (!died.includes(`${commit} inside`)) break
    }
    // Stored before broadcast, marked as broadcast, and counted.
    expect(died.length).toBeGreaterThanOrEqual(6)
    const nonces = (await stage.outgoing()).map(({ nonce }) => nonce)
    expect(new Set(nonces).size).toBe(nonces.length)
    expect(await stage.operatorNonce()).toBe(nonces.length)
  }, 120_000)
}
