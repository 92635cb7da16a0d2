import type { PageTexts } from './en.ts'

/** French. */
export const texts: PageTexts = {
  language: 'Français',
  languages: 'Langue',
  test: 'Paiement de test. N’envoyez pas d’argent : rien de réel n’est payé ici.',
  testTitle: 'TEST',
  pay: 'Payer {0} à {1}',
  paymentTo: 'Paiement à {0}',
  payWith: 'Payez avec {0}.',
  confirming: 'Paiement détecté',
  paid: 'Payé',
  expired: 'Le délai est écoulé',
  closed: 'Paiement annulé',
  noScript: 'Cette page a besoin de JavaScript pour montrer comment payer.',
  back: 'Retour vers {0}',
  terms: 'Conditions',
  privacy: 'Confidentialité',
  imprint: 'Mentions légales',
  support: 'Aide',
  payBy: 'À payer avant : {0}',
  linkPaid: 'Ceci a déjà été payé',
  linkPaidText:
    'Ce lien ne peut pas être payé une deuxième fois. Si vous n’avez pas encore payé, demandez-en un nouveau à {0}. Rien n’a été débité.',
  linkExpired: 'Ce lien a expiré',
  linkExpiredText: 'Il était valable jusqu’à : {1}. Demandez-en un nouveau à {0}. Rien n’a été débité.',
  linkEnded: 'Ce lien est fermé',
  linkEndedText: '{0} l’a fermé. Demandez-lui-en un nouveau. Rien n’a été débité.',
  linkBusy: 'Quelqu’un paie avec ce lien',
  linkBusyText:
    'Son paiement est en cours de confirmation. Si c’est vous, ouvrez cette page dans le navigateur où vous avez payé. Sinon, demandez à {0} un lien à vous.',
  noPayment: 'Ce paiement n’existe pas',
  noPaymentText:
    'Le lien est peut-être incomplet. Ouvrez-le à nouveau là où vous l’avez reçu, ou demandez-en un nouveau à la boutique. Rien n’a été débité.',
}
