import type { Notices } from '../en/notices.ts'

export const notices: Notices = {
  'page.notices': 'Avisos',
  'notices.text': 'Escolha onde receber avisos e quais. Só você pode alterá-los.',
  'notices.add': 'Adicionar um lugar',
  'notices.added': 'Adicionado. Um primeiro aviso está a caminho.',
  'notices.thisBrowser': 'Este navegador',
  'notices.blocked': 'Seu navegador bloqueia os avisos desta página. Permita-os nas configurações e tente de novo.',
  'notices.by.push': 'Aviso push',
  'notices.by.email': 'Endereço de e-mail',
  'notices.by.telegram': 'Chat do Telegram',
  'notices.by.slack': 'Canal do Slack',
  'notices.how.email': 'Enviamos um link para lá. Os avisos começam quando você o abrir e confirmar.',
  'notices.noMail': 'O e-mail pode ser adicionado quando quem hospeda este serviço tiver configurado “mail”.',
  'notices.how.telegram': 'Crie um bot com o @BotFather, escreva para ele e cole o endereço com o ID do seu chat.',
  'notices.how.slack': 'Cole a URL de um webhook de entrada. Ela é guardada cifrada.',
  'notices.kind.paid': 'Um pedido é pago',
  'notices.kind.late': 'Um pedido é pago com atraso',
  'notices.kind.refund': 'Um cliente quer o dinheiro de volta',
  'notices.kind.trouble': 'Algo falha: um repasse, um webhook, o gás, uma rede',
  'notices.unconfirmed':
    'Falta confirmar: abra o link do e-mail que enviamos. Ele vale por um dia; depois, adicione o endereço de novo.',
  'notices.failing': 'Sem entrega desde {0}. Verifique o endereço, ou remova-o e adicione de novo.',
  'notices.remove': 'Remover',
  'notices.remove.text': 'Remover {0}? Você não receberá mais avisos ali.',
}
