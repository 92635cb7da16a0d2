import type { TillsMessages } from '../en/tills.ts'

export const tills: TillsMessages = {
  'page.tills': 'काउंटर',
  'tills.empty':
    'अभी कोई काउंटर नहीं। काउंटर आपकी दुकान पर रखा फ़ोन या टैबलेट है: राशि डालें, ग्राहक स्कैन करे, और भुगतान होते ही स्क्रीन हरी हो जाती है।',
  'tills.make': 'काउंटर जोड़ें',
  'tills.name': 'नाम',
  'tills.name.hint': 'मुख्य काउंटर',
  'tills.pin': 'आपके कर्मचारियों का PIN',
  'tills.pin.hint': 'छह अंक, क्रम में नहीं',
  'tills.currency': 'राशि की मुद्रा',
  'tills.first': 'पहले यह माँगें',
  'tills.tokens': 'टोकन',
  'tills.pair': 'डिवाइस जोड़ें',
  'tills.pair.text': 'इसे फ़ोन या टैबलेट से स्कैन करें, या वहाँ लिंक खोलें। यह एक बार, दस मिनट तक चलता है।',
  'tills.pair.new': 'नया लिंक',
  'tills.qr.alt': 'डिवाइस जोड़ने वाला QR कोड',
  'tills.device': 'डिवाइस',
  'tills.lastUse': 'पिछला इस्तेमाल',
  'tills.never': 'अभी नहीं',
  'tills.state.paired': 'जुड़ा हुआ',
  'tills.state.unpaired': 'कोई डिवाइस नहीं',
  'tills.state.blocked': 'बंद: PIN ग़लत',
  'tills.unblock': 'फिर चालू करें',
  'tills.remove': 'हटाएँ',
  'tills.remove.text': 'तब से डिवाइस कुछ नहीं कर सकता। इसकी बिक्री भुगतानों में रहती है।',
  'tills.receipt': 'रसीद',
}
