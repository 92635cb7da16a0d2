import type { Account } from '../en/account.ts'

export const account: Account = {
  'passkeys.title': 'Funguo zako za kuingia',
  'passkeys.unnamed': 'Ufunguo wa kuingia bila jina',
  'passkeys.added': 'Uliongezwa {0}',
  'passkeys.used': 'Ulitumika mwisho {0}',
  'passkeys.never': 'Haujatumika bado',
  'passkeys.name': 'Jina la ufunguo wa kuingia',
  'passkeys.remove': 'Ondoa',
  'passkeys.remove.text': 'Uondoe “{0}”? Kifaa hiki hakitaweza tena kukuingiza.',
  'people.seen': 'Alionekana mwisho',
  'keys.name': 'Jina',
  'keys.used': 'Ulitumika mwisho',
  'signIn.what':
    'Ufunguo wa kuingia ni alama ya kidole, uso au PIN ya kifaa chako badala ya nenosiri. Hubaki kwenye kifaa chako.',
}
