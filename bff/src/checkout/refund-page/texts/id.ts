import type { RefundTexts } from './en.ts'

export const texts: RefundTexts = {
  title: 'Pengembalian dana {0} dari {1}',
  ask: 'Ke mana dana dikembalikan?',
  prompt: 'Masukkan alamat Anda untuk {0} di {1}.',
  label: 'Alamat Anda',
  warning:
    'Periksa setiap karakter: uang yang dikirim ke alamat yang salah akan hilang, dan alamat hanya bisa diisi sekali. Gunakan alamat bursa hanya jika bursa itu menerima {0} di {1}.',
  send: 'Kirim dana ke sini',
  toPay: 'Alamat diterima',
  toPayText: '{0} membayar pengembalian dana ke alamat ini. Halaman ini menunjukkan saat dana dikirim.',
  confirming: 'Dana sedang dikirim',
  paid: 'Pengembalian dana dibayar',
  cancelled: 'Pengembalian dana ini dibatalkan',
  cancelledText: 'Jika ada pertanyaan, hubungi {0}.',
  transaction: 'Transaksi',
  address: 'Alamat',
  badAddress: 'Alamat ini tidak bisa dibayar di {0}. Periksa lalu coba lagi.',
  incomplete: 'Tautan ini tidak lengkap. Buka lagi dari tempat Anda menerimanya.',
  tryAgain: 'Tidak berhasil. Coba lagi.',
  none: 'Pengembalian dana ini tidak ada',
}
