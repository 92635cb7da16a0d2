import type { z } from '@hono/zod-openapi'
import { verifyOwnAgent } from '../access/callers/agent-key.ts'
import type { Caller } from '../access/context/caller.ts'
import { PaymentError, ValidationError } from '../core/errors.ts'
import { findNetwork, type Networks, tokensOf } from '../core/families.ts'
import { knownCurrencies } from '../core/known-currencies.ts'
import type { Runtime } from '../core/runtime.ts'
import type { Db } from '../db/db.ts'
import { loadDecisions } from './decision-store.ts'
import { type AgentPolicy, parseDollars } from './policy.ts'
import {
  type DecisionItem,
  decisionView,
  type Policy,
  type PolicyBody,
  policyText,
  policyView,
} from './policy-schemas.ts'
import { type AgentKey, deletePolicy, loadPolicies, loadPolicy, loadSpent, savePolicy } from './policy-store.ts'

type Deps = { db: Db; networks: Networks; runtime: Runtime }

/** `change`: the terms before and after, for the audit log. */
type Saved = { policy: z.infer<typeof Policy>; change: { before: string | null; after: string } }

export type Policies = ReturnType<typeof createPolicies>

const keyOf = ({ merchantId, isTest }: Caller, agentId: string): AgentKey => ({ merchantId, isTest, agentId })

/** The policies of the caller's merchant, in the live or test mode of the caller's key. */
export function createPolicies({ db, networks, runtime }: Deps) {
  /** @throws {ValidationError} because a misspelled name would forbid what was meant to be allowed. */
  function knownNetwork(name: string): string {
    const network = findNetwork(networks, name)
    if (network) return network.shortName
    throw new ValidationError(
      `allowedNetworks: there is no network "${name}" (there are: ${[...networks.keys()].join(', ')})`,
    )
  }

  /** @throws {ValidationError} like `knownNetwork`. */
  function knownSymbol(symbol: string): string {
    const known = [
      ...new Set([...Object.keys(knownCurrencies), ...tokensOf(networks.values()).map((one) => one.symbol)]),
    ]
    if (known.includes(symbol)) return symbol
    throw new ValidationError(`allowedCurrencies: there is no token "${symbol}" (there are: ${known.join(', ')})`)
  }

  function policyOf(agentId: string, body: z.infer<typeof PolicyBody>): AgentPolicy {
    const dollars = (text: string | null | undefined) => (text == null ? null : parseDollars(text))
    const nowMs = runtime.nowMs()
    return {
      agentId,
      maxPerTransaction: dollars(body.maxPerTransaction),
      dailyBudget: dollars(body.dailyBudget),
      monthlyBudget: dollars(body.monthlyBudget),
      allowedNetworks: body.allowedNetworks?.map(knownNetwork) ?? null,
      allowedCurrencies: body.allowedCurrencies?.map(knownSymbol) ?? null,
      autonomousAllowed: body.autonomousAllowed ?? false,
      expiresAtMs: body.expiresAt == null ? null : Date.parse(body.expiresAt),
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    }
  }

  return {
    /** @returns null when the agent has no policy. @throws {PaymentError} KEY_SCOPE for another agent than that of the caller's key. */
    async read(caller: Caller, agentId: string): Promise<z.infer<typeof Policy> | null> {
      verifyOwnAgent(caller, agentId)
      const key = keyOf(caller, agentId)
      const found = await db.read(async (tx) => {
        const policy = await loadPolicy(tx, key)
        return policy && policyView(policy, await loadSpent(tx, key, runtime.nowMs()), caller.isTest)
      })
      return found ?? null
    },

    /** Sorted by agent id. `next` is the `after` of the next page; null: there is none. */
    async list(
      { merchantId }: Caller,
      { isTest, after, limit }: { isTest: boolean; after: string; limit: number },
    ): Promise<{ policies: z.infer<typeof Policy>[]; next: string | null }> {
      const nowMs = runtime.nowMs()
      return await db.read(async (tx) => {
        const found = await loadPolicies(tx, { merchantId, isTest }, after, limit + 1)
        const policies: z.infer<typeof Policy>[] = []
        for (const policy of found.slice(0, limit)) {
          const spent = await loadSpent(tx, { merchantId, isTest, agentId: policy.agentId }, nowMs)
          policies.push(policyView(policy, spent, isTest))
        }
        return { policies, next: found.length > limit ? (policies.at(-1)?.agentId ?? null) : null }
      })
    },

    /** Creates the policy, or replaces all of it. @throws {ValidationError} for a network that is not configured. */
    async save(caller: Caller, agentId: string, body: z.infer<typeof PolicyBody>): Promise<Saved> {
      const key = keyOf(caller, agentId)
      const policy = policyOf(agentId, body)
      return await db.write(async (tx) => {
        const before = await loadPolicy(tx, key)
        await savePolicy(tx, key, policy)
        const spent = await loadSpent(tx, key, policy.updatedAtMs)
        const saved = { ...policy, createdAtMs: before?.createdAtMs ?? policy.createdAtMs }
        const change = { before: before ? policyText(before) : null, after: policyText(saved) }
        return { policy: policyView(saved, spent, caller.isTest), change }
      })
    },

    /** @returns the removed terms. @throws {PaymentError} when the agent has no policy. */
    async remove(caller: Caller, agentId: string): Promise<string> {
      const key = keyOf(caller, agentId)
      const removed = await db.write(async (tx) => {
        const before = await loadPolicy(tx, key)
        return before && (await deletePolicy(tx, key)) ? before : undefined
      })
      if (removed) return policyText(removed)
      const message = `Agent ${agentId} has no policy.`
      throw new PaymentError('AGENT_POLICY_NOT_FOUND', message)
    },

    /**
     * The newest decisions first. `next` is the `before` of the next page; null: there is none.
     * @throws {PaymentError} KEY_SCOPE for another agent than that of the caller's key.
     */
    async decisions(
      caller: Caller,
      agentId: string,
      { before, limit }: { before?: number | undefined; limit: number },
    ): Promise<{ decisions: z.infer<typeof DecisionItem>[]; next: number | null }> {
      verifyOwnAgent(caller, agentId)
      const found = await db.read((tx) => loadDecisions(tx, keyOf(caller, agentId), { before, limit: limit + 1 }))
      const decisions = found.slice(0, limit).map(decisionView)
      const next = found.length > limit ? (decisions.at(-1)?.sequence ?? null) : null
      return { decisions, next }
    },
  }
}
