import type { TillsMessages } from '../en/tills.ts'

export const tills: TillsMessages = {
  'page.tills': 'Caja',
  'tills.empty':
    'Todavía no hay caja. Una caja es un móvil o una tableta en tu mostrador: marca el importe, el cliente escanea y la pantalla se pone verde al pagar.',
  'tills.make': 'Añadir una caja',
  'tills.name': 'Nombre',
  'tills.name.hint': 'Mostrador',
  'tills.pin': 'PIN para tu personal',
  'tills.pin.hint': 'Seis cifras, no seguidas',
  'tills.pin.new': 'PIN nuevo',
  'tills.pin.new.text': 'La caja pide el PIN nuevo de inmediato. El anterior ya no la abre.',
  'tills.pin.saved': 'Guardado. Comunica el PIN nuevo a tu personal.',
  'tills.currency': 'Importes en',
  'tills.first': 'Pedir primero',
  'tills.tokens': 'Tokens',
  'tills.pair': 'Conectar el dispositivo',
  'tills.pair.text':
    'Escanea esto con el móvil o la tableta, o abre allí el enlace. Funciona una vez, durante diez minutos.',
  'tills.pair.new': 'Enlace nuevo',
  'tills.qr.alt': 'Código QR que conecta el dispositivo',
  'tills.device': 'Dispositivo',
  'tills.lastUse': 'Último uso',
  'tills.never': 'Todavía no',
  'tills.state.paired': 'Conectada',
  'tills.state.unpaired': 'Sin dispositivo',
  'tills.state.blocked': 'Bloqueada: PIN incorrecto',
  'tills.unblock': 'Desbloquear',
  'tills.remove': 'Eliminar',
  'tills.remove.text': 'Desde entonces el dispositivo no puede hacer nada. Sus ventas siguen en Pagos.',
  'tills.receipt': 'Recibo',
}
