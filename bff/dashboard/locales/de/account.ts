import type { Account } from '../en/account.ts'

export const account: Account = {
  'passkeys.title': 'Ihre Passkeys',
  'passkeys.unnamed': 'Passkey ohne Namen',
  'passkeys.added': 'Hinzugefügt {0}',
  'passkeys.used': 'Zuletzt benutzt {0}',
  'passkeys.never': 'Noch nicht benutzt',
  'passkeys.name': 'Name des Passkeys',
  'passkeys.remove': 'Entfernen',
  'passkeys.remove.text': '„{0}“ entfernen? Dieses Gerät meldet Sie dann nicht mehr an.',
  'people.seen': 'Zuletzt gesehen',
  'keys.name': 'Name des Schlüssels',
  'keys.used': 'Zuletzt benutzt',
  'signIn.what':
    'Ein Passkey ist Ihr Fingerabdruck, Gesicht oder Gerätecode statt eines Passworts. Er bleibt auf Ihrem Gerät.',
}
