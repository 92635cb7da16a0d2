import type { RefundTexts } from './en.ts'

export const texts: RefundTexts = {
  title: 'Erstattung von {0} von {1}',
  ask: 'Wohin soll die Erstattung gehen?',
  prompt: 'Geben Sie Ihre Adresse für {0} auf {1} ein.',
  label: 'Ihre Adresse',
  warning:
    'Prüfen Sie jedes Zeichen: Geld an eine falsche Adresse ist verloren, und die Adresse lässt sich nur einmal eingeben. Verwenden Sie die Adresse einer Börse nur, wenn diese {0} auf {1} annimmt.',
  send: 'Erstattung hierher senden',
  toPay: 'Adresse erhalten',
  toPayText: '{0} zahlt die Erstattung an diese Adresse. Diese Seite zeigt, wenn sie unterwegs ist.',
  confirming: 'Die Erstattung ist unterwegs',
  paid: 'Erstattung bezahlt',
  cancelled: 'Diese Erstattung wurde abgebrochen',
  cancelledText: 'Bei Fragen wenden Sie sich an {0}.',
  transaction: 'Transaktion',
  address: 'Adresse',
  badAddress: 'An diese Adresse kann auf {0} nicht gezahlt werden. Prüfen Sie sie und versuchen Sie es erneut.',
  incomplete: 'Dieser Link ist unvollständig. Öffnen Sie ihn noch einmal dort, wo Sie ihn bekommen haben.',
  tryAgain: 'Das hat nicht geklappt. Versuchen Sie es erneut.',
  none: 'Diese Erstattung gibt es nicht',
}
