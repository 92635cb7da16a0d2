import { ValidationError } from '../core/errors.ts'
import type { Caller } from './caller.ts'
import { KeyScopeError } from './key-scopes.ts'

/** As long as what a request may name. */
const ownerMax = 100

export type AgentFields = {
  agentId?: string | null | undefined
  agentOwner?: string | null | undefined
  callbackUrl?: string | null | undefined
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
 * @throws {KeyScopeError} for a `callbackUrl`, because it names where the news of money goes, and for another agent's id.
 */
export function boundToAgent<Body extends AgentFields>(
  caller: Pick<Caller, 'scope' | 'agentId' | 'merchantName'>,
  body: Body,
): Body {
  const { scope, agentId } = caller
  if (scope !== 'agent') return body
  if (body.callbackUrl != null) throw new KeyScopeError('This key has the scope "agent": it may not set callbackUrl.')
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
