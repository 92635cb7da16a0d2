import type { Refunds } from '../en/refunds.ts'

export const refunds: Refunds = {
  'page.refunds': 'Remboursements',
  'refunds.open': 'À payer',
  'refunds.done': 'Payés et annulés',
  'refunds.none': 'Aucun remboursement. Ouvrez un paiement réglé pour le rembourser.',
  'refunds.status.awaiting_address': 'En attente d’une adresse',
  'refunds.status.to_pay': 'À payer',
  'refunds.status.confirming': 'En cours de confirmation',
  'refunds.status.paid': 'Payé',
  'refunds.status.cancelled': 'Annulé',
  'refunds.pay': 'Payer',
  'refunds.pay.text':
    'Envoyez exactement {0} sur {1} depuis votre portefeuille de versement à cette adresse. Le service trouve le transfert tout seul.',
  'refunds.pay.other': 'Payé depuis un autre portefeuille ou une plateforme d’échange ? Saisissez la transaction.',
  'refunds.verify': 'Vérifier la transaction',
  'refunds.link': 'Lien pour le client',
  'refunds.cancel': 'Annuler le remboursement',
  'refunds.cancel.text': 'Le client ne recevra pas ce remboursement. Vous pouvez en demander un autre.',
  'refunds.qr': 'Code QR du transfert',
  'refunds.request': 'Rembourser',
  'refunds.request.text': 'Votre propre portefeuille paie le remboursement. Jusqu’à {0} peuvent être remboursés.',
  'refunds.request.amount': 'Montant en {0}',
  'refunds.request.address': 'Adresse du client. Laissez vide et le client la saisira.',
  'refunds.request.reason': 'Motif, montré au client',
  'refunds.request.done': 'Remboursement demandé',
}
