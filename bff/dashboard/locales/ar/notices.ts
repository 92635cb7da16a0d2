import type { Notices } from '../en/notices.ts'

export const notices: Notices = {
  'page.notices': 'الإشعارات',
  'notices.text': 'اختر أين تصلك الإشعارات وأيّها. أنت وحدك تستطيع تغييرها.',
  'notices.add': 'إضافة مكان',
  'notices.added': 'تمت الإضافة. الإشعار الأول في الطريق.',
  'notices.thisBrowser': 'هذا المتصفح',
  'notices.blocked': 'متصفحك يحظر إشعارات هذه الصفحة. اسمح بها في إعداداته ثم أعد المحاولة.',
  'notices.by.push': 'إشعار فوري',
  'notices.by.email': 'البريد الإلكتروني',
  'notices.by.telegram': 'دردشة Telegram',
  'notices.by.slack': 'قناة Slack',
  'notices.how.email': 'نرسل إليه رابطًا. تبدأ الإشعارات بعد أن تفتحه وتؤكد.',
  'notices.noMail': 'يمكن إضافة البريد الإلكتروني بعد أن يضبط من يستضيف هذه الخدمة «mail» في إعداداتها.',
  'notices.how.telegram': 'أنشئ بوتًا عبر @BotFather واكتب له، ثم ألصق العنوان مع معرّف دردشتك.',
  'notices.how.slack': 'ألصق رابط ويب هوك وارد. يُحفظ مشفّرًا.',
  'notices.kind.paid': 'دُفع طلب',
  'notices.kind.late': 'دُفع طلب متأخرًا',
  'notices.kind.refund': 'عميل يريد استعادة ماله',
  'notices.kind.trouble': 'شيء يفشل: تحويل أو ويب هوك أو غاز أو شبكة',
  'notices.unconfirmed':
    'بانتظار التأكيد: افتح الرابط في الرسالة التي أرسلناها. يعمل الرابط يومًا واحدًا، وبعده أضف العنوان من جديد.',
  'notices.failing': 'لم تصل منذ {0}. تحقّق من العنوان، أو أزله وأضفه من جديد.',
  'notices.remove': 'إزالة',
  'notices.remove.text': 'إزالة \u2068{0}\u2069؟ لن تصلك إشعارات هناك بعد الآن.',
}
