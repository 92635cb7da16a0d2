import type { ReceiptTexts } from './en.ts'

/** Indonesian. */
export const texts: ReceiptTexts = {
  receipt: 'Struk',
  paid: 'Lunas',
  refunded: 'Dikembalikan',
  partlyRefunded: 'Dikembalikan sebagian',
  notPaid: 'Belum dibayar',
  number: 'Nomor struk',
  time: 'Dibayar pada',
  order: 'Pesanan',
  about: 'Untuk',
  price: 'Harga',
  asked: 'Diminta',
  received: 'Dibayar',
  rate: 'Kurs',
  network: 'Jaringan',
  transaction: 'Transaksi',
  refund: 'Dikembalikan',
  refundDue: 'Akan dikembalikan',
  refundTransaction: 'Transaksi pengembalian',
  print: 'Cetak atau simpan sebagai PDF',
  open: 'Lihat pembayaran',
  none: 'Belum ada struk',
  noneText: 'Pembayaran ini belum lengkap. Buka untuk melihat apa yang kurang.',
  note: 'Menyatakan bahwa pembayaran ini diterima. Ini bukan faktur pajak.',
}
