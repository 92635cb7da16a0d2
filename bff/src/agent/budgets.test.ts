import { openMerchantDatabase } from '@stablecoin-checkout/rig/merchant-database'
import { newPayment } from '@stablecoin-checkout/rig/new-payment'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { BaseUnits } from '../core/money.ts'
import type { Db } from '../db/db.ts'
import type { Ledger } from '../payment/ledger.ts'
import type { PaymentId } from '../payment/payment.ts'
import { AgentConstraintError, checkAgentPolicy } from './check-spending.ts'
import { dollarDecimals } from './policy.ts'
import { savePolicy } from './policy-store.ts'

const { merchantId } = newPayment()
const startMs = Date.parse('2026-10-30T00:00:00Z')
const hourMs = 60 * 60 * 1000
const oneDollar = 10n ** BigInt(dollarDecimals)

let db: Db
let ledger: Ledger
let remove: () => Promise<void>
beforeEach(async () => {
  ;({ db, ledger, remove } = await openMerchantDatabase())
})
afterEach(() => remove())

/** A payment that an agent asks for, this long after the one before. `fails`: it ends unpaid before the next one. */
const steps = fc.array(
  fc.record({
    waitHours: fc.integer({ min: 0, max: 30 }),
    cents: fc.integer({ min: 1, max: 3_000 }),
    tokenDecimals: fc.constantFrom(6, 18),
    fails: fc.boolean(),
    isTest: fc.integer({ min: 0, max: 4 }).map((one) => one === 0),
  }),
  { minLength: 5, maxLength: 12 },
)
const budgets = fc.record({
  daily: fc.integer({ min: 1_000, max: 5_000 }),
  monthly: fc.integer({ min: 3_000, max: 9_000 }),
})

const centsToDollars = (cents: number): BaseUnits => ((BigInt(cents) * oneDollar) / 100n) as BaseUnits

let agents = 0

/** Returns what was decided for each step: the rule that refused it, or null. */
async function play({ daily, monthly }: { daily: number; monthly: number }, asked: readonly Step[]) {
  agents += 1
  const agentId = `agent ${agents}`
  const times = { createdAtMs: startMs, updatedAtMs: startMs, expiresAtMs: null }
  const lists = { allowedNetworks: null, allowedCurrencies: null, autonomousAllowed: true, maxPerTransaction: null }
  await db.write((tx) =>
    savePolicy(
      tx,
      { merchantId, isTest: false, agentId },
      {
        ...{ agentId, dailyBudget: centsToDollars(daily), monthlyBudget: centsToDollars(monthly) },
        ...lists,
        ...times,
      },
    ),
  )
  const decided: (string | null)[] = []
  let atMs = startMs
  for (const [index, { waitHours, cents, tokenDecimals, fails, isTest }] of asked.entries()) {
    atMs += waitHours * hourMs
    const due = (BigInt(cents) * 10n ** BigInt(tokenDecimals - 2)) as BaseUnits
    const id = `${agentId} ${index}` as PaymentId
    const fields = { id, agentId, agentOwner: 'me', due, least: due, tokenDecimals, createdAtMs: atMs, isTest }
    const payment = newPayment({ ...fields, sequence: 0, depositAddress: `${agentId} ${index}` })
    try {
      await db.write(async (tx) => {
        await checkAgentPolicy(tx, payment, false)
        await ledger.createIn(tx, payment)
      })
      decided.push(null)
      if (fails) await ledger.apply(id, { type: 'payment.closed', as: 'failed', atMs })
    } catch (error) {
      if (!(error instanceof AgentConstraintError)) throw error
      decided.push(error.verdict.rule)
    }
  }
  return decided
}

type Step = { waitHours: number; cents: number; tokenDecimals: number; fails: boolean; isTest: boolean }

/** The same by adding up: what was taken of the UTC day and month, and has not failed. */
function expected({ daily, monthly }: { daily: number; monthly: number }, asked: readonly Step[]): (string | null)[] {
  const kept: { day: string; cents: number }[] = []
  let atMs = startMs
  return asked.map(({ waitHours, cents, fails, isTest }) => {
    atMs += waitHours * hourMs
    // Another policy, or none, is for test payments.
    if (isTest) return null
    const day = new Date(atMs).toISOString().slice(0, 10)
    const sumOf = (period: string) =>
      kept.filter((one) => one.day.startsWith(period)).reduce((sum, one) => sum + one.cents, 0)
    if (sumOf(day) + cents > daily) return 'daily_budget'
    if (sumOf(day.slice(0, 7)) + cents > monthly) return 'monthly_budget'
    if (!fails) kept.push({ day, cents })
    return null
  })
}

test('an agent never spends more than its budgets of a UTC day and month, and all of them, in tokens of any decimals', async () => {
  await fc.assert(
    fc.asyncProperty(budgets, steps, async (limits, asked) => {
      expect(await play(limits, asked)).toEqual(expected(limits, asked))
    }),
    { numRuns: 40 },
  )
})
