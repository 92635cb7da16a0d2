import type { ReceiptTexts } from './en.ts'

/** French. */
export const texts: ReceiptTexts = {
  receipt: 'Reçu',
  paid: 'Payé',
  refunded: 'Remboursé',
  partlyRefunded: 'Remboursé en partie',
  notPaid: 'Non payé',
  number: 'Numéro de reçu',
  time: 'Payé le',
  order: 'Commande',
  about: 'Objet',
  price: 'Prix',
  asked: 'Demandé',
  received: 'Payé',
  rate: 'Taux de change',
  network: 'Réseau',
  transaction: 'Transaction',
  refund: 'Remboursé',
  refundDue: 'À rembourser',
  refundTransaction: 'Transaction du remboursement',
  print: 'Imprimer ou enregistrer en PDF',
  open: 'Voir le paiement',
  none: 'Il n’y a pas encore de reçu',
  noneText: 'Ce paiement n’est pas complet. Ouvrez-le pour voir ce qui manque.',
  note: 'Confirme que ce paiement est arrivé. Ce n’est pas une facture fiscale.',
}
