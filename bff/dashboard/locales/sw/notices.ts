import type { Notices } from '../en/notices.ts'

export const notices: Notices = {
  'page.notices': 'Arifa',
  'notices.text': 'Chagua unapopata arifa, na zipi. Ni wewe tu unayeweza kuzibadilisha.',
  'notices.add': 'Ongeza mahali',
  'notices.added': 'Imeongezwa. Arifa ya kwanza iko njiani.',
  'notices.thisBrowser': 'Kivinjari hiki',
  'notices.blocked': 'Kivinjari chako kinazuia arifa za ukurasa huu. Ziruhusu kwenye mipangilio, kisha ujaribu tena.',
  'notices.by.push': 'Arifa ya papo hapo',
  'notices.by.email': 'Barua pepe',
  'notices.by.telegram': 'Gumzo la Telegram',
  'notices.by.slack': 'Kituo cha Slack',
  'notices.how.email': 'Tunatuma kiungo huko. Arifa zinaanza ukikifungua na kuthibitisha.',
  'notices.noMail': 'Barua pepe inaweza kuongezwa baada ya mwendeshaji wa huduma hii kuweka “mail” kwenye usanidi.',
  'notices.how.telegram':
    'Tengeneza boti kwa @BotFather, iandikie, kisha bandika anwani yenye kitambulisho cha gumzo lako.',
  'notices.how.slack': 'Bandika URL ya webhook inayoingia. Huhifadhiwa kwa usimbaji.',
  'notices.kind.paid': 'Agizo limelipwa',
  'notices.kind.late': 'Agizo limelipwa kwa kuchelewa',
  'notices.kind.refund': 'Mteja anataka kurudishiwa pesa',
  'notices.kind.trouble': 'Kitu kinashindwa: malipo kwako, webhook, gesi, mtandao',
  'notices.unconfirmed':
    'Inasubiri uthibitisho: fungua kiungo kwenye barua pepe tuliyotuma. Kinafanya kazi kwa siku moja; baadaye ongeza anwani tena.',
  'notices.failing': 'Hazijafika tangu {0}. Kagua anwani, au iondoe na uiongeze tena.',
  'notices.remove': 'Ondoa',
  'notices.remove.text': 'Uondoe {0}? Hutapata tena arifa huko.',
}
