/**
 * What the wallet is asked to confirm, one prompt each. `authorize` is a signature that pays, and costs the customer no fee;
 * `payWithPermit` sends the payment with the signed permit.
 */
export type PlannedPrompt = 'authorize' | 'batch' | 'sign' | 'payWithPermit' | 'reset' | 'approve' | 'pay' | 'transfer'

/** Whether a wallet sends several calls as one (EIP-5792). `ready`: after an upgrade that it asks for. */
export type Atomic = 'supported' | 'ready' | 'unsupported'

/** What decides which prompts are left. */
export type Situation = {
  type: 'contract' | 'transfer'
  amount: bigint
  /** What the splitter may take already; null when the wallet could not be asked. */
  allowance: bigint | null
  atomic: Atomic
  /** The service sends what the customer only signs. */
  hasAuthorization: boolean
  hasPermit: boolean
  isSigned: boolean
  requiresReset: boolean
}

/**
 * The fewest prompts that pay, in order; planned anew after each, because a wallet may do otherwise than it was asked.
 * An upgrade of the account is only asked for where it saves a transaction.
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

/** Ethereum's USDT refuses to change an approval that is not 0. */
export function needsReset(allowance: bigint, requiresReset: boolean): boolean {
  return requiresReset && allowance > 0n
}
