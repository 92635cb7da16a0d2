import type { Notices } from '../en/notices.ts'

export const notices: Notices = {
  'page.notices': 'Mitteilungen',
  'notices.text': 'Wählen Sie, wo Sie Mitteilungen erhalten und welche. Nur Sie können das ändern.',
  'notices.add': 'Ort hinzufügen',
  'notices.added': 'Hinzugefügt. Die erste Mitteilung ist unterwegs.',
  'notices.thisBrowser': 'Dieser Browser',
  'notices.blocked':
    'Ihr Browser blockiert Mitteilungen dieser Seite. Erlauben Sie sie in den Einstellungen und versuchen Sie es erneut.',
  'notices.by.push': 'Push-Nachricht',
  'notices.by.email': 'E-Mail-Adresse',
  'notices.by.telegram': 'Telegram-Chat',
  'notices.by.slack': 'Slack-Kanal',
  'notices.how.email': 'Wir senden einen Link dorthin. Mitteilungen beginnen, sobald Sie ihn öffnen und bestätigen.',
  'notices.noMail':
    'E-Mail ist möglich, sobald der Betreiber dieses Dienstes „mail“ in dessen Konfiguration eingerichtet hat.',
  'notices.how.telegram':
    'Legen Sie mit @BotFather einen Bot an, schreiben Sie ihm und fügen Sie die Adresse mit der ID Ihres Chats ein.',
  'notices.how.slack': 'Fügen Sie die URL eines eingehenden Webhooks ein. Sie wird verschlüsselt gespeichert.',
  'notices.kind.paid': 'Eine Bestellung ist bezahlt',
  'notices.kind.late': 'Eine Bestellung ist zu spät bezahlt',
  'notices.kind.refund': 'Ein Kunde möchte Geld zurück',
  'notices.kind.trouble': 'Etwas schlägt fehl: Auszahlung, Webhook, Gas, Netzwerk',
  'notices.unconfirmed':
    'Noch nicht bestätigt: Öffnen Sie den Link in der E-Mail, die wir gesendet haben. Er gilt einen Tag; danach fügen Sie die Adresse noch einmal hinzu.',
  'notices.failing':
    'Seit {0} nicht zugestellt. Prüfen Sie die Adresse, oder entfernen Sie sie und fügen Sie sie neu hinzu.',
  'notices.remove': 'Entfernen',
  'notices.remove.text': '{0} entfernen? Dort kommen keine Mitteilungen mehr an.',
}
