import type { Refunds } from '../en/refunds.ts'

export const refunds: Refunds = {
  'page.refunds': 'Pengembalian dana',
  'refunds.open': 'Perlu dibayar',
  'refunds.done': 'Dibayar dan dibatalkan',
  'refunds.none': 'Belum ada pengembalian dana. Buka pembayaran yang sudah lunas untuk mengembalikannya.',
  'refunds.status.awaiting_address': 'Menunggu alamat',
  'refunds.status.to_pay': 'Perlu dibayar',
  'refunds.status.confirming': 'Sedang dikonfirmasi',
  'refunds.status.paid': 'Dibayar',
  'refunds.status.cancelled': 'Dibatalkan',
  'refunds.pay': 'Bayar',
  'refunds.pay.text':
    'Kirim tepat {0} di {1} dari dompet pencairan Anda ke alamat ini. Layanan menemukan transfernya sendiri.',
  'refunds.pay.other': 'Dibayar dari dompet lain atau bursa? Masukkan transaksinya.',
  'refunds.verify': 'Periksa transaksi',
  'refunds.link': 'Tautan untuk pelanggan',
  'refunds.cancel': 'Batalkan pengembalian dana',
  'refunds.cancel.text': 'Pelanggan tidak akan menerima pengembalian dana ini. Anda bisa meminta yang lain.',
  'refunds.qr': 'Kode QR transfer',
  'refunds.request': 'Kembalikan dana',
  'refunds.request.text': 'Dompet Anda sendiri yang membayar. Hingga {0} dapat dikembalikan.',
  'refunds.request.amount': 'Jumlah dalam {0}',
  'refunds.request.address': 'Alamat pelanggan. Kosongkan, dan pelanggan mengisinya.',
  'refunds.request.reason': 'Alasan, terlihat oleh pelanggan',
  'refunds.request.done': 'Pengembalian dana diminta',
}
