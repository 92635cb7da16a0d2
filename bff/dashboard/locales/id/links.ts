import type { links as english } from '../en/links.ts'

export const links: Readonly<Record<keyof typeof english, string>> = {
  'links.empty':
    'Belum ada tautan. Tautan adalah halaman tempat siapa pun yang memilikinya dapat membayar: dalam email, pesan, atau sebagai kode di meja.',
  'links.make': 'Buat tautan',
  'links.price': 'Jumlah',
  'links.priceIn': 'Dalam',
  'links.pays': 'Pelanggan membayar {0}',
  'links.description': 'Untuk apa',
  'links.description.hint': 'Pelanggan membaca ini',
  'links.orderId': 'Nomor pesanan (opsional)',
  'links.expires': 'Berlaku sampai (opsional)',
  'links.times': 'Berapa kali dapat dibayar',
  'links.returnUrl': 'Tujuan pelanggan setelahnya (opsional)',
  'links.customerChooses': 'Pelanggan memilih',
  'links.asks': 'Meminta',
  'links.opened': 'Dibuka',
  'links.paid': 'Dibayar',
  'links.paidOf': '{0} dari {1}',
  'links.state': 'Keadaan',
  'links.address': 'Tautan',
  'links.noUrl': 'Layanan tidak tahu alamatnya sendiri: pengelolanya perlu mengatur publicUrl.',
  'links.qr.alt': 'Kode QR tautan',
  'links.print': 'Cetak',
  'links.end': 'Akhiri',
  'links.end.text':
    'Tidak ada lagi yang dapat memulai pembayaran dengan tautan ini. Pembayaran yang terbuka masih dapat dibayar.',
  'links.state.open': 'Terbuka',
  'links.state.paid': 'Dibayar',
  'links.state.ended': 'Diakhiri',
  'links.state.expired': 'Kedaluwarsa',
}
