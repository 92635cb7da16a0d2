import type { Refunds } from '../en/refunds.ts'

export const refunds: Refunds = {
  'page.refunds': 'Reembolsos',
  'refunds.open': 'A pagar',
  'refunds.done': 'Pagos e cancelados',
  'refunds.none': 'Ainda não há reembolsos. Abra um pagamento pago para reembolsá-lo.',
  'refunds.status.awaiting_address': 'Aguardando um endereço',
  'refunds.status.to_pay': 'A pagar',
  'refunds.status.confirming': 'Em confirmação',
  'refunds.status.paid': 'Pago',
  'refunds.status.cancelled': 'Cancelado',
  'refunds.pay': 'Pagar',
  'refunds.pay.text':
    'Envie exatamente {0} em {1} da sua carteira de repasses para este endereço. O serviço encontra a transferência sozinho.',
  'refunds.pay.other': 'Pagou de outra carteira ou de uma corretora? Digite a transação.',
  'refunds.verify': 'Verificar a transação',
  'refunds.link': 'Link para o cliente',
  'refunds.cancel': 'Cancelar o reembolso',
  'refunds.cancel.text': 'O cliente não receberá este reembolso. Você pode solicitar outro.',
  'refunds.qr': 'Código QR da transferência',
  'refunds.request': 'Reembolsar',
  'refunds.request.text': 'Sua própria carteira paga o reembolso. Até {0} podem ser reembolsados.',
  'refunds.request.amount': 'Valor em {0}',
  'refunds.request.address': 'Endereço do cliente. Deixe vazio e o cliente o digita.',
  'refunds.request.reason': 'Motivo, mostrado ao cliente',
  'refunds.request.done': 'Reembolso solicitado',
}
