import type { Refunds } from '../en/refunds.ts'

export const refunds: Refunds = {
  'page.refunds': 'İadeler',
  'refunds.open': 'Ödenecek',
  'refunds.done': 'Ödenen ve iptal edilen',
  'refunds.none': 'Henüz iade yok. İade etmek için ödenmiş bir ödemeyi açın.',
  'refunds.status.awaiting_address': 'Adres bekleniyor',
  'refunds.status.to_pay': 'Ödenecek',
  'refunds.status.confirming': 'Onaylanıyor',
  'refunds.status.paid': 'Ödendi',
  'refunds.status.cancelled': 'İptal edildi',
  'refunds.pay': 'Öde',
  'refunds.pay.text':
    '{1} ağında tam olarak {0} tutarını aktarım cüzdanınızdan bu adrese gönderin. Hizmet transferi kendisi bulur.',
  'refunds.pay.other': 'Başka bir cüzdandan veya borsadan mı ödediniz? İşlemi girin.',
  'refunds.verify': 'İşlemi kontrol et',
  'refunds.link': 'Müşteri için bağlantı',
  'refunds.cancel': 'İadeyi iptal et',
  'refunds.cancel.text': 'Müşteri bu iadeyi almayacak. Başka bir iade isteyebilirsiniz.',
  'refunds.qr': 'Transferin QR kodu',
  'refunds.request': 'İade et',
  'refunds.request.text': 'İadeyi kendi cüzdanınız öder. En çok {0} iade edilebilir.',
  'refunds.request.amount': '{0} cinsinden tutar',
  'refunds.request.address': 'Müşterinin adresi. Boş bırakırsanız müşteri girer.',
  'refunds.request.reason': 'Müşterinin göreceği neden',
  'refunds.request.done': 'İade istendi',
}
