import type { ReceiptTexts } from './en.ts'

/** Swahili. */
export const texts: ReceiptTexts = {
  receipt: 'Risiti',
  paid: 'Imelipwa',
  refunded: 'Imerudishwa',
  partlyRefunded: 'Imerudishwa kwa sehemu',
  notPaid: 'Haijalipwa',
  number: 'Nambari ya risiti',
  time: 'Imelipwa tarehe',
  order: 'Oda',
  about: 'Kwa ajili ya',
  price: 'Bei',
  asked: 'Kiasi kilichoombwa',
  received: 'Kilicholipwa',
  rate: 'Kiwango cha ubadilishaji',
  network: 'Mtandao',
  transaction: 'Muamala',
  refund: 'Kilichorudishwa',
  refundDue: 'Cha kurudishwa',
  refundTransaction: 'Muamala wa kurudisha',
  print: 'Chapisha au hifadhi kama PDF',
  open: 'Onyesha malipo',
  none: 'Bado hakuna risiti',
  noneText: 'Malipo haya hayajakamilika. Yafungue uone kinachokosekana.',
  note: 'Inathibitisha kwamba malipo haya yamefika. Si ankara ya kodi.',
}
