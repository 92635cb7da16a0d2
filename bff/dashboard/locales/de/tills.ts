import type { TillsMessages } from '../en/tills.ts'

export const tills: TillsMessages = {
  'page.tills': 'Kasse',
  'tills.empty':
    'Noch keine Kasse. Eine Kasse ist ein Telefon oder Tablet auf Ihrer Theke: Betrag eintippen, der Kunde scannt, und der Bildschirm wird grün, wenn bezahlt ist.',
  'tills.make': 'Kasse hinzufügen',
  'tills.name': 'Name',
  'tills.name.hint': 'Theke',
  'tills.pin': 'PIN für Ihr Personal',
  'tills.pin.hint': 'Sechs Ziffern, nicht der Reihe nach',
  'tills.pin.new': 'Neue PIN',
  'tills.pin.new.text': 'Die Kasse fragt sofort nach der neuen PIN. Die alte öffnet sie nicht mehr.',
  'tills.pin.saved': 'Gespeichert. Geben Sie die neue PIN an Ihr Personal weiter.',
  'tills.currency': 'Beträge in',
  'tills.first': 'Zuerst verlangen',
  'tills.tokens': 'Token',
  'tills.pair': 'Gerät verbinden',
  'tills.pair.text':
    'Scannen Sie dies mit dem Telefon oder Tablet, oder öffnen Sie dort den Link. Er gilt einmal, zehn Minuten lang.',
  'tills.pair.new': 'Neuer Link',
  'tills.qr.alt': 'QR-Code, der das Gerät verbindet',
  'tills.device': 'Gerät',
  'tills.lastUse': 'Zuletzt benutzt',
  'tills.never': 'Noch nicht',
  'tills.state.paired': 'Verbunden',
  'tills.state.unpaired': 'Kein Gerät',
  'tills.state.blocked': 'Gesperrt: falsche PIN',
  'tills.unblock': 'Entsperren',
  'tills.remove': 'Entfernen',
  'tills.remove.text': 'Das Gerät kann von da an nichts mehr. Seine Verkäufe bleiben unter Zahlungen.',
  'tills.receipt': 'Beleg',
}
