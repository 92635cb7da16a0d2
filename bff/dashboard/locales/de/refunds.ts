import type { Refunds } from '../en/refunds.ts'

export const refunds: Refunds = {
  'page.refunds': 'Rückerstattungen',
  'refunds.open': 'Zu bezahlen',
  'refunds.done': 'Bezahlt und abgebrochen',
  'refunds.none': 'Noch keine Rückerstattungen. Öffne eine bezahlte Zahlung, um sie zu erstatten.',
  'refunds.status.awaiting_address': 'Wartet auf eine Adresse',
  'refunds.status.to_pay': 'Zu bezahlen',
  'refunds.status.confirming': 'Wird bestätigt',
  'refunds.status.paid': 'Bezahlt',
  'refunds.status.cancelled': 'Abgebrochen',
  'refunds.pay': 'Bezahlen',
  'refunds.pay.text':
    'Sende genau {0} auf {1} aus deiner Auszahlungs-Wallet an diese Adresse. Der Dienst findet die Überweisung von selbst.',
  'refunds.pay.other': 'Aus einer anderen Wallet oder von einer Börse bezahlt? Gib die Transaktion ein.',
  'refunds.verify': 'Transaktion prüfen',
  'refunds.link': 'Link für den Kunden',
  'refunds.cancel': 'Rückerstattung abbrechen',
  'refunds.cancel.text': 'Der Kunde bekommt diese Rückerstattung nicht. Du kannst eine andere anfordern.',
  'refunds.qr': 'QR-Code der Überweisung',
  'refunds.request': 'Erstatten',
  'refunds.request.text': 'Deine eigene Wallet zahlt die Rückerstattung. Bis zu {0} können erstattet werden.',
  'refunds.request.amount': 'Betrag in {0}',
  'refunds.request.address': 'Adresse des Kunden. Lass sie leer, und der Kunde gibt sie ein.',
  'refunds.request.reason': 'Grund, den der Kunde sieht',
  'refunds.request.done': 'Rückerstattung angefordert',
}
