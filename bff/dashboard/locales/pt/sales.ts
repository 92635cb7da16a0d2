import type { Sales } from '../en/sales.ts'

export const sales: Sales = {
  'home.step.link': 'Criar um link de pagamento',
  'home.step.link.text': 'Envie por e-mail ou chat. Não é preciso ter um site.',
  'home.step.snippet': 'Pôr o pagamento no seu site',
  'home.step.snippet.text': 'Copie algumas linhas para a sua página.',
  'home.step.test': 'Fazer um pagamento de teste',
  'home.step.test.text': 'Veja como funciona, sem dinheiro real.',
  'home.against.day': 'Mesmo dia da semana passada: {0}',
  'home.against.days':
    '{0, plural, one {O dia anterior} many {Os # de dias anteriores} other {Os # dias anteriores}}: {1}',
  'home.paidOf': '{0} de {1, plural, one {# pagamento} many {# de pagamentos} other {# pagamentos}} pagos',
  'home.latest': 'Últimos pagamentos',
  'home.converted': 'Convertido às taxas de câmbio de {0}',
  'home.currency': 'Moeda',
  'kind.overpaid': 'Pago a mais',
  'kind.late': 'Atrasado',
  'payments.save': 'Salvar este filtro',
  'payments.saveName': 'Nome do filtro',
  'payments.saveNote': 'Os filtros ficam salvos neste navegador, só para você.',
  'payments.unsave': 'Remover o filtro {0}',
  'payments.exportCut': 'Estes são os {0} mais recentes. Restrinja os filtros para exportar os outros.',
  'payment.tab': 'Visão geral',
  'payment.ask': 'Perguntar ao cliente',
  'payment.ask.text': 'Envie este link ao cliente: a página pergunta para onde o dinheiro deve voltar.',
  'payment.confirmations': '{0} de {1, plural, one {# confirmação} many {# de confirmações} other {# confirmações}}',
  'history.arrived': '{0} recebidos de {1}',
}
