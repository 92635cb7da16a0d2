import type { RefundTexts } from './en.ts'

export const texts: RefundTexts = {
  title: 'Remboursement de {0} par {1}',
  ask: 'Où envoyer le remboursement ?',
  prompt: 'Saisissez votre adresse pour {0} sur {1}.',
  label: 'Votre adresse',
  warning:
    'Vérifiez chaque caractère : l’argent envoyé à une mauvaise adresse est perdu, et l’adresse ne peut être saisie qu’une fois. N’utilisez l’adresse d’une plateforme d’échange que si elle accepte {0} sur {1}.',
  send: 'Envoyer le remboursement ici',
  toPay: 'Adresse reçue',
  toPayText: '{0} paie le remboursement à cette adresse. Cette page indique quand il est en route.',
  confirming: 'Le remboursement est en route',
  paid: 'Remboursement payé',
  cancelled: 'Ce remboursement a été annulé',
  cancelledText: 'Pour toute question, adressez-vous à {0}.',
  transaction: 'Transaction',
  address: 'Adresse',
  badAddress: 'Cette adresse ne peut pas être payée sur {0}. Vérifiez-la et réessayez.',
  incomplete: 'Ce lien est incomplet. Ouvrez-le à nouveau là où vous l’avez reçu.',
  tryAgain: 'Cela n’a pas fonctionné. Réessayez.',
  none: 'Ce remboursement n’existe pas',
}
