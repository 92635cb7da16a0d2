import type { links as english } from '../en/links.ts'

export const links: Readonly<Record<keyof typeof english, string>> = {
  'links.empty':
    'Noch keine Links. Ein Link ist eine Seite, auf der jeder zahlen kann, der ihn hat: in einer E-Mail, einer Nachricht oder als Code auf einem Tisch.',
  'links.make': 'Link erstellen',
  'links.price': 'Betrag',
  'links.priceIn': 'In',
  'links.pays': 'Kunden zahlen {0}',
  'links.description': 'Wofür',
  'links.description.hint': 'Das liest der Kunde',
  'links.orderId': 'Bestellnummer (freiwillig)',
  'links.expires': 'Gültig bis (freiwillig)',
  'links.times': 'Wie oft er bezahlt werden kann',
  'links.returnUrl': 'Wohin der Kunde danach geht (freiwillig)',
  'links.customerChooses': 'Der Kunde wählt',
  'links.asks': 'Verlangt',
  'links.opened': 'Geöffnet',
  'links.paid': 'Bezahlt',
  'links.paidOf': '{0} von {1}',
  'links.state': 'Zustand',
  'links.address': 'Link',
  'links.noUrl': 'Der Dienst kennt seine eigene Adresse nicht: Wer ihn betreibt, setzt publicUrl.',
  'links.qr.alt': 'QR-Code des Links',
  'links.print': 'Drucken',
  'links.end': 'Beenden',
  'links.end.text':
    'Mit diesem Link kann niemand mehr eine Zahlung beginnen. Offene Zahlungen können noch bezahlt werden.',
  'links.state.open': 'Offen',
  'links.state.paid': 'Bezahlt',
  'links.state.ended': 'Beendet',
  'links.state.expired': 'Abgelaufen',
}
