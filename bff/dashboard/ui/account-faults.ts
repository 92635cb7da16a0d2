import type { MessageKey } from '../locales/locale.ts'

/** A field of an account that the service refused, and why. */
export type WrongAccount = { field: 'key' | 'first'; text: MessageKey }

/** By the service's code: the field of the merchant's own wallet account that was refused, and its text. */
export const accountFaults: Readonly<Record<string, WrongAccount>> = {
  ACCOUNT_KEY_WRONG: { field: 'key', text: 'wallets.wrong.key' },
  ACCOUNT_KEY_PRIVATE: { field: 'key', text: 'wallets.wrong.private' },
  ACCOUNT_ADDRESS_WRONG: { field: 'first', text: 'wallets.wrong.first' },
}
