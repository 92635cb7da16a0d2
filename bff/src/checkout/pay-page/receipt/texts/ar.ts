import type { ReceiptTexts } from './en.ts'

/** Arabic. */
export const texts: ReceiptTexts = {
  receipt: 'إيصال',
  paid: 'مدفوع',
  refunded: 'رُدّ المبلغ',
  partlyRefunded: 'رُدّ جزء من المبلغ',
  notPaid: 'غير مدفوع',
  number: 'رقم الإيصال',
  time: 'وقت الدفع',
  order: 'الطلب',
  about: 'مقابل',
  price: 'السعر',
  asked: 'المطلوب',
  received: 'المدفوع',
  rate: 'سعر الصرف',
  network: 'الشبكة',
  transaction: 'المعاملة',
  refund: 'المبلغ المردود',
  refundDue: 'المبلغ الذي سيُردّ',
  refundTransaction: 'معاملة الردّ',
  print: 'اطبع أو احفظ بصيغة PDF',
  open: 'اعرض الدفعة',
  none: 'لا يوجد إيصال بعد',
  noneText: 'هذه الدفعة غير مكتملة. افتحها لترى ما ينقصها.',
  note: 'يؤكد وصول هذه الدفعة. وهو ليس فاتورة ضريبية.',
}
