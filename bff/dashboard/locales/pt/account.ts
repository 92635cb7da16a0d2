import type { Account } from '../en/account.ts'

export const account: Account = {
  'passkeys.title': 'Suas chaves de acesso',
  'passkeys.unnamed': 'Chave sem nome',
  'passkeys.added': 'Adicionada {0}',
  'passkeys.used': 'Último uso {0}',
  'passkeys.never': 'Ainda não usada',
  'passkeys.name': 'Nome da chave de acesso',
  'passkeys.remove': 'Remover',
  'passkeys.remove.text': 'Remover “{0}”? Este dispositivo não poderá mais fazer seu login.',
  'people.seen': 'Última visita',
  'keys.name': 'Nome',
  'keys.used': 'Último uso',
  'signIn.what':
    'Uma chave de acesso é sua digital, seu rosto ou o PIN do aparelho no lugar de uma senha. Ela fica no seu dispositivo.',
}
