import type { TillsMessages } from '../en/tills.ts'

export const tills: TillsMessages = {
  'page.tills': 'Kaunta',
  'tills.empty':
    'Bado hakuna kaunta. Kaunta ni simu au kompyuta kibao dukani kwako: andika kiasi, mteja achanganue, na skrini huwa ya kijani ikilipwa.',
  'tills.make': 'Ongeza kaunta',
  'tills.name': 'Jina',
  'tills.name.hint': 'Mbele',
  'tills.pin': 'PIN ya wafanyakazi wako',
  'tills.pin.hint': 'Tarakimu sita, zisifuatane',
  'tills.pin.new': 'PIN mpya',
  'tills.pin.new.text': 'Kaunta inaomba PIN mpya mara moja. Ya zamani haiifungui tena.',
  'tills.pin.saved': 'Imehifadhiwa. Wape wafanyakazi wako PIN mpya.',
  'tills.currency': 'Kiasi kwa',
  'tills.first': 'Omba kwanza',
  'tills.tokens': 'Tokeni',
  'tills.pair': 'Unganisha kifaa',
  'tills.pair.text':
    'Changanua hii kwa simu au kompyuta kibao, au fungua kiungo humo. Hufanya kazi mara moja, ndani ya dakika kumi.',
  'tills.pair.new': 'Kiungo kipya',
  'tills.qr.alt': 'Msimbo wa QR unaounganisha kifaa',
  'tills.device': 'Kifaa',
  'tills.lastUse': 'Ilitumika mwisho',
  'tills.never': 'Bado',
  'tills.state.paired': 'Imeunganishwa',
  'tills.state.unpaired': 'Hakuna kifaa',
  'tills.state.blocked': 'Imezuiwa: PIN si sahihi',
  'tills.unblock': 'Ondoa kizuizi',
  'tills.remove': 'Ondoa',
  'tills.remove.text': 'Tangu hapo kifaa hakiwezi kufanya lolote. Mauzo yake hubaki kwenye Malipo.',
  'tills.receipt': 'Risiti',
}
