import type { RefundTexts } from './en.ts'

export const texts: RefundTexts = {
  title: 'Rückerstattung von {0} von {1}',
  ask: 'Wohin soll die Rückerstattung gehen?',
  prompt: 'Gib deine Adresse für {0} auf {1} ein.',
  label: 'Deine Adresse',
  warning:
    'Prüfe jedes Zeichen: Geld an eine falsche Adresse ist verloren, und die Adresse lässt sich nur einmal eingeben. Nimm die Adresse einer Börse nur, wenn sie {0} auf {1} annimmt.',
  send: 'Rückerstattung hierher senden',
  toPay: 'Adresse erhalten',
  toPayText: '{0} zahlt die Rückerstattung an diese Adresse. Diese Seite zeigt, wenn sie unterwegs ist.',
  confirming: 'Die Rückerstattung ist unterwegs',
  paid: 'Rückerstattung bezahlt',
  cancelled: 'Diese Rückerstattung wurde abgebrochen',
  cancelledText: 'Bei Fragen wende dich an {0}.',
  transaction: 'Transaktion',
  address: 'Adresse',
  badAddress: 'An diese Adresse kann auf {0} nicht gezahlt werden. Prüfe sie und versuche es erneut.',
  incomplete: 'Dieser Link ist unvollständig. Öffne ihn noch einmal von dort, wo du ihn bekommen hast.',
  tryAgain: 'Das hat nicht geklappt. Versuche es erneut.',
  none: 'Diese Rückerstattung gibt es nicht',
}
