import type { AgentGuard } from '../checkout/agent-guard.ts'
import type { Runtime } from '../core/runtime.ts'
import type { Db } from '../db/db.ts'
import { AgentConstraintError, agentKeyOf, checkAgentPays, checkAgentPolicy } from './check-spending.ts'
import { decisionOf, type Verdict } from './decision.ts'
import { saveDecision } from './decision-store.ts'

/** Enforces agents' policies on their payments, and logs each decision. */
export function createAgentGuard({ db, runtime }: { db: Db; runtime: Runtime }): AgentGuard {
  return {
    async checkCreate(tx, payment, isAutonomous) {
      const verdict = await checkAgentPolicy(tx, payment, isAutonomous)
      return async (created) => {
        const agent = agentKeyOf(created)
        const decided = { action: 'create', decidedAtMs: created.createdAtMs, paymentId: created.id } as const
        if (agent) await saveDecision(tx, agent, decisionOf(created, verdict, decided))
      }
    },

    async logRefusal(payment, error) {
      if (!(error instanceof AgentConstraintError)) return
      const agent = agentKeyOf(payment)
      const decided = { action: 'create', decidedAtMs: payment.createdAtMs, paymentId: null } as const
      if (agent) await db.write((tx) => saveDecision(tx, agent, decisionOf(payment, error.verdict, decided)))
    },

    async checkPays(payment) {
      const agent = agentKeyOf(payment)
      if (!agent) return
      const nowMs = runtime.nowMs()
      const decided = { action: 'pay', decidedAtMs: nowMs, paymentId: payment.id } as const
      const log = (verdict: Verdict) => db.write((tx) => saveDecision(tx, agent, decisionOf(payment, verdict, decided)))
      try {
        await log(await db.read((tx) => checkAgentPays(tx, payment, nowMs)))
      } catch (error) {
        if (error instanceof AgentConstraintError) await log(error.verdict)
        throw error
      }
    },
  }
}
