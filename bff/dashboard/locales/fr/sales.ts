import type { Sales } from '../en/sales.ts'

export const sales: Sales = {
  'home.step.link': 'Créer un lien de paiement',
  'home.step.link.text': 'Envoyez-le par e-mail ou messagerie. Aucun site web n’est nécessaire.',
  'home.step.snippet': 'Ajouter le paiement à votre site',
  'home.step.snippet.text': 'Copiez quelques lignes dans votre page.',
  'home.step.test': 'Faire un paiement de test',
  'home.step.test.text': 'Voyez comment cela marche, sans argent réel.',
  'home.against.day': 'Le même jour la semaine dernière : {0}',
  'home.against.days':
    '{0, plural, one {Le jour précédent} many {Les # de jours précédents} other {Les # jours précédents}} : {1}',
  'home.paidOf': '{0} sur {1, plural, one {# paiement réglé} many {# de paiements réglés} other {# paiements réglés}}',
  'home.latest': 'Derniers paiements',
  'home.converted': 'Converti aux taux du {0}',
  'home.currency': 'Devise',
  'kind.overpaid': 'Trop payé',
  'kind.late': 'En retard',
  'payments.save': 'Enregistrer ce filtre',
  'payments.saveName': 'Nom du filtre',
  'payments.saveNote': 'Les filtres sont enregistrés dans ce navigateur, pour vous uniquement.',
  'payments.unsave': 'Supprimer le filtre {0}',
  'payments.exportCut': 'Voici les {0} plus récents. Affinez les filtres pour exporter les autres.',
  'payment.tab': 'Vue d’ensemble',
  'payment.ask': 'Demander au client',
  'payment.ask.text': 'Envoyez ce lien au client : la page lui demande où renvoyer l’argent.',
  'payment.confirmations':
    '{0} sur {1, plural, one {# confirmation} many {# de confirmations} other {# confirmations}}',
  'history.arrived': '{0} reçus de {1}',
}
