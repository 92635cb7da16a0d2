import type { TillsMessages } from '../en/tills.ts'

export const tills: TillsMessages = {
  'page.tills': 'Caisse',
  'tills.empty':
    'Pas encore de caisse. Une caisse est un téléphone ou une tablette sur votre comptoir : saisissez le montant, le client scanne, et l’écran devient vert quand c’est payé.',
  'tills.make': 'Ajouter une caisse',
  'tills.name': 'Nom',
  'tills.name.hint': 'Comptoir',
  'tills.pin': 'Code PIN de votre équipe',
  'tills.pin.hint': 'Six chiffres, pas à la suite',
  'tills.pin.new': 'Nouveau code PIN',
  'tills.pin.new.text': 'La caisse demande aussitôt le nouveau code. L’ancien ne l’ouvre plus.',
  'tills.pin.saved': 'Enregistré. Communiquez le nouveau code à votre personnel.',
  'tills.currency': 'Montants en',
  'tills.first': 'Demander d’abord',
  'tills.tokens': 'Jetons',
  'tills.pair': 'Associer l’appareil',
  'tills.pair.text':
    'Scannez ceci avec le téléphone ou la tablette, ou ouvrez-y le lien. Il sert une fois, pendant dix minutes.',
  'tills.pair.new': 'Nouveau lien',
  'tills.qr.alt': 'Code QR qui associe l’appareil',
  'tills.device': 'Appareil',
  'tills.lastUse': 'Dernière utilisation',
  'tills.never': 'Pas encore',
  'tills.state.paired': 'Associée',
  'tills.state.unpaired': 'Aucun appareil',
  'tills.state.blocked': 'Bloquée : code PIN erroné',
  'tills.unblock': 'Débloquer',
  'tills.remove': 'Supprimer',
  'tills.remove.text': 'L’appareil ne peut alors plus rien faire. Ses ventes restent dans Paiements.',
  'tills.receipt': 'Reçu',
}
