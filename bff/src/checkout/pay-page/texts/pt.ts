import type { PageTexts } from './en.ts'

/** Portuguese. */
export const texts: PageTexts = {
  language: 'Português',
  languages: 'Idioma',
  test: 'Pagamento de teste. Não envie dinheiro: nada real é pago aqui.',
  testTitle: 'TESTE',
  pay: 'Pagar {0} a {1}',
  paymentTo: 'Pagamento a {0}',
  payWith: 'Pague com {0}.',
  confirming: 'Pagamento detectado',
  paid: 'Pago',
  expired: 'O tempo acabou',
  closed: 'Pagamento cancelado',
  noScript: 'Esta página precisa de JavaScript para mostrar como pagar.',
  back: 'Voltar para {0}',
  terms: 'Termos',
  privacy: 'Privacidade',
  imprint: 'Aviso legal',
  support: 'Ajuda',
  payBy: 'Pagar até: {0}',
  linkPaid: 'Isto já foi pago',
  linkPaidText: 'Este link não pode ser pago de novo. Se você ainda não pagou, peça um novo a {0}. Nada foi cobrado.',
  linkExpired: 'Este link expirou',
  linkExpiredText: 'Ele podia ser pago até: {1}. Peça um novo a {0}. Nada foi cobrado.',
  linkEnded: 'Este link está fechado',
  linkEndedText: '{0} fechou este link. Peça um novo. Nada foi cobrado.',
  linkBusy: 'Alguém está pagando com este link',
  linkBusyText:
    'O pagamento está sendo confirmado. Se for você, abra esta página no navegador em que pagou. Se não, peça a {0} um link só seu.',
  noPayment: 'Este pagamento não existe',
  noPaymentText:
    'O link pode estar incompleto. Abra-o de novo onde você o recebeu ou peça um novo à loja. Nada foi cobrado.',
}
