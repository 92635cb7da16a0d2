import type { PageTexts } from './en.ts'

/** Swahili. */
export const texts: PageTexts = {
  language: 'Kiswahili',
  languages: 'Lugha',
  test: 'Malipo ya majaribio. Usitume pesa: hakuna malipo halisi hapa.',
  testTitle: 'JARIBIO',
  pay: 'Lipa {0} kwa {1}',
  paymentTo: 'Malipo kwa {0}',
  payWith: 'Lipa kwa {0}.',
  confirming: 'Malipo yameonekana',
  paid: 'Imelipwa',
  expired: 'Muda umekwisha',
  closed: 'Malipo yameghairiwa',
  noScript: 'Ukurasa huu unahitaji JavaScript ili kuonyesha jinsi ya kulipa.',
  back: 'Rudi kwa {0}',
  terms: 'Masharti',
  privacy: 'Faragha',
  imprint: 'Taarifa za kisheria',
  support: 'Msaada',
  payBy: 'Lipa kabla ya {0}',
  linkPaid: 'Hii imeshalipwa',
  linkPaidText:
    'Kiungo hiki hakiwezi kulipiwa tena. Kama bado hujalipa, omba kipya kutoka kwa {0}. Hujatozwa chochote.',
  linkExpired: 'Muda wa kiungo hiki umekwisha',
  linkExpiredText: 'Kilikuwa halali hadi {1}. Omba kipya kutoka kwa {0}. Hujatozwa chochote.',
  linkEnded: 'Kiungo hiki kimefungwa',
  linkEndedText: '{0} amekifunga. Omba kipya kutoka kwake. Hujatozwa chochote.',
  linkBusy: 'Mtu analipa kwa kiungo hiki',
  linkBusyText:
    'Malipo yake yanathibitishwa. Kama ni wewe, fungua ukurasa huu katika kivinjari ulicholipia. Vinginevyo omba kiungo chako mwenyewe kutoka kwa {0}.',
  noPayment: 'Hakuna malipo kama haya',
  noPaymentText:
    'Huenda kiungo hakijakamilika. Kifungue tena kutoka ulipokipata, au omba kipya dukani. Hujatozwa chochote.',
}
