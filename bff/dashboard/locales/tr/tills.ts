import type { TillsMessages } from '../en/tills.ts'

export const tills: TillsMessages = {
  'page.tills': 'Kasa',
  'tills.empty':
    'Henüz kasa yok. Kasa, tezgâhınızdaki telefon veya tablettir: tutarı girin, müşteri tarasın, ödenince ekran yeşil olur.',
  'tills.make': 'Kasa ekle',
  'tills.name': 'Ad',
  'tills.name.hint': 'Tezgâh',
  'tills.pin': 'Personelinizin PIN’i',
  'tills.pin.hint': 'Altı rakam, sıralı olmasın',
  'tills.pin.new': 'Yeni PIN',
  'tills.pin.new.text': 'Kasa hemen yeni PIN’i sorar. Eski PIN artık kasayı açmaz.',
  'tills.pin.saved': 'Kaydedildi. Yeni PIN’i çalışanlarınıza bildirin.',
  'tills.currency': 'Tutarların para birimi',
  'tills.first': 'Önce iste',
  'tills.tokens': 'Tokenler',
  'tills.pair': 'Cihazı bağla',
  'tills.pair.text':
    'Bunu telefon veya tabletle tarayın ya da bağlantıyı orada açın. Bir kez, on dakika içinde geçerlidir.',
  'tills.pair.new': 'Yeni bağlantı',
  'tills.qr.alt': 'Cihazı bağlayan QR kodu',
  'tills.device': 'Cihaz',
  'tills.lastUse': 'Son kullanım',
  'tills.never': 'Henüz yok',
  'tills.state.paired': 'Bağlı',
  'tills.state.unpaired': 'Cihaz yok',
  'tills.state.blocked': 'Engelli: yanlış PIN',
  'tills.unblock': 'Engeli kaldır',
  'tills.remove': 'Kaldır',
  'tills.remove.text': 'Cihaz bundan sonra hiçbir şey yapamaz. Satışları Ödemeler’de kalır.',
  'tills.receipt': 'Makbuz',
}
