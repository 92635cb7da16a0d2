import type { Notices } from '../en/notices.ts'

export const notices: Notices = {
  'page.notices': 'Avisos',
  'notices.text': 'Elige dónde recibes avisos y cuáles. Solo tú puedes cambiarlos.',
  'notices.add': 'Añadir un lugar',
  'notices.added': 'Añadido. Un primer aviso está en camino.',
  'notices.thisBrowser': 'Este navegador',
  'notices.blocked': 'Tu navegador bloquea los avisos de esta página. Permítelos en sus ajustes e inténtalo de nuevo.',
  'notices.by.push': 'Aviso push',
  'notices.by.email': 'Correo electrónico',
  'notices.by.telegram': 'Chat de Telegram',
  'notices.by.slack': 'Canal de Slack',
  'notices.how.email': 'Enviamos ahí un enlace. Los avisos empiezan cuando lo abras y confirmes.',
  'notices.noMail': 'El correo electrónico se puede añadir cuando quien aloja este servicio haya configurado «mail».',
  'notices.how.telegram': 'Crea un bot con @BotFather, escríbele y pega la dirección con el id de tu chat.',
  'notices.how.slack': 'Pega la URL de un webhook entrante. Se guarda cifrada.',
  'notices.kind.paid': 'Se paga un pedido',
  'notices.kind.late': 'Se paga un pedido tarde',
  'notices.kind.refund': 'Un cliente quiere su dinero de vuelta',
  'notices.kind.trouble': 'Algo falla: un abono, un webhook, el gas, una red',
  'notices.unconfirmed':
    'Falta confirmar: abre el enlace del correo que te enviamos. Funciona durante un día; después, añade la dirección de nuevo.',
  'notices.failing': 'Sin entregar desde {0}. Revisa la dirección, o quítala y añádela de nuevo.',
  'notices.remove': 'Quitar',
  'notices.remove.text': '¿Quitar {0}? Ya no recibirás avisos ahí.',
}
