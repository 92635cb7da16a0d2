import type { PlannedPrompt } from './evm/prompt-plan.ts'

export type Prompt = PlannedPrompt | 'connect' | 'switch' | 'add'

/** Why nothing more is asked of the wallet. Amounts are decimal text; `message` is of the wallet, the node or the service, and shown as it is. */
export type Stop =
  | {
      why:
        | 'rejected'
        | 'busy'
        | 'locked'
        | 'network'
        | 'late'
        | 'paid'
        | 'reverted'
        | 'unsure'
        | 'unsureTransfer'
        | 'gone'
    }
  | { why: 'unknownNetwork' }
  | { why: 'balance'; missing: string; account: string }
  | { why: 'fee'; missing: string; coin: string; account: string }
  | { why: 'refused' | 'failed' | 'service'; message: string }

/** What the customer sees while paying by wallet. */
export type WalletScreen =
  | { at: 'closed' }
  | { at: 'choosing'; isSearching: boolean }
  | { at: 'working'; on: 'reading' | 'creating' | 'reset' | 'approve' | 'walletconnect' }
  | { at: 'asking'; prompt: Prompt; number: number; total: number; isSlow: boolean }
  | { at: 'sent' }
  | { at: 'stopped'; stop: Stop; canRepeat: boolean }
