import type { TillsMessages } from '../en/tills.ts'

export const tills: TillsMessages = {
  'page.tills': 'نقطة البيع',
  'tills.empty':
    'لا نقطة بيع بعد. نقطة البيع هاتف أو جهاز لوحي على طاولتك: أدخل المبلغ، يمسح العميل الرمز، وتصير الشاشة خضراء عند الدفع.',
  'tills.make': 'أضف نقطة بيع',
  'tills.name': 'الاسم',
  'tills.name.hint': 'الطاولة',
  'tills.pin': 'رمز PIN لموظفيك',
  'tills.pin.hint': 'ستة أرقام غير متتالية',
  'tills.currency': 'المبالغ بعملة',
  'tills.first': 'اطلب أولًا',
  'tills.tokens': 'العملات الرقمية',
  'tills.pair': 'اربط الجهاز',
  'tills.pair.text': 'امسح هذا بالهاتف أو الجهاز اللوحي، أو افتح الرابط عليه. يصلح مرة واحدة خلال عشر دقائق.',
  'tills.pair.new': 'رابط جديد',
  'tills.qr.alt': 'رمز QR يربط الجهاز',
  'tills.device': 'الجهاز',
  'tills.lastUse': 'آخر استخدام',
  'tills.never': 'ليس بعد',
  'tills.state.paired': 'متصلة',
  'tills.state.unpaired': 'بلا جهاز',
  'tills.state.blocked': 'محظورة: رمز PIN خاطئ',
  'tills.unblock': 'ارفع الحظر',
  'tills.remove': 'أزل',
  'tills.remove.text': 'منذ ذلك لا يستطيع الجهاز فعل شيء. تبقى مبيعاته في المدفوعات.',
  'tills.receipt': 'إيصال',
}
