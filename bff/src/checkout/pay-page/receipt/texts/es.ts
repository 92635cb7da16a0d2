import type { ReceiptTexts } from './en.ts'

/** Spanish. */
export const texts: ReceiptTexts = {
  receipt: 'Recibo',
  paid: 'Pagado',
  refunded: 'Reembolsado',
  partlyRefunded: 'Reembolsado en parte',
  notPaid: 'Sin pagar',
  number: 'Número de recibo',
  time: 'Pagado el',
  order: 'Pedido',
  about: 'Por',
  price: 'Precio',
  asked: 'Solicitado',
  received: 'Pagado',
  rate: 'Tipo de cambio',
  network: 'Red',
  transaction: 'Transacción',
  refund: 'Reembolsado',
  refundDue: 'Por reembolsar',
  refundTransaction: 'Transacción del reembolso',
  print: 'Imprimir o guardar como PDF',
  open: 'Ver el pago',
  none: 'Todavía no hay recibo',
  noneText: 'Este pago no está completo. Ábralo para ver qué falta.',
  note: 'Confirma que este pago llegó. No es una factura fiscal.',
}
