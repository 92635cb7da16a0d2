/**
 * The wallet's prompts. `authorize` is a signature that pays without a fee for the customer; `payWithPermit` sends the
 * payment with the signed permit.
 */
export type PlannedPrompt = 'authorize' | 'batch' | 'sign' | 'payWithPermit' | 'reset' | 'approve' | 'pay' | 'transfer'

/** Whether a wallet supports atomic batches (EIP-5792). `ready`: after an account upgrade. */
export type Atomic = 'supported' | 'ready' | 'unsupported'

/** Inputs of the plan. */
export type Situation = {
  type: 'contract' | 'transfer'
  amount: bigint
  /** The splitter's allowance; null when the wallet failed to answer. */
  allowance: bigint | null
  atomic: Atomic
  /** The service sends the customer's signature. */
  hasAuthorization: boolean
  hasPermit: boolean
  isSigned: boolean
  requiresReset: boolean
}

/**
 * The fewest prompts that pay, in order; planned again after each, because a wallet may deviate from a request. An
 * account upgrade is requested only if it saves a transaction.
 */
export function planPrompts(situation: Situation): PlannedPrompt[] {
  const { type, amount, atomic, hasPermit, isSigned, requiresReset } = situation
  if (situation.hasAuthorization) return ['authorize']
  if (type === 'transfer') return ['transfer']
  const allowance = situation.allowance ?? 0n
  if (allowance >= amount) return ['pay']
  if (isSigned) return ['payWithPermit']
  if (atomic === 'supported') return ['batch']
  if (hasPermit) return ['sign', 'payWithPermit']
  if (atomic === 'ready') return ['batch']
  return needsReset(allowance, requiresReset) ? ['reset', 'approve', 'pay'] : ['approve', 'pay']
}

/** Ethereum's USDT refuses to change an allowance that is not 0. */
export function needsReset(allowance: bigint, requiresReset: boolean): boolean {
  return requiresReset && allowance > 0n
}
