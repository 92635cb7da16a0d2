import type { PageTexts } from './en.ts'

/** German. */
export const texts: PageTexts = {
  language: 'Deutsch',
  languages: 'Sprache',
  test: 'Testzahlung. Senden Sie kein Geld: Hier wird nichts wirklich bezahlt.',
  testTitle: 'TEST',
  pay: '{0} an {1} bezahlen',
  paymentTo: 'Zahlung an {0}',
  payWith: 'Mit {0} bezahlen.',
  confirming: 'Zahlung erkannt',
  paid: 'Bezahlt',
  expired: 'Die Zeit ist abgelaufen',
  closed: 'Zahlung abgebrochen',
  noScript: 'Diese Seite braucht JavaScript, um zu zeigen, wie Sie bezahlen.',
  back: 'Zurück zu {0}',
  terms: 'AGB',
  privacy: 'Datenschutz',
  imprint: 'Impressum',
  support: 'Hilfe',
  payBy: 'Zu bezahlen bis {0}',
  linkPaid: 'Dies wurde schon bezahlt',
  linkPaidText:
    'Dieser Link kann nicht noch einmal bezahlt werden. Falls Sie noch nicht bezahlt haben, bitten Sie {0} um einen neuen. Es wurde nichts abgebucht.',
  linkExpired: 'Dieser Link ist abgelaufen',
  linkExpiredText: 'Er galt bis {1}. Bitten Sie {0} um einen neuen. Es wurde nichts abgebucht.',
  linkEnded: 'Dieser Link ist geschlossen',
  linkEndedText: '{0} hat ihn geschlossen. Bitten Sie dort um einen neuen. Es wurde nichts abgebucht.',
  linkBusy: 'Über diesen Link bezahlt gerade jemand',
  linkBusyText:
    'Die Zahlung wird bestätigt. Wenn Sie das sind, öffnen Sie diese Seite in dem Browser, in dem Sie bezahlt haben. Sonst bitten Sie {0} um einen eigenen Link.',
  noPayment: 'Diese Zahlung gibt es nicht',
  noPaymentText:
    'Der Link ist vielleicht unvollständig. Öffnen Sie ihn noch einmal dort, wo Sie ihn bekommen haben, oder bitten Sie den Shop um einen neuen. Es wurde nichts abgebucht.',
}
