import type { Sales } from '../en/sales.ts'

export const sales: Sales = {
  'home.step.link': 'أنشئ رابط دفع',
  'home.step.link.text': 'أرسله بالبريد أو الدردشة. لا تحتاج إلى موقع.',
  'home.step.snippet': 'أضف الدفع إلى موقعك',
  'home.step.snippet.text': 'انسخ بضعة أسطر إلى صفحتك.',
  'home.step.test': 'نفّذ دفعة تجريبية',
  'home.step.test.text': 'شاهد كيف يعمل، دون أموال حقيقية.',
  'home.against.day': 'اليوم نفسه من الأسبوع الماضي: {0}',
  'home.against.days':
    '{0, plural, zero {الأيام السابقة} one {اليوم السابق} two {اليومان السابقان} few {الأيام الـ # السابقة} many {الأيام الـ # السابقة} other {الأيام الـ # السابقة}}: ‏{1}',
  'home.paidOf':
    'دُفع {0} من أصل {1, plural, zero {# دفعة} one {دفعة واحدة} two {دفعتين} few {# مدفوعات} many {# دفعة} other {# دفعة}}',
  'home.latest': 'أحدث المدفوعات',
  'home.converted': 'محوّل بأسعار {0}',
  'home.currency': 'العملة',
  'kind.overpaid': 'دُفع زائدًا',
  'kind.late': 'متأخر',
  'payments.save': 'احفظ هذا المرشح',
  'payments.saveName': 'اسم المرشح',
  'payments.saveNote': 'تُحفظ المرشحات في هذا المتصفح، لك وحدك.',
  'payments.unsave': 'أزل المرشح {0}',
  'payments.exportCut': 'هذه أحدث {0}. ضيّق المرشحات لتصدير غيرها.',
  'payment.tab': 'نظرة عامة',
  'payment.ask': 'اسأل العميل',
  'payment.ask.text': 'أرسل هذا الرابط إلى العميل: تسأله الصفحة أين يُعاد المال.',
  'payment.confirmations':
    '{0} من {1, plural, zero {# تأكيد} one {تأكيد واحد} two {تأكيدين} few {# تأكيدات} many {# تأكيدًا} other {# تأكيد}}',
  'history.arrived': 'وصل {0} من {1}',
}
