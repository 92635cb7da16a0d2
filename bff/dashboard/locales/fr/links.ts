import type { links as english } from '../en/links.ts'

export const links: Readonly<Record<keyof typeof english, string>> = {
  'links.empty':
    'Pas encore de liens. Un lien est une page où quiconque l’a peut payer : dans un e-mail, un message, ou comme code sur une table.',
  'links.make': 'Créer un lien',
  'links.price': 'Montant',
  'links.priceIn': 'En',
  'links.pays': 'Les clients paient {0}',
  'links.description': 'Objet',
  'links.description.hint': 'Le client lit ceci',
  'links.orderId': 'Numéro de commande (facultatif)',
  'links.expires': 'Valable jusqu’au (facultatif)',
  'links.times': 'Combien de fois il peut être payé',
  'links.returnUrl': 'Où va le client ensuite (facultatif)',
  'links.customerChooses': 'Le client choisit',
  'links.asks': 'Demande',
  'links.opened': 'Ouvert',
  'links.paid': 'Payé',
  'links.paidOf': '{0} sur {1}',
  'links.state': 'État',
  'links.address': 'Lien',
  'links.noUrl': 'Le service ne connaît pas sa propre adresse : son hébergeur doit définir publicUrl.',
  'links.qr.alt': 'Code QR du lien',
  'links.print': 'Imprimer',
  'links.end': 'Terminer',
  'links.end.text':
    'Plus personne ne peut commencer un paiement avec ce lien. Les paiements ouverts peuvent encore être réglés.',
  'links.state.open': 'Ouvert',
  'links.state.paid': 'Payé',
  'links.state.ended': 'Terminé',
  'links.state.expired': 'Expiré',
}
