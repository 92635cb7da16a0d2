import type { Account } from '../en/account.ts'

export const account: Account = {
  'passkeys.title': 'Vos clés d’accès',
  'passkeys.unnamed': 'Clé d’accès sans nom',
  'passkeys.added': 'Ajoutée {0}',
  'passkeys.used': 'Dernière utilisation {0}',
  'passkeys.never': 'Pas encore utilisée',
  'passkeys.name': 'Nom de la clé d’accès',
  'passkeys.remove': 'Supprimer',
  'passkeys.remove.text': 'Supprimer « {0} » ? Cet appareil ne pourra plus vous connecter.',
  'people.seen': 'Dernière visite',
  'keys.name': 'Nom',
  'keys.used': 'Dernière utilisation',
  'signIn.what':
    'Une clé d’accès, c’est votre empreinte, votre visage ou le code de votre appareil au lieu d’un mot de passe. Elle reste sur votre appareil.',
}
