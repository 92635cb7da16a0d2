import type { ReceiptTexts } from './en.ts'

/** Turkish. */
export const texts: ReceiptTexts = {
  receipt: 'Makbuz',
  paid: 'Ödendi',
  refunded: 'İade edildi',
  partlyRefunded: 'Kısmen iade edildi',
  notPaid: 'Ödenmedi',
  number: 'Makbuz numarası',
  time: 'Ödeme zamanı',
  order: 'Sipariş',
  about: 'Konu',
  price: 'Fiyat',
  asked: 'İstenen',
  received: 'Ödenen',
  rate: 'Kur',
  network: 'Ağ',
  transaction: 'İşlem',
  refund: 'İade edilen',
  refundDue: 'İade edilecek',
  refundTransaction: 'İade işlemi',
  print: 'Yazdır veya PDF olarak kaydet',
  open: 'Ödemeyi göster',
  none: 'Henüz makbuz yok',
  noneText: 'Bu ödeme tamamlanmadı. Neyin eksik olduğunu görmek için açın.',
  note: 'Bu ödemenin ulaştığını doğrular. Vergi faturası değildir.',
}
