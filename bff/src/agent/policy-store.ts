import { type BaseUnits, baseUnits, zero } from '../core/money.ts'
import { sql, type Tx } from '../db/db.ts'
import type { MerchantId } from '../payment/payment.ts'
import { type AgentPolicy, dollars, periodsOf, type Spent } from './policy.ts'

/** An agent belongs to a merchant and to live or test mode. */
export type AgentKey = { merchantId: MerchantId; isTest: boolean; agentId: string }

type PolicyRow = {
  agent_id: string
  max_per_transaction: string | null
  daily_budget: string | null
  monthly_budget: string | null
  allowed_networks: string | null
  allowed_currencies: string | null
  autonomous_allowed: number
  expires_at_ms: number | null
  created_at_ms: number
  updated_at_ms: number
}

const limit = (text: string | null): BaseUnits | null => (text === null ? null : baseUnits(text))
const list = (json: string | null): string[] | null => (json === null ? null : (JSON.parse(json) as string[]))
const text = (value: BaseUnits | null): string | null => (value === null ? null : String(value))
const json = (value: readonly string[] | null): string | null => (value === null ? null : JSON.stringify(value))

/** Undefined when the agent has no policy. */
export async function loadPolicy(tx: Tx, { merchantId, isTest, agentId }: AgentKey): Promise<AgentPolicy | undefined> {
  const row = await tx.get<PolicyRow>(sql`
      select * from agent_policies
       where merchant_id = ${merchantId} and is_test = ${isTest ? 1 : 0} and agent_id = ${agentId}`)
  return row && fromRow(row)
}

/** The policies of a merchant in the order of their agents' ids, behind one of them, at most `limit`. */
export async function loadPolicies(
  tx: Tx,
  { merchantId, isTest }: Omit<AgentKey, 'agentId'>,
  after: string,
  limit: number,
): Promise<AgentPolicy[]> {
  const rows = await tx.all<PolicyRow>(sql`
      select * from agent_policies
       where merchant_id = ${merchantId} and is_test = ${isTest ? 1 : 0} and agent_id > ${after}
       order by agent_id limit ${limit}`)
  return rows.map(fromRow)
}

function fromRow(row: PolicyRow): AgentPolicy {
  return {
    agentId: row.agent_id,
    maxPerTransaction: limit(row.max_per_transaction),
    dailyBudget: limit(row.daily_budget),
    monthlyBudget: limit(row.monthly_budget),
    allowedNetworks: list(row.allowed_networks),
    allowedCurrencies: list(row.allowed_currencies),
    autonomousAllowed: row.autonomous_allowed === 1,
    expiresAtMs: row.expires_at_ms,
    createdAtMs: row.created_at_ms,
    updatedAtMs: row.updated_at_ms,
  }
}

/** Creates the policy, or replaces all of it but the time it was created. */
export async function savePolicy(tx: Tx, { merchantId, isTest }: AgentKey, policy: AgentPolicy): Promise<void> {
  await tx.run(sql`
      insert into agent_policies (
        merchant_id, is_test, agent_id, max_per_transaction, daily_budget, monthly_budget, allowed_networks,
        allowed_currencies, autonomous_allowed, expires_at_ms, created_at_ms, updated_at_ms)
      values (
        ${merchantId}, ${isTest ? 1 : 0}, ${policy.agentId}, ${text(policy.maxPerTransaction)},
        ${text(policy.dailyBudget)}, ${text(policy.monthlyBudget)}, ${json(policy.allowedNetworks)},
        ${json(policy.allowedCurrencies)}, ${policy.autonomousAllowed ? 1 : 0}, ${policy.expiresAtMs},
        ${policy.createdAtMs}, ${policy.updatedAtMs})
      on conflict (merchant_id, is_test, agent_id) do update
         set max_per_transaction = excluded.max_per_transaction, daily_budget = excluded.daily_budget,
             monthly_budget = excluded.monthly_budget, allowed_networks = excluded.allowed_networks,
             allowed_currencies = excluded.allowed_currencies, autonomous_allowed = excluded.autonomous_allowed,
             expires_at_ms = excluded.expires_at_ms, updated_at_ms = excluded.updated_at_ms`)
}

/** @returns false when the agent has no policy. */
export async function deletePolicy(tx: Tx, { merchantId, isTest, agentId }: AgentKey): Promise<boolean> {
  const deleted = await tx.run(sql`
      delete from agent_policies
       where merchant_id = ${merchantId} and is_test = ${isTest ? 1 : 0} and agent_id = ${agentId}`)
  return deleted > 0
}

type SpentRow = { token_decimals: number; due: string; today: number; count: number }

/**
 * Dollars of the agent's payments of the day and the month of `atMs` that are paid or can become paid, an expired one whose
 * late money is accepted included: computed from the payments themselves, so that there is no counter that could drift, and
 * a payment that fails for good gives its amount back.
 * Grouped by amount and added up here, because 18-decimals amounts overflow the integers of a database.
 */
export async function loadSpent(tx: Tx, { merchantId, isTest, agentId }: AgentKey, atMs: number): Promise<Spent> {
  const { dayMs, monthMs } = periodsOf(atMs)
  const unfailed = await tx.all<SpentRow>(sql`
      select token_decimals, due, sum(case when created_at_ms >= ${dayMs} then 1 else 0 end) as today, count(*) as count
        from payments
       where merchant_id = ${merchantId} and is_test = ${isTest ? 1 : 0} and agent_id = ${agentId}
         and created_at_ms >= ${monthMs} and status not in ('expired', 'cancelled', 'failed')
       group by token_decimals, due`)
  const payableLate = await tx.all<SpentRow>(sql`
      select token_decimals, due, sum(case when created_at_ms >= ${dayMs} then 1 else 0 end) as today, count(*) as count
        from payments
       where merchant_id = ${merchantId} and is_test = ${isTest ? 1 : 0} and agent_id = ${agentId}
         and created_at_ms >= ${monthMs} and status = 'expired' and closed_as is null
         and accepted_until_ms is not null and late_ended = 0
       group by token_decimals, due`)
  let [today, thisMonth] = [zero, zero]
  for (const { token_decimals, due, today: countToday, count } of [...unfailed, ...payableLate]) {
    const amount = dollars(baseUnits(due), token_decimals)
    today = (today + amount * BigInt(countToday)) as BaseUnits
    thisMonth = (thisMonth + amount * BigInt(count)) as BaseUnits
  }
  return { today, thisMonth }
}
