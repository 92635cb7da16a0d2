import type { Refunds } from '../en/refunds.ts'

export const refunds: Refunds = {
  'page.refunds': 'Marejesho',
  'refunds.open': 'Ya kulipwa',
  'refunds.done': 'Yaliyolipwa na kughairiwa',
  'refunds.none': 'Hakuna marejesho bado. Fungua malipo yaliyolipwa ili kuyarejesha.',
  'refunds.status.awaiting_address': 'Inasubiri anwani',
  'refunds.status.to_pay': 'Ya kulipwa',
  'refunds.status.confirming': 'Yanathibitishwa',
  'refunds.status.paid': 'Yamelipwa',
  'refunds.status.cancelled': 'Yameghairiwa',
  'refunds.pay': 'Lipa',
  'refunds.pay.text':
    'Tuma hasa {0} kwenye {1} kutoka pochi yako ya malipo hadi anwani hii. Huduma hupata uhamisho yenyewe.',
  'refunds.pay.other': 'Umelipa kutoka pochi nyingine au soko la sarafu? Weka muamala.',
  'refunds.verify': 'Kagua muamala',
  'refunds.link': 'Kiungo cha mteja',
  'refunds.cancel': 'Ghairi marejesho',
  'refunds.cancel.text': 'Mteja hatapata marejesho haya. Unaweza kuomba mengine.',
  'refunds.qr': 'Msimbo wa QR wa uhamisho',
  'refunds.request': 'Rejesha',
  'refunds.request.text': 'Pochi yako mwenyewe inalipa marejesho. Hadi {0} zinaweza kurejeshwa.',
  'refunds.request.amount': 'Kiasi katika {0}',
  'refunds.request.address': 'Anwani ya mteja. Iache tupu, na mteja ataiweka.',
  'refunds.request.reason': 'Sababu, mteja ataiona',
  'refunds.request.done': 'Marejesho yameombwa',
}
