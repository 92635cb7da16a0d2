import type { Sales } from '../en/sales.ts'

export const sales: Sales = {
  'home.step.link': 'Crear un enlace de pago',
  'home.step.link.text': 'Envíalo por correo o chat. No necesitas una web.',
  'home.step.snippet': 'Poner el pago en tu web',
  'home.step.snippet.text': 'Copia unas líneas en tu página.',
  'home.step.test': 'Hacer un pago de prueba',
  'home.step.test.text': 'Mira cómo funciona, sin dinero real.',
  'home.against.day': 'El mismo día de la semana pasada: {0}',
  'home.against.days':
    '{0, plural, one {El día anterior} many {Los # de días anteriores} other {Los # días anteriores}}: {1}',
  'home.paidOf': '{0} de {1, plural, one {# pago} many {# de pagos} other {# pagos}} completados',
  'home.latest': 'Últimos pagos',
  'home.converted': 'Convertido a los tipos de cambio del {0}',
  'home.currency': 'Moneda',
  'kind.overpaid': 'Pagado de más',
  'kind.late': 'Tarde',
  'payments.save': 'Guardar este filtro',
  'payments.saveName': 'Nombre del filtro',
  'payments.saveNote': 'Los filtros se guardan en este navegador, solo para ti.',
  'payments.unsave': 'Quitar el filtro {0}',
  'payments.exportCut': 'Estos son los {0} más recientes. Acota los filtros para exportar los demás.',
  'payment.tab': 'Resumen',
  'payment.ask': 'Preguntar al cliente',
  'payment.ask.text': 'Envía este enlace al cliente: la página le pregunta adónde devolver el dinero.',
  'payment.confirmations':
    '{0} de {1, plural, one {# confirmación} many {# de confirmaciones} other {# confirmaciones}}',
  'history.arrived': 'Llegaron {0} de {1}',
}
