import type { TillsMessages } from '../en/tills.ts'

export const tills: TillsMessages = {
  'page.tills': 'Caixa',
  'tills.empty':
    'Ainda não há caixa. Um caixa é um celular ou tablet no seu balcão: digite o valor, o cliente lê o código e a tela fica verde quando está pago.',
  'tills.make': 'Adicionar um caixa',
  'tills.name': 'Nome',
  'tills.name.hint': 'Balcão',
  'tills.pin': 'PIN para a sua equipe',
  'tills.pin.hint': 'Seis dígitos, não em sequência',
  'tills.currency': 'Valores em',
  'tills.first': 'Pedir primeiro',
  'tills.tokens': 'Tokens',
  'tills.pair': 'Ligar o aparelho',
  'tills.pair.text': 'Leia isto com o celular ou tablet, ou abra o link nele. Vale uma vez, por dez minutos.',
  'tills.pair.new': 'Novo link',
  'tills.qr.alt': 'Código QR que liga o aparelho',
  'tills.device': 'Aparelho',
  'tills.lastUse': 'Último uso',
  'tills.never': 'Ainda não',
  'tills.state.paired': 'Ligado',
  'tills.state.unpaired': 'Sem aparelho',
  'tills.state.blocked': 'Bloqueado: PIN errado',
  'tills.unblock': 'Desbloquear',
  'tills.remove': 'Remover',
  'tills.remove.text': 'Daí em diante o aparelho não pode fazer nada. As vendas ficam em Pagamentos.',
  'tills.receipt': 'Recibo',
}
