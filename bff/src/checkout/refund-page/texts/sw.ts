import type { RefundTexts } from './en.ts'

export const texts: RefundTexts = {
  title: 'Marejesho ya {0} kutoka {1}',
  ask: 'Marejesho yatumwe wapi?',
  prompt: 'Weka anwani yako ya {0} kwenye {1}.',
  label: 'Anwani yako',
  warning:
    'Kagua kila herufi: pesa zilizotumwa kwa anwani isiyo sahihi hupotea, na anwani huwekwa mara moja tu. Tumia anwani ya soko la sarafu ikiwa tu linapokea {0} kwenye {1}.',
  send: 'Tuma marejesho hapa',
  toPay: 'Anwani imepokelewa',
  toPayText: '{0} atalipa marejesho kwa anwani hii. Ukurasa huu utaonyesha yakiwa njiani.',
  confirming: 'Marejesho yako njiani',
  paid: 'Marejesho yamelipwa',
  cancelled: 'Marejesho haya yameghairiwa',
  cancelledText: 'Ukiwa na maswali, uliza {0}.',
  transaction: 'Muamala',
  address: 'Anwani',
  badAddress: 'Anwani hii haiwezi kulipwa kwenye {0}. Ikague na ujaribu tena.',
  incomplete: 'Kiungo hiki hakijakamilika. Kifungue tena ulikokipata.',
  tryAgain: 'Hilo halikufaulu. Jaribu tena.',
  none: 'Hakuna marejesho haya',
}
