import type { ReceiptTexts } from './en.ts'

/** Hindi. */
export const texts: ReceiptTexts = {
  receipt: 'रसीद',
  paid: 'भुगतान हो गया',
  refunded: 'पैसे लौटाए गए',
  partlyRefunded: 'कुछ पैसे लौटाए गए',
  notPaid: 'भुगतान नहीं हुआ',
  number: 'रसीद संख्या',
  time: 'भुगतान का समय',
  order: 'ऑर्डर',
  about: 'विवरण',
  price: 'कीमत',
  asked: 'माँगी गई राशि',
  received: 'चुकाई गई राशि',
  rate: 'विनिमय दर',
  network: 'नेटवर्क',
  transaction: 'लेन-देन',
  refund: 'लौटाई गई राशि',
  refundDue: 'लौटाई जाने वाली राशि',
  refundTransaction: 'वापसी का लेन-देन',
  print: 'प्रिंट करें या PDF सहेजें',
  open: 'भुगतान देखें',
  none: 'अभी कोई रसीद नहीं है',
  noneText: 'यह भुगतान पूरा नहीं हुआ है। क्या बाकी है, यह देखने के लिए इसे खोलें।',
  note: 'यह पुष्टि करता है कि यह भुगतान मिल गया। यह कर चालान नहीं है।',
}
