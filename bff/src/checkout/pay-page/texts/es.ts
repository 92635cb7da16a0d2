import type { PageTexts } from './en.ts'

/** Spanish. */
export const texts: PageTexts = {
  language: 'Español',
  languages: 'Idioma',
  test: 'Pago de prueba. No envíes dinero: aquí no se paga nada real.',
  testTitle: 'PRUEBA',
  pay: 'Pagar {0} a {1}',
  paymentTo: 'Pago a {0}',
  payWith: 'Paga con {0}.',
  confirming: 'Pago detectado',
  paid: 'Pagado',
  expired: 'Se acabó el tiempo',
  closed: 'Pago cancelado',
  noScript: 'Esta página necesita JavaScript para mostrar cómo pagar.',
  back: 'Volver a {0}',
  terms: 'Condiciones',
  privacy: 'Privacidad',
  imprint: 'Aviso legal',
  support: 'Ayuda',
  payBy: 'Pagar antes de: {0}',
  linkPaid: 'Esto ya se pagó',
  linkPaidText:
    'Este enlace no se puede pagar otra vez. Si aún no has pagado, pide uno nuevo a {0}. No se ha cobrado nada.',
  linkExpired: 'Este enlace ha caducado',
  linkExpiredText: 'Se podía pagar hasta: {1}. Pide uno nuevo a {0}. No se ha cobrado nada.',
  linkEnded: 'Este enlace está cerrado',
  linkEndedText: '{0} lo ha cerrado. Pídele uno nuevo. No se ha cobrado nada.',
  linkBusy: 'Alguien está pagando con este enlace',
  linkBusyText:
    'Su pago se está confirmando. Si eres tú, abre esta página en el navegador desde el que pagaste. Si no, pide a {0} un enlace propio.',
  noPayment: 'Este pago no existe',
  noPaymentText:
    'Puede que el enlace esté incompleto. Ábrelo de nuevo desde donde lo recibiste o pide otro a la tienda. No se ha cobrado nada.',
}
