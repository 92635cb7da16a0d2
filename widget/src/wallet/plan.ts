/** What the wallet is asked to confirm, one prompt each. `bring` sends the payment with the signed permit. */
export type Ask = 'batch' | 'sign' | 'bring' | 'reset' | 'approve' | 'pay' | 'transfer'

/** A wallet's word on sending several calls as one (EIP-5792). `ready`: after an upgrade that it asks for. */
export type Atomic = 'supported' | 'ready' | 'unsupported'

/** What decides which prompts are left. */
export type Situation = {
  type: 'contract' | 'transfer'
  amount: bigint
  /** What the splitter may take already; null when the wallet could not be asked. */
  allowance: bigint | null
  atomic: Atomic
  hasPermit: boolean
  isSigned: boolean
  requiresReset: boolean
}

/**
 * The fewest prompts that pay, in order; planned anew after each, because a wallet may do otherwise than it was asked.
 * An upgrade of the account is only asked for where it saves a transaction.
 */
export function planPrompts(situation: Situation): Ask[] {
  const { type, amount, atomic, hasPermit, isSigned, requiresReset } = situation
  if (type === 'transfer') return ['transfer']
  const allowance = situation.allowance ?? 0n
  if (allowance >= amount) return ['pay']
  if (isSigned) return ['bring']
  if (atomic === 'supported') return ['batch']
  if (hasPermit) return ['sign', 'bring']
  if (atomic === 'ready') return ['batch']
  return needsReset(allowance, requiresReset) ? ['reset', 'approve', 'pay'] : ['approve', 'pay']
}

/** Ethereum's USDT refuses to change an approval that is not 0. */
export function needsReset(allowance: bigint, requiresReset: boolean): boolean {
  return requiresReset && allowance > 0n
}
