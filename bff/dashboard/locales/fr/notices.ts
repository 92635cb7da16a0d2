import type { Notices } from '../en/notices.ts'

export const notices: Notices = {
  'page.notices': 'Notifications',
  'notices.text': 'Choisissez où recevoir des notifications, et lesquelles. Vous seul pouvez les modifier.',
  'notices.add': 'Ajouter un endroit',
  'notices.added': 'Ajouté. Une première notification arrive.',
  'notices.thisBrowser': 'Ce navigateur',
  'notices.blocked':
    'Votre navigateur bloque les notifications de cette page. Autorisez-les dans ses réglages, puis réessayez.',
  'notices.by.push': 'Notification push',
  'notices.by.email': 'Adresse e-mail',
  'notices.by.telegram': 'Chat Telegram',
  'notices.by.slack': 'Canal Slack',
  'notices.how.email': 'Nous y envoyons un lien. Les notifications commencent dès que vous l’ouvrez et confirmez.',
  'notices.noMail': 'L’e-mail peut être ajouté dès que l’hébergeur de ce service a configuré « mail ».',
  'notices.how.telegram':
    'Créez un bot avec @BotFather, écrivez-lui, puis collez l’adresse avec l’identifiant de votre chat.',
  'notices.how.slack': 'Collez l’URL d’un webhook entrant. Elle est conservée chiffrée.',
  'notices.kind.paid': 'Une commande est payée',
  'notices.kind.late': 'Une commande est payée en retard',
  'notices.kind.refund': 'Un client veut être remboursé',
  'notices.kind.trouble': 'Quelque chose échoue : versement, webhook, gas, réseau',
  'notices.unconfirmed':
    'En attente de confirmation : ouvrez le lien de l’e-mail que nous avons envoyé. Il est valable un jour ; ensuite, ajoutez de nouveau l’adresse.',
  'notices.failing': 'Non remises depuis {0}. Vérifiez l’adresse, ou supprimez-la et ajoutez-la de nouveau.',
  'notices.remove': 'Supprimer',
  'notices.remove.text': 'Supprimer {0} ? Vous n’y recevrez plus de notifications.',
}
