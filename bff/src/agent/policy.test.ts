import { describe, expect, test } from 'vitest'
import { baseUnits } from '../core/money.ts'
import { type AgentPolicy, dollars, parseDollars, periodsOf, refusalOf, type Spent } from './policy.ts'

const nothing: Spent = {
  today: baseUnits('0'),
  thisMonth: baseUnits('0'),
  unrated: { today: [], thisMonth: [] },
}
const policy: AgentPolicy = {
  agentId: 'a1',
  maxPerTransaction: null,
  dailyBudget: null,
  monthlyBudget: null,
  allowedNetworks: null,
  allowedCurrencies: null,
  autonomousAllowed: false,
  expiresAtMs: null,
  createdAtMs: 0,
  updatedAtMs: 0,
}
const payment = {
  network: 'base',
  currency: 'USDC',
  due: baseUnits('25000000'),
  tokenDecimals: 6,
  dollarRate: '1',
  createdAtMs: 1_000,
}
const refusal = (terms: Partial<AgentPolicy>, isAutonomous = false, spent = nothing) =>
  refusalOf({ ...policy, ...terms }, payment, isAutonomous, spent)

describe('a policy', () => {
  test.each<[string, Partial<AgentPolicy>, string]>([
    ['a payment above its limit', { maxPerTransaction: parseDollars('24.999999') }, 'per-transaction limit exceeded'],
    ['what exceeds the day', { dailyBudget: parseDollars('24') }, 'daily budget exceeded'],
    ['what exceeds the month', { monthlyBudget: parseDollars('24') }, 'monthly budget exceeded'],
    ['another network', { allowedNetworks: ['polygon'] }, 'network not allowed: base'],
    ['every network when none is listed', { allowedNetworks: [] }, 'network not allowed: base'],
    ['another currency', { allowedCurrencies: ['USDT'] }, 'currency not allowed: USDC'],
    ['everything once it has expired', { expiresAtMs: 1_000 }, 'policy has expired'],
  ])('refuses %s', (_, terms, reason) => {
    expect(refusal(terms)?.reason).toBe(reason)
  })

  test('refuses a payment that no person confirmed, unless it says otherwise', () => {
    expect(refusal({}, true)).toEqual({ rule: 'autonomous', reason: 'autonomous payments are not allowed' })
    expect(refusal({ autonomousAllowed: true }, true)).toBeUndefined()
  })

  test('permits what is exactly at its limits', () => {
    const limit = parseDollars('25')
    const terms = { maxPerTransaction: limit, dailyBudget: limit, monthlyBudget: limit, expiresAtMs: 1_001 }
    expect(refusal({ ...terms, allowedNetworks: ['base'], allowedCurrencies: ['USDC'] })).toBeUndefined()
  })

  test('counts what was spent before, of the day and of the month', () => {
    const spent = { ...nothing, today: parseDollars('0.000001'), thisMonth: parseDollars('80') }
    expect(refusal({ dailyBudget: parseDollars('25') }, false, spent)?.rule).toBe('daily_budget')
    expect(refusal({ monthlyBudget: parseDollars('105') }, false, spent)).toBeUndefined()
  })
})

test('a dollar is a dollar, whatever the decimals of its token', () => {
  const limit = parseDollars('9.2')
  expect(dollars(baseUnits('9200000'), 6, '1')).toBe(limit)
  expect(dollars(baseUnits('9200000000000000000'), 18, '1')).toBe(limit)
  expect(dollars(baseUnits('920'), 2, '1')).toBe(limit)
  expect(dollars(baseUnits('9200000000000000001'), 18, '1') > limit).toBe(true)
})

describe('a payment in a token of another currency', () => {
  const euros = { ...payment, currency: 'EURC', dollarRate: '1.08' }
  const reasonOf = (terms: Partial<AgentPolicy>, changes: object = {}, spent = nothing) =>
    refusalOf({ ...policy, ...terms }, { ...euros, ...changes }, false, spent)?.reason

  test('counts in dollars at its rate, to the last unit', () => {
    for (const name of ['maxPerTransaction', 'dailyBudget', 'monthlyBudget']) {
      expect(reasonOf({ [name]: parseDollars('27') })).toBeUndefined()
      expect(reasonOf({ [name]: parseDollars('26.999999') })).toMatch(/exceeded$/)
    }
    expect(dollars(baseUnits('1'), 36, '0.5')).toBe(1n)
  })

  test('is refused by every limit without a rate, and by none where there is no limit', () => {
    const huge = parseDollars('1000000')
    for (const name of ['maxPerTransaction', 'dailyBudget', 'monthlyBudget'])
      expect(reasonOf({ [name]: huge }, { dollarRate: null })).toMatch(
        /is in dollars, and there is no rate of EURC in dollars$/,
      )
    expect(reasonOf({}, { dollarRate: null })).toBeUndefined()
  })

  test('that has no rate uses up the budgets of its day and its month', () => {
    const spent = { ...nothing, unrated: { today: [], thisMonth: ['EURC'] } }
    const budgets = { dailyBudget: parseDollars('100'), monthlyBudget: parseDollars('1000') }
    const dollarPayment = { currency: 'USDC', dollarRate: '1' }
    expect(reasonOf(budgets, dollarPayment, spent)).toBe(
      'monthly budget is in dollars, and there is no rate of EURC in dollars',
    )
    expect(reasonOf({ dailyBudget: budgets.dailyBudget }, dollarPayment, spent)).toBeUndefined()
  })
})

test('days and months are those of UTC', () => {
  const { dayMs, monthMs } = periodsOf(Date.parse('2028-02-29T23:59:59.999Z'))
  expect([dayMs, monthMs].map((ms) => new Date(ms).toISOString())).toEqual([
    '2028-02-29T00:00:00.000Z',
    '2028-02-01T00:00:00.000Z',
  ])
})
