import type { Account } from '../en/account.ts'

export const account: Account = {
  'passkeys.title': 'Tus llaves de acceso',
  'passkeys.unnamed': 'Llave sin nombre',
  'passkeys.added': 'Añadida {0}',
  'passkeys.used': 'Último uso {0}',
  'passkeys.never': 'Aún sin usar',
  'passkeys.name': 'Nombre de la llave',
  'passkeys.remove': 'Quitar',
  'passkeys.remove.text': '¿Quitar «{0}»? Este dispositivo ya no podrá iniciar tu sesión.',
  'people.seen': 'Última visita',
  'keys.name': 'Nombre',
  'keys.used': 'Último uso',
  'signIn.what':
    'Una llave de acceso es tu huella, tu cara o el PIN del dispositivo en vez de una contraseña. Se queda en tu dispositivo.',
}
