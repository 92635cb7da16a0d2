import type { Refunds } from '../en/refunds.ts'

export const refunds: Refunds = {
  'page.refunds': 'Erstattungen',
  'refunds.open': 'Zu bezahlen',
  'refunds.done': 'Bezahlt und abgebrochen',
  'refunds.none': 'Noch keine Erstattungen. Öffnen Sie eine bezahlte Zahlung, um sie zu erstatten.',
  'refunds.status.awaiting_address': 'Wartet auf eine Adresse',
  'refunds.status.to_pay': 'Zu bezahlen',
  'refunds.status.confirming': 'Wird bestätigt',
  'refunds.status.paid': 'Bezahlt',
  'refunds.status.cancelled': 'Abgebrochen',
  'refunds.pay': 'Bezahlen',
  'refunds.pay.text':
    'Senden Sie genau {0} auf {1} aus Ihrer Auszahlungs-Wallet an diese Adresse. Der Dienst findet die Überweisung von selbst.',
  'refunds.pay.other': 'Aus einer anderen Wallet oder von einer Börse bezahlt? Geben Sie die Transaktion ein.',
  'refunds.verify': 'Transaktion prüfen',
  'refunds.link': 'Link für den Kunden',
  'refunds.cancel': 'Erstattung abbrechen',
  'refunds.cancel.text': 'Der Kunde bekommt diese Erstattung nicht. Sie können eine andere anfordern.',
  'refunds.qr': 'QR-Code der Überweisung',
  'refunds.request': 'Erstatten',
  'refunds.request.text': 'Ihre eigene Wallet zahlt die Erstattung. Bis zu {0} können erstattet werden.',
  'refunds.request.amount': 'Betrag in {0}',
  'refunds.request.address': 'Adresse des Kunden. Bleibt sie leer, gibt der Kunde sie ein.',
  'refunds.request.reason': 'Grund, den der Kunde sieht',
  'refunds.request.done': 'Erstattung angefordert',
}
