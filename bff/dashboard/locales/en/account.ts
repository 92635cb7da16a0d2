/** Passkeys, people and keys: who and when. */
export const account = {
  'passkeys.title': 'Your passkeys',
  'passkeys.unnamed': 'Unnamed passkey',
  'passkeys.added': 'Added {0}',
  'passkeys.used': 'Last used {0}',
  'passkeys.never': 'Not used yet',
  'passkeys.name': 'Name of the passkey',
  'passkeys.remove': 'Remove',
  'passkeys.remove.text': 'Remove “{0}”? This device can no longer sign you in.',
  'people.seen': 'Last seen',
  'keys.name': 'Name',
  'keys.used': 'Last used',
  'signIn.what': 'A passkey is your fingerprint, face or device PIN in place of a password. It stays on your device.',
}

/** Other languages have the same keys. */
export type Account = { readonly [Key in keyof typeof account]: string }
