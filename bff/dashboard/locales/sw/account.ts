import type { Account } from '../en/account.ts'

export const account: Account = {
  'passkeys.title': 'Passkey zako',
  'passkeys.unnamed': 'Passkey bila jina',
  'passkeys.added': 'Iliongezwa {0}',
  'passkeys.used': 'Ilitumika mwisho {0}',
  'passkeys.never': 'Haijatumika bado',
  'passkeys.name': 'Jina la passkey',
  'passkeys.remove': 'Ondoa',
  'passkeys.remove.text': 'Uondoe “{0}”? Kifaa hiki hakitaweza tena kukuingiza.',
  'people.seen': 'Alionekana mwisho',
  'keys.name': 'Jina',
  'keys.used': 'Ilitumika mwisho',
  'signIn.what': 'Passkey ni alama ya kidole, uso au PIN ya kifaa chako badala ya nenosiri. Hubaki kwenye kifaa chako.',
}
