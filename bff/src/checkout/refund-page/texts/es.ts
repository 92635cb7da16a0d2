import type { RefundTexts } from './en.ts'

export const texts: RefundTexts = {
  title: 'Reembolso de {0} de {1}',
  ask: '¿Adónde enviamos el reembolso?',
  prompt: 'Escribe tu dirección para {0} en {1}.',
  label: 'Tu dirección',
  warning:
    'Revisa cada carácter: el dinero enviado a una dirección equivocada se pierde, y la dirección solo puede escribirse una vez. Usa la dirección de un exchange solo si acepta {0} en {1}.',
  send: 'Enviar el reembolso aquí',
  toPay: 'Dirección recibida',
  toPayText: '{0} paga el reembolso a esta dirección. Esta página muestra cuándo está en camino.',
  confirming: 'El reembolso está en camino',
  paid: 'Reembolso pagado',
  cancelled: 'Este reembolso se canceló',
  cancelledText: 'Si tienes preguntas, consulta a {0}.',
  transaction: 'Transacción',
  address: 'Dirección',
  badAddress: 'No se puede pagar a esta dirección en {0}. Revísala e inténtalo de nuevo.',
  incomplete: 'Este enlace está incompleto. Ábrelo de nuevo desde donde lo recibiste.',
  tryAgain: 'No funcionó. Inténtalo de nuevo.',
  none: 'No existe este reembolso',
}
