import type { Notices } from '../en/notices.ts'

export const notices: Notices = {
  'page.notices': 'सूचनाएँ',
  'notices.text': 'चुनें कि सूचनाएँ कहाँ मिलें और कौन-सी। इन्हें केवल आप देखते और बदलते हैं।',
  'notices.add': 'जगह जोड़ें',
  'notices.added': 'जुड़ गया। पहली सूचना आ रही है।',
  'notices.thisBrowser': 'यह ब्राउज़र',
  'notices.blocked': 'आपका ब्राउज़र इस पेज की सूचनाएँ रोकता है। सेटिंग में अनुमति दें, फिर कोशिश करें।',
  'notices.by.push': 'पुश सूचना',
  'notices.by.email': 'ई-मेल',
  'notices.by.telegram': 'Telegram चैट',
  'notices.by.slack': 'Slack चैनल',
  'notices.how.email': 'हम वहाँ पहली सूचना भेजते हैं। हर एक में बंद करने का लिंक होता है।',
  'notices.how.telegram': '@BotFather से बॉट बनाएँ, उसे संदेश लिखें और अपनी चैट की id वाला पता चिपकाएँ।',
  'notices.how.slack': 'इनकमिंग वेबहुक का URL चिपकाएँ। वह एन्क्रिप्ट करके रखा जाता है।',
  'notices.kind.paid': 'ऑर्डर का भुगतान हुआ',
  'notices.kind.late': 'ऑर्डर का भुगतान देर से हुआ',
  'notices.kind.refund': 'ग्राहक पैसा वापस चाहता है',
  'notices.kind.trouble': 'कुछ विफल हो: पेआउट, वेबहुक, गैस, नेटवर्क',
  'notices.failing': '{0} से नहीं पहुँचीं। पता जाँचें, या हटाकर फिर जोड़ें।',
  'notices.remove': 'हटाएँ',
  'notices.remove.text': '{0} हटाएँ? वहाँ अब सूचनाएँ नहीं आएँगी।',
}
