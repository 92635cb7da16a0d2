import type { Ask } from './plan.ts'

export type Prompt = Ask | 'connect' | 'switch' | 'add'

/** Why the wallet path stands still. Amounts are decimal text; `words` come from outside and are shown as they are. */
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
  | { why: 'refused' | 'failed' | 'service'; words: string }

/** What the customer sees of the wallet path. */
export type Screen =
  | { at: 'closed' }
  | { at: 'choosing'; isSearching: boolean }
  | { at: 'working'; on: 'reading' | 'creating' | 'reset' | 'approve' | 'walletconnect' }
  | { at: 'asking'; prompt: Prompt; number: number; total: number; isSlow: boolean }
  | { at: 'sent' }
  | { at: 'stopped'; stop: Stop; canRepeat: boolean }
