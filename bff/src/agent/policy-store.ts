import { type BaseUnits, baseUnits, zero } from '../core/money.ts'
import { sql, type Tx } from '../db/db.ts'
import { fixed, flag, integer, json, orNull, table, text, units } from '../db/table.ts'
import type { MerchantId } from '../payment/payment.ts'
import { type AgentPolicy, dollars, periodsOf, type Spent } from './policy.ts'

/** An agent belongs to a merchant and to live or test mode. */
export type AgentKey = { merchantId: MerchantId; isTest: boolean; agentId: string }

const policies = table<AgentPolicy>('agent_policies', {
  agentId: fixed(text()),
  maxPerTransaction: orNull(units()),
  dailyBudget: orNull(units()),
  monthlyBudget: orNull(units()),
  allowedNetworks: orNull(json<readonly string[]>()),
  allowedCurrencies: orNull(json<readonly string[]>()),
  autonomousAllowed: flag(),
  expiresAtMs: orNull(integer()),
  createdAtMs: fixed(integer()),
  updatedAtMs: integer(),
})

/** Undefined when the agent has no policy. */
export async function loadPolicy(tx: Tx, { merchantId, isTest, agentId }: AgentKey): Promise<AgentPolicy | undefined> {
  const row = await tx.get<object>(sql`
      select * from agent_policies
       where merchant_id = ${merchantId} and is_test = ${isTest ? 1 : 0} and agent_id = ${agentId}`)
  return row && policies.parse(row)
}

/** A merchant's policies in order of agent id, after a given one, at most `limit`. */
export async function loadPolicies(
  tx: Tx,
  { merchantId, isTest }: Omit<AgentKey, 'agentId'>,
  after: string,
  limit: number,
): Promise<AgentPolicy[]> {
  const rows = await tx.all<object>(sql`
      select * from agent_policies
       where merchant_id = ${merchantId} and is_test = ${isTest ? 1 : 0} and agent_id > ${after}
       order by agent_id limit ${limit}`)
  return rows.map(policies.parse)
}

/** Creates the policy, or replaces all of it but its creation time. */
export async function savePolicy(tx: Tx, { merchantId, isTest }: AgentKey, policy: AgentPolicy): Promise<void> {
  await tx.run(sql`
      insert into agent_policies (merchant_id, is_test, ${policies.names})
      values (${merchantId}, ${isTest ? 1 : 0}, ${policies.values(policy)})
      on conflict (merchant_id, is_test, agent_id) do update set ${policies.excluded}`)
}

/** @returns false when the agent has no policy. */
export async function deletePolicy(tx: Tx, { merchantId, isTest, agentId }: AgentKey): Promise<boolean> {
  const deleted = await tx.run(sql`
      delete from agent_policies
       where merchant_id = ${merchantId} and is_test = ${isTest ? 1 : 0} and agent_id = ${agentId}`)
  return deleted > 0
}

type SpentRow = {
  currency: string
  token_decimals: number
  dollar_rate: string | null
  due: string
  today: number
  count: number
}

/**
 * The dollars, at each payment's rate at creation, of the agent's payments in the day and the month of `atMs` that are paid or can still
 * become paid, including expired ones whose late money is accepted. Computed from the payments, so that no counter can drift, and a payment
 * that fails for good releases its amount. Grouped by amount and summed here, because amounts with 18 decimals overflow the integers of a
 * database.
 */
export async function loadSpent(tx: Tx, { merchantId, isTest, agentId }: AgentKey, atMs: number): Promise<Spent> {
  const { dayMs, nextDayMs, monthMs, nextMonthMs } = periodsOf(atMs)
  const isOfDay = sql`created_at_ms >= ${dayMs} and created_at_ms < ${nextDayMs}`
  const isOfMonth = sql`created_at_ms >= ${monthMs} and created_at_ms < ${nextMonthMs}`
  // In one statement: on PostgreSQL a payment that late money completes between two would be in neither. Two parts, because each has its index.
  const rows = await tx.all<SpentRow>(sql`
      select currency, token_decimals, dollar_rate, due,
             sum(case when ${isOfDay} then 1 else 0 end) as today, count(*) as count
        from payments
       where merchant_id = ${merchantId} and is_test = ${isTest ? 1 : 0} and agent_id = ${agentId}
         and ${isOfMonth} and status not in ('expired', 'cancelled', 'failed')
       group by currency, token_decimals, dollar_rate, due
      union all
      select currency, token_decimals, dollar_rate, due,
             sum(case when ${isOfDay} then 1 else 0 end) as today, count(*) as count
        from payments
       where merchant_id = ${merchantId} and is_test = ${isTest ? 1 : 0} and agent_id = ${agentId}
         and ${isOfMonth} and status = 'expired' and closed_as is null
         and accepted_until_ms is not null and late_ended = 0
       group by currency, token_decimals, dollar_rate, due`)
  let [today, thisMonth] = [zero, zero]
  const unrated = { today: new Set<string>(), thisMonth: new Set<string>() }
  for (const { currency, token_decimals, dollar_rate, due, today: countToday, count } of rows) {
    if (dollar_rate === null) {
      unrated.thisMonth.add(currency)
      if (countToday > 0) unrated.today.add(currency)
      continue
    }
    const amount = dollars(baseUnits(due), token_decimals, dollar_rate)
    today = (today + amount * BigInt(countToday)) as BaseUnits
    thisMonth = (thisMonth + amount * BigInt(count)) as BaseUnits
  }
  return { today, thisMonth, unrated: { today: [...unrated.today], thisMonth: [...unrated.thisMonth] } }
}
