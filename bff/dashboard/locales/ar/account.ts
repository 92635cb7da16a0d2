import type { Account } from '../en/account.ts'

export const account: Account = {
  'passkeys.title': 'مفاتيح المرور الخاصة بك',
  'passkeys.unnamed': 'مفتاح مرور بلا اسم',
  'passkeys.added': 'أُضيف {0}',
  'passkeys.used': 'آخر استخدام {0}',
  'passkeys.never': 'لم يُستخدم بعد',
  'passkeys.name': 'اسم مفتاح المرور',
  'passkeys.remove': 'إزالة',
  'passkeys.remove.text': 'إزالة «{0}»؟ لن يستطيع هذا الجهاز تسجيل دخولك.',
  'people.seen': 'آخر ظهور',
  'keys.name': 'الاسم',
  'keys.used': 'آخر استخدام',
  'signIn.what': 'مفتاح المرور هو بصمتك أو وجهك أو رمز جهازك بدل كلمة المرور. يبقى على جهازك.',
}
