import { PaymentError, ValidationError } from '../../core/errors.ts'
import type { Tx } from '../../db/db.ts'
import { hasAgentKey } from '../../merchant/key-store.ts'
import type { Payment } from '../../payment/payment.ts'
import type { Caller } from '../context/caller.ts'

/** As long as the `agentOwner` of a request may be. */
const ownerMax = 100

export type AgentFields = {
  agentId?: string | null | undefined
  agentOwner?: string | null | undefined
  callbackUrl?: string | null | undefined
  returnUrl?: string | null | undefined
}

/** @throws {ValidationError} when only one of the pair is present. */
export function checkAgentPair(body: Pick<AgentFields, 'agentId' | 'agentOwner'>) {
  if ((body.agentId == null) !== (body.agentOwner == null)) {
    throw new ValidationError('Both agentId and agentOwner must be provided together')
  }
}

/** The default `agentOwner` for an agent's key or link. */
export const agentOwnerOf = ({ merchantName }: Pick<Caller, 'merchantName'>): string => merchantName.slice(0, ownerMax)

/**
 * Binds a create with an agent's key to that agent, so that omitting the agent or naming another one does not
 * avoid its policy. Other callers' requests stay unchanged.
 * @throws {PaymentError} KEY_SCOPE for another agent's id, for a `callbackUrl` (it decides who receives the payment's events),
 *   and for a `returnUrl` (it decides where the page sends the customer).
 */
export function boundToAgent<Body extends AgentFields>(
  caller: Pick<Caller, 'scope' | 'agentId' | 'merchantName'>,
  body: Body,
): Body {
  const { scope, agentId } = caller
  if (scope !== 'agent') return body
  for (const field of ['callbackUrl', 'returnUrl'] as const) {
    if (body[field] != null) throw new PaymentError('KEY_SCOPE', `A key with the scope "agent" may not set ${field}.`)
  }
  if (agentId === null) {
    throw new PaymentError(
      'KEY_SCOPE',
      'This key has no agent, so it cannot create anything. Create a new key that names its agent.',
    )
  }
  if (body.agentId != null && body.agentId !== agentId) {
    throw new PaymentError('KEY_SCOPE', `This key belongs to the agent ${agentId} and may not name another agentId.`)
  }
  return { ...body, agentId, agentOwner: body.agentOwner ?? agentOwnerOf(caller) }
}

/**
 * An agent's key reads only its own agent's policy and decisions, because others' reveal what the merchant's other agents buy.
 * @throws {PaymentError} KEY_SCOPE
 */
export function verifyOwnAgent({ scope, agentId: own }: Pick<Caller, 'scope' | 'agentId'>, agentId: string): void {
  if (scope !== 'agent' || own === agentId) return
  throw new PaymentError(
    'KEY_SCOPE',
    'A key with the scope "agent" reads only the policy and decisions of its own agent.',
  )
}

/** Whether an agent was named with a public key, which anyone has, and not by a payment link. */
export const isAgentOfStranger = (
  { kind }: Pick<Caller, 'kind'>,
  { agentId, linkId }: Pick<AgentFields, 'agentId'> & { linkId?: string | null | undefined },
): boolean => kind === 'public' && agentId != null && linkId == null

/** @throws {PaymentError} KEY_SCOPE if the agent has a key of its own: a stranger could otherwise reserve its budget. */
export async function verifyKeyless(tx: Tx, { merchantId, agentId, createdAtMs }: Payment): Promise<void> {
  if (agentId === null || !(await hasAgentKey(tx, merchantId, agentId, createdAtMs))) return
  throw new PaymentError('KEY_SCOPE', `Only keys with a secret create payments of agent ${agentId}.`)
}
