import { sql, type Tx } from '../db/db.ts'
import { flag, integer, orNull, table, text, units } from '../db/table.ts'
import type { PaymentId } from '../payment/payment.ts'
import type { AgentAction, Decision, DecisionRule } from './decision.ts'
import type { AgentKey } from './policy-store.ts'

/**
 * Maximum allowed and maximum refused decisions kept per agent: an hour of a busy agent, months of an ordinary one. The two are limited
 * separately, because anyone with the public key can name an agent and be refused without limit.
 */
export const decisionsMax = 5_000

/** Decisions between two deletions of the excess, because a deletion reads all of them. */
export const trimEvery = 100

/** A quarter of a year, long enough for bookkeeping. */
export const decisionsKeptMs = 90 * 24 * 60 * 60 * 1000

const decisions = table<Decision & { sequence: number }>('agent_decisions', {
  sequence: integer(),
  decidedAtMs: integer(),
  action: text<AgentAction>(),
  isAllowed: flag(),
  rule: text<DecisionRule>(),
  amount: units(),
  tokenDecimals: integer(),
  currency: text(),
  network: text(),
  paymentId: orNull(text<PaymentId>()),
})

/** Adds a decision to the agent's log, and deletes the oldest beyond the limit. */
export async function saveDecision(tx: Tx, { merchantId, isTest, agentId }: AgentKey, made: Decision): Promise<void> {
  const testFlag = isTest ? 1 : 0
  const newest = await tx.get<{ sequence: number }>(sql`
      select sequence from agent_decisions
       where merchant_id = ${merchantId} and is_test = ${testFlag} and agent_id = ${agentId}
       order by sequence desc limit 1`)
  const sequence = (newest?.sequence ?? 0) + 1
  await tx.run(sql`
      insert into agent_decisions (merchant_id, is_test, agent_id, ${decisions.names})
      values (${merchantId}, ${testFlag}, ${agentId}, ${decisions.values({ ...made, sequence })})`)
  if (sequence % trimEvery !== 0) return
  for (const isAllowed of [0, 1]) {
    const ofKind = sql`
        merchant_id = ${merchantId} and is_test = ${testFlag} and agent_id = ${agentId} and is_allowed = ${isAllowed}`
    await tx.run(sql`
        delete from agent_decisions
         where ${ofKind} and sequence <= (
               select sequence from agent_decisions where ${ofKind} order by sequence desc limit 1 offset ${decisionsMax})`)
  }
}

/** Decisions about the agent, newest first, at most `limit`; with `before`, those with a lower sequence. */
export async function loadDecisions(
  tx: Tx,
  { merchantId, isTest, agentId }: AgentKey,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<(Decision & { sequence: number })[]> {
  const rows = await tx.all<object>(sql`
      select ${decisions.names}
        from agent_decisions
       where merchant_id = ${merchantId} and is_test = ${isTest ? 1 : 0} and agent_id = ${agentId}
         and sequence < ${before ?? Number.MAX_SAFE_INTEGER}
       order by sequence desc limit ${limit}`)
  return rows.map(decisions.parse)
}

/** Deletes at most `limit` decisions that are older than `decisionsKeptMs`. @returns how many. */
export async function deleteOldDecisions(tx: Tx, nowMs: number, limit: number): Promise<number> {
  return await tx.run(sql`
      delete from agent_decisions where (merchant_id, is_test, agent_id, sequence) in (
        select merchant_id, is_test, agent_id, sequence from agent_decisions
         where decided_at_ms < ${nowMs - decisionsKeptMs} order by decided_at_ms limit ${limit})`)
}
