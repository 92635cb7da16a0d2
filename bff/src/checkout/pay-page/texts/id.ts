import type { PageTexts } from './en.ts'

/** Indonesian. */
export const texts: PageTexts = {
  language: 'Bahasa Indonesia',
  languages: 'Bahasa',
  test: 'Pembayaran uji coba. Jangan kirim uang: tidak ada yang benar-benar dibayar di sini.',
  testTitle: 'UJI COBA',
  pay: 'Bayar {0} ke {1}',
  paymentTo: 'Pembayaran ke {0}',
  payWith: 'Bayar dengan {0}.',
  confirming: 'Pembayaran terlihat',
  paid: 'Lunas',
  expired: 'Waktu habis',
  closed: 'Pembayaran dibatalkan',
  noScript: 'Halaman ini memerlukan JavaScript untuk menampilkan cara membayar.',
  back: 'Kembali ke {0}',
  terms: 'Ketentuan',
  privacy: 'Privasi',
  imprint: 'Info hukum',
  support: 'Bantuan',
  payBy: 'Bayar paling lambat {0}',
  linkPaid: 'Ini sudah dibayar',
  linkPaidText:
    'Tautan ini tidak bisa dibayar lagi. Jika Anda belum membayar, minta yang baru dari {0}. Tidak ada yang ditagih.',
  linkExpired: 'Tautan ini sudah kedaluwarsa',
  linkExpiredText: 'Tautan ini berlaku sampai {1}. Minta yang baru dari {0}. Tidak ada yang ditagih.',
  linkEnded: 'Tautan ini sudah ditutup',
  linkEndedText: '{0} menutupnya. Minta yang baru kepada mereka. Tidak ada yang ditagih.',
  linkBusy: 'Seseorang sedang membayar dengan tautan ini',
  linkBusyText:
    'Pembayarannya sedang dikonfirmasi. Jika itu Anda, buka halaman ini di peramban yang Anda pakai untuk membayar. Jika bukan, minta tautan sendiri dari {0}.',
  noPayment: 'Pembayaran ini tidak ada',
  noPaymentText:
    'Tautannya mungkin tidak lengkap. Buka lagi dari tempat Anda menerimanya, atau minta yang baru dari toko. Tidak ada yang ditagih.',
}
