import type { Account } from '../en/account.ts'

export const account: Account = {
  'passkeys.title': 'आपकी पासकी',
  'passkeys.unnamed': 'बिना नाम की पासकी',
  'passkeys.added': 'जोड़ी गई {0}',
  'passkeys.used': 'आखिरी उपयोग {0}',
  'passkeys.never': 'अभी तक उपयोग नहीं हुई',
  'passkeys.name': 'पासकी का नाम',
  'passkeys.remove': 'हटाएँ',
  'passkeys.remove.text': '“{0}” हटाएँ? यह डिवाइस आपको साइन इन नहीं कर पाएगा।',
  'people.seen': 'आखिरी बार दिखे',
  'keys.name': 'नाम',
  'keys.used': 'आखिरी उपयोग',
  'signIn.what': 'पासकी पासवर्ड की जगह आपका फ़िंगरप्रिंट, चेहरा या डिवाइस PIN है। यह आपके डिवाइस पर ही रहती है।',
}
