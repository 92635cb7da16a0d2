import type { PageTexts } from './en.ts'

/** Turkish. */
export const texts: PageTexts = {
  language: 'Türkçe',
  languages: 'Dil',
  test: 'Test ödemesi. Para göndermeyin: Burada gerçek bir ödeme yapılmaz.',
  testTitle: 'TEST',
  pay: 'Ödeme: {0}, alıcı: {1}',
  paymentTo: 'Ödeme alıcısı: {0}',
  payWith: '{0} ile ödeyin.',
  confirming: 'Ödeme görüldü',
  paid: 'Ödendi',
  expired: 'Süre doldu',
  closed: 'Ödeme iptal edildi',
  noScript: 'Bu sayfa nasıl ödeneceğini göstermek için JavaScript ister.',
  back: 'Geri dön: {0}',
  terms: 'Koşullar',
  privacy: 'Gizlilik',
  imprint: 'Yasal bilgiler',
  support: 'Destek',
  payBy: 'Son ödeme: {0}',
  linkPaid: 'Bu zaten ödendi',
  linkPaidText:
    'Bu bağlantı bir daha ödenemez. Henüz ödemediyseniz yeni bir bağlantı isteyin: {0}. Sizden para alınmadı.',
  linkExpired: 'Bu bağlantının süresi doldu',
  linkExpiredText: 'Son geçerlilik: {1}. Yeni bir bağlantı isteyin: {0}. Sizden para alınmadı.',
  linkEnded: 'Bu bağlantı kapatıldı',
  linkEndedText: 'Kapatan: {0}. Onlardan yeni bir bağlantı isteyin. Sizden para alınmadı.',
  linkBusy: 'Bu bağlantıyla şu anda biri ödüyor',
  linkBusyText:
    'Ödemesi onaylanıyor. Ödeyen sizseniz bu sayfayı ödeme yaptığınız tarayıcıda açın. Değilseniz kendi bağlantınızı isteyin: {0}.',
  noPayment: 'Böyle bir ödeme yok',
  noPaymentText:
    'Bağlantı eksik olabilir. Aldığınız yerden yeniden açın veya mağazadan yenisini isteyin. Sizden para alınmadı.',
}
