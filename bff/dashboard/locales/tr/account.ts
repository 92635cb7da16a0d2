import type { Account } from '../en/account.ts'

export const account: Account = {
  'passkeys.title': 'Geçiş anahtarlarınız',
  'passkeys.unnamed': 'Adsız geçiş anahtarı',
  'passkeys.added': 'Eklendi: {0}',
  'passkeys.used': 'Son kullanım: {0}',
  'passkeys.never': 'Henüz kullanılmadı',
  'passkeys.name': 'Geçiş anahtarının adı',
  'passkeys.remove': 'Kaldır',
  'passkeys.remove.text': '“{0}” kaldırılsın mı? Bu cihaz artık oturumunuzu açamaz.',
  'people.seen': 'Son görülme',
  'keys.name': 'Ad',
  'keys.used': 'Son kullanım',
  'signIn.what': 'Geçiş anahtarı, parola yerine parmak iziniz, yüzünüz ya da cihaz PIN’inizdir. Cihazınızda kalır.',
}
