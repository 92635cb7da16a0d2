import type { TillsMessages } from '../en/tills.ts'

export const tills: TillsMessages = {
  'page.tills': 'Kasir',
  'tills.empty':
    'Belum ada kasir. Kasir adalah ponsel atau tablet di meja Anda: ketik jumlahnya, pelanggan memindai, dan layar menjadi hijau saat lunas.',
  'tills.make': 'Tambah kasir',
  'tills.name': 'Nama',
  'tills.name.hint': 'Meja depan',
  'tills.pin': 'PIN untuk staf Anda',
  'tills.pin.hint': 'Enam angka, tidak berurutan',
  'tills.pin.new': 'PIN baru',
  'tills.pin.new.text': 'Kasir langsung meminta PIN baru. PIN lama tidak lagi membukanya.',
  'tills.pin.saved': 'Tersimpan. Beri tahu PIN baru kepada staf Anda.',
  'tills.currency': 'Jumlah dalam',
  'tills.first': 'Minta lebih dulu',
  'tills.tokens': 'Token',
  'tills.pair': 'Hubungkan perangkat',
  'tills.pair.text':
    'Pindai ini dengan ponsel atau tablet, atau buka tautannya di sana. Berlaku sekali, selama sepuluh menit.',
  'tills.pair.new': 'Tautan baru',
  'tills.qr.alt': 'Kode QR yang menghubungkan perangkat',
  'tills.device': 'Perangkat',
  'tills.lastUse': 'Terakhir dipakai',
  'tills.never': 'Belum',
  'tills.state.paired': 'Terhubung',
  'tills.state.unpaired': 'Tanpa perangkat',
  'tills.state.blocked': 'Diblokir: PIN salah',
  'tills.unblock': 'Buka blokir',
  'tills.remove': 'Hapus',
  'tills.remove.text': 'Sejak itu perangkat tidak bisa apa-apa. Penjualannya tetap ada di Pembayaran.',
  'tills.receipt': 'Struk',
}
