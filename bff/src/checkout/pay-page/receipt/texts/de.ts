import type { ReceiptTexts } from './en.ts'

/** German. */
export const texts: ReceiptTexts = {
  receipt: 'Beleg',
  paid: 'Bezahlt',
  refunded: 'Erstattet',
  partlyRefunded: 'Teilweise erstattet',
  notPaid: 'Nicht bezahlt',
  number: 'Belegnummer',
  time: 'Bezahlt am',
  order: 'Bestellung',
  about: 'Für',
  price: 'Preis',
  asked: 'Verlangt',
  received: 'Bezahlt',
  rate: 'Wechselkurs',
  network: 'Netzwerk',
  transaction: 'Transaktion',
  refund: 'Erstattet',
  refundDue: 'Noch zu erstatten',
  refundTransaction: 'Transaktion der Erstattung',
  print: 'Drucken oder als PDF sichern',
  open: 'Zahlung anzeigen',
  none: 'Es gibt noch keinen Beleg',
  noneText: 'Diese Zahlung ist nicht vollständig. Öffnen Sie sie, um zu sehen, was fehlt.',
  note: 'Bestätigt, dass diese Zahlung eingegangen ist. Keine Rechnung im Sinne des Steuerrechts.',
}
