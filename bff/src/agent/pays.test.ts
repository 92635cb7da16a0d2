import { openMerchantDatabase } from '@stablecoin-checkout/rig/merchant-database'
import { newPayment } from '@stablecoin-checkout/rig/new-payment'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Runtime } from '../core/runtime.ts'
import type { Db } from '../db/db.ts'
import type { Ledger } from '../payment/ledger.ts'
import type { DepositPayment, PaymentId } from '../payment/payment.ts'
import { createAgentGuard } from './agent-guard.ts'
import { checkAgentPays } from './check-spending.ts'
import { loadDecisions } from './decision-store.ts'
import { type AgentPolicy, parseDollars } from './policy.ts'
import { savePolicy } from './policy-store.ts'

const { merchantId } = newPayment()
const createdAtMs = Date.parse('2026-11-21T12:00:00Z')
const paysAtMs = createdAtMs + 60_000

let db: Db
let ledger: Ledger
let remove: () => Promise<void>
beforeEach(async () => {
  ;({ db, ledger, remove } = await openMerchantDatabase())
})
afterEach(() => remove())

async function create(id: string, changes: Partial<DepositPayment> = {}): Promise<DepositPayment> {
  const agent = { agentId: 'shopper', agentOwner: 'me' }
  const payment = newPayment({
    ...agent,
    id: id as PaymentId,
    depositAddress: id,
    sequence: 0,
    createdAtMs,
    ...changes,
  })
  await db.write((tx) => ledger.createIn(tx, payment))
  return payment
}
const save = (limits: Partial<AgentPolicy>) =>
  db.write((tx) =>
    savePolicy(
      tx,
      { merchantId, isTest: false, agentId: 'shopper' },
      {
        ...{
          agentId: 'shopper',
          maxPerTransaction: null,
          dailyBudget: null,
          monthlyBudget: null,
          allowedNetworks: null,
        },
        ...{ allowedCurrencies: null, autonomousAllowed: false, expiresAtMs: null, createdAtMs: 0, updatedAtMs: 0 },
        ...limits,
      },
    ),
  )
const pays = (payment: DepositPayment, nowMs = paysAtMs) => db.read((tx) => checkAgentPays(tx, payment, nowMs))

test('a payment is not paid after its agent’s policy has expired, though it was made before', async () => {
  const payment = await create('one')
  await save({ expiresAtMs: paysAtMs })
  await expect(pays(payment, paysAtMs - 1)).resolves.toEqual({ rule: 'within_policy', refusal: undefined })
  await expect(pays(payment)).rejects.toMatchObject({ code: 'AGENT_CONSTRAINT_VIOLATED', verdict: { rule: 'expired' } })
})

test('a payment that was made is paid within the budget that it has taken itself, and not beside what others have taken', async () => {
  const payment = await create('one')
  await save({ dailyBudget: parseDollars('25'), monthlyBudget: parseDollars('25') })
  await expect(pays(payment)).resolves.toMatchObject({ rule: 'within_policy' })
  await create('two', { due: newPayment().due })
  await expect(pays(payment)).rejects.toMatchObject({ verdict: { rule: 'daily_budget' } })
  await save({ monthlyBudget: parseDollars('49.99') })
  await expect(pays(payment)).rejects.toMatchObject({ verdict: { rule: 'monthly_budget' } })
  await save({ monthlyBudget: parseDollars('50') })
  await expect(pays(payment)).resolves.toMatchObject({ rule: 'within_policy' })
})

test('a budget that was lowered since counts the day on which the payment was made, whenever it is paid', async () => {
  const payment = await create('one')
  await create('two')
  await save({ dailyBudget: parseDollars('49.99') })
  await expect(pays(payment, createdAtMs + 24 * 60 * 60_000)).rejects.toMatchObject({
    verdict: { rule: 'daily_budget' },
  })
  await save({ dailyBudget: parseDollars('50') })
  await expect(pays(payment, createdAtMs + 24 * 60 * 60_000)).resolves.toMatchObject({ rule: 'within_policy' })
})

test.each([
  ['day', '2026-11-20T23:55:00Z', { dailyBudget: parseDollars('25') }],
  ['month', '2026-10-31T23:55:00Z', { monthlyBudget: parseDollars('25') }],
])(
  'a payment is paid after the end of its %s within the budget of that, whatever was made since',
  async (_, at, limits) => {
    const payment = await create('one', { createdAtMs: Date.parse(at) })
    await create('two', { createdAtMs: Date.parse(at) + 6 * 60_000 })
    await save(limits)
    await expect(pays(payment, Date.parse(at) + 7 * 60_000)).resolves.toMatchObject({ rule: 'within_policy' })
  },
)

test('each payment that an agent pays, or may not pay, is in its log', async () => {
  const payment = await create('one')
  const guard = createAgentGuard({ db, runtime: { nowMs: () => paysAtMs } as Runtime })
  await guard.checkPays(payment)
  await save({ maxPerTransaction: parseDollars('1') })
  await expect(guard.checkPays(payment)).rejects.toMatchObject({ code: 'AGENT_CONSTRAINT_VIOLATED' })
  const key = { merchantId, isTest: false, agentId: 'shopper' }
  const log = await db.read((tx) => loadDecisions(tx, key, { before: undefined, limit: 10 }))
  expect(log).toMatchObject([
    { action: 'pay', isAllowed: false, rule: 'per_transaction', paymentId: 'one', decidedAtMs: paysAtMs },
    { action: 'pay', isAllowed: true, rule: 'no_policy', paymentId: 'one' },
  ])
})

test('a policy that has been tightened since holds for what was made before', async () => {
  const payment = await create('one')
  for (const [limits, rule] of [
    [{ maxPerTransaction: parseDollars('24.99') }, 'per_transaction'],
    [{ allowedNetworks: ['base'] }, 'network'],
    [{ allowedCurrencies: ['USDT'] }, 'currency'],
  ] as const) {
    await save(limits)
    await expect(pays(payment)).rejects.toMatchObject({ verdict: { rule } })
  }
  // Whoever brings the proof has confirmed it.
  await save({ autonomousAllowed: false })
  await expect(pays(payment)).resolves.toMatchObject({ rule: 'within_policy' })
})
