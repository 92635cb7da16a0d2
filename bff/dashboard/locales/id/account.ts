import type { Account } from '../en/account.ts'

export const account: Account = {
  'passkeys.title': 'Passkey Anda',
  'passkeys.unnamed': 'Passkey tanpa nama',
  'passkeys.added': 'Ditambahkan {0}',
  'passkeys.used': 'Terakhir dipakai {0}',
  'passkeys.never': 'Belum dipakai',
  'passkeys.name': 'Nama passkey',
  'passkeys.remove': 'Hapus',
  'passkeys.remove.text': 'Hapus “{0}”? Perangkat ini tidak bisa lagi memasukkan Anda.',
  'people.seen': 'Terakhir terlihat',
  'keys.name': 'Nama',
  'keys.used': 'Terakhir dipakai',
  'signIn.what':
    'Passkey adalah sidik jari, wajah, atau PIN perangkat sebagai ganti kata sandi. Ia tetap di perangkat Anda.',
}
