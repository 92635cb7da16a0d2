import { ValidationError } from '../core/errors.ts'
import type { Caller } from './caller.ts'
import { KeyScopeError } from './key-scopes.ts'

/** As long as what a request may name. */
const ownerMax = 100

export type AgentFields = {
  agentId?: string | null | undefined
  agentOwner?: string | null | undefined
  callbackUrl?: string | null | undefined
  returnUrl?: string | null | undefined
}

/** @throws {ValidationError} when one of the pair is there without the other. */
export function checkAgentPair(body: Pick<AgentFields, 'agentId' | 'agentOwner'>) {
  if ((body.agentId == null) !== (body.agentOwner == null)) {
    throw new ValidationError('Both agentId and agentOwner must be provided together')
  }
}

/** Whom an agent acts for whose key, or link, names nobody. */
export const agentOwnerOf = ({ merchantName }: Pick<Caller, 'merchantName'>): string => merchantName.slice(0, ownerMax)

/**
 * What a create asks for, where an agent's key makes it: the payment counts as that agent's, so that neither leaving the agent out nor naming
 * another one avoids its policy. Any other caller's request is left as it is.
 * @throws {KeyScopeError} for a `callbackUrl`, which names who receives the events of money, for a `returnUrl`, which names where the page sends
 * the customer, and for another agent's id.
 */
export function boundToAgent<Body extends AgentFields>(
  caller: Pick<Caller, 'scope' | 'agentId' | 'merchantName'>,
  body: Body,
): Body {
  const { scope, agentId } = caller
  if (scope !== 'agent') return body
  for (const field of ['callbackUrl', 'returnUrl'] as const) {
    if (body[field] != null) throw new KeyScopeError(`This key has the scope "agent": it may not set ${field}.`)
  }
  if (agentId === null) {
    throw new KeyScopeError(
      'This key is bound to no agent, so it creates nothing: make a new one that names its agent.',
    )
  }
  if (body.agentId != null && body.agentId !== agentId) {
    throw new KeyScopeError(`This key is of the agent ${agentId}: it may not name another agentId.`)
  }
  return { ...body, agentId, agentOwner: body.agentOwner ?? agentOwnerOf(caller) }
}

/**
 * An agent's key reads the policy of its own agent and the decisions about it: those of others say what the merchant's other agents buy.
 * @throws {KeyScopeError}
 */
export function verifyOwnAgent({ scope, agentId: own }: Pick<Caller, 'scope' | 'agentId'>, agentId: string): void {
  if (scope !== 'agent' || own === agentId) return
  throw new KeyScopeError(
    'This key has the scope "agent": it reads the policy and the decisions of its own agent only.',
  )
}
