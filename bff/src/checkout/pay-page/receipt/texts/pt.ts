import type { ReceiptTexts } from './en.ts'

/** Portuguese. */
export const texts: ReceiptTexts = {
  receipt: 'Recibo',
  paid: 'Pago',
  refunded: 'Reembolsado',
  partlyRefunded: 'Reembolsado em parte',
  notPaid: 'Não pago',
  number: 'Número do recibo',
  time: 'Pago em',
  order: 'Pedido',
  about: 'Referente a',
  price: 'Preço',
  asked: 'Solicitado',
  received: 'Pago',
  rate: 'Taxa de câmbio',
  network: 'Rede',
  transaction: 'Transação',
  refund: 'Reembolsado',
  refundDue: 'A reembolsar',
  refundTransaction: 'Transação do reembolso',
  print: 'Imprimir ou salvar em PDF',
  open: 'Ver o pagamento',
  none: 'Ainda não há recibo',
  noneText: 'Este pagamento não está completo. Abra-o para ver o que falta.',
  note: 'Confirma que este pagamento chegou. Não é uma nota fiscal.',
}
