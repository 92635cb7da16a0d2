import type { Refunds } from '../en/refunds.ts'

export const refunds: Refunds = {
  'page.refunds': 'Reembolsos',
  'refunds.open': 'Por pagar',
  'refunds.done': 'Pagados y cancelados',
  'refunds.none': 'Aún no hay reembolsos. Abre un pago pagado para reembolsarlo.',
  'refunds.status.awaiting_address': 'A la espera de una dirección',
  'refunds.status.to_pay': 'Por pagar',
  'refunds.status.confirming': 'Confirmándose',
  'refunds.status.paid': 'Pagado',
  'refunds.status.cancelled': 'Cancelado',
  'refunds.pay': 'Pagar',
  'refunds.pay.text':
    'Envía exactamente {0} en {1} desde tu monedero de abonos a esta dirección. El servicio encuentra la transferencia por sí solo.',
  'refunds.pay.other': '¿Pagado desde otro monedero o un exchange? Escribe la transacción.',
  'refunds.verify': 'Comprobar la transacción',
  'refunds.link': 'Enlace para el cliente',
  'refunds.cancel': 'Cancelar el reembolso',
  'refunds.cancel.text': 'El cliente no recibirá este reembolso. Puedes solicitar otro.',
  'refunds.qr': 'Código QR de la transferencia',
  'refunds.request': 'Reembolsar',
  'refunds.request.text': 'Tu propio monedero paga el reembolso. Se pueden reembolsar hasta {0}.',
  'refunds.request.amount': 'Importe en {0}',
  'refunds.request.address': 'Dirección del cliente. Déjala vacía y el cliente la escribirá.',
  'refunds.request.reason': 'Motivo, que el cliente verá',
  'refunds.request.done': 'Reembolso solicitado',
}
