import type { Account } from '../en/account.ts'

export const account: Account = {
  'passkeys.title': 'Kunci sandi Anda',
  'passkeys.unnamed': 'Kunci sandi tanpa nama',
  'passkeys.added': 'Ditambahkan {0}',
  'passkeys.used': 'Terakhir dipakai {0}',
  'passkeys.never': 'Belum dipakai',
  'passkeys.name': 'Nama kunci sandi',
  'passkeys.remove': 'Hapus',
  'passkeys.remove.text': 'Hapus “{0}”? Anda tidak bisa lagi masuk dengan perangkat ini.',
  'people.seen': 'Terakhir terlihat',
  'keys.name': 'Nama',
  'keys.used': 'Terakhir dipakai',
  'signIn.what':
    'Kunci sandi adalah sidik jari, wajah, atau PIN perangkat sebagai ganti kata sandi. Kunci ini tetap di perangkat Anda.',
}
