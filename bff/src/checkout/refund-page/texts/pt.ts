import type { RefundTexts } from './en.ts'

export const texts: RefundTexts = {
  title: 'Reembolso de {0} de {1}',
  ask: 'Para onde vai o reembolso?',
  prompt: 'Digite seu endereço para {0} em {1}.',
  label: 'Seu endereço',
  warning:
    'Confira cada caractere: dinheiro enviado ao endereço errado se perde, e o endereço só pode ser digitado uma vez. Use o endereço de uma corretora apenas se ela aceitar {0} em {1}.',
  send: 'Enviar o reembolso para cá',
  toPay: 'Endereço recebido',
  toPayText: '{0} paga o reembolso neste endereço. Esta página mostra quando ele está a caminho.',
  confirming: 'O reembolso está a caminho',
  paid: 'Reembolso pago',
  cancelled: 'Este reembolso foi cancelado',
  cancelledText: 'Em caso de dúvida, fale com {0}.',
  transaction: 'Transação',
  address: 'Endereço',
  badAddress: 'Não é possível pagar a este endereço em {0}. Confira e tente de novo.',
  incomplete: 'Este link está incompleto. Abra-o novamente de onde o recebeu.',
  tryAgain: 'Não funcionou. Tente de novo.',
  none: 'Este reembolso não existe',
}
