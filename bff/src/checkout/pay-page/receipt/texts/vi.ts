import type { ReceiptTexts } from './en.ts'

/** Vietnamese. */
export const texts: ReceiptTexts = {
  receipt: 'Biên nhận',
  paid: 'Đã thanh toán',
  refunded: 'Đã hoàn tiền',
  partlyRefunded: 'Đã hoàn một phần',
  notPaid: 'Chưa thanh toán',
  number: 'Số biên nhận',
  time: 'Thanh toán lúc',
  order: 'Đơn hàng',
  about: 'Nội dung',
  price: 'Giá',
  asked: 'Yêu cầu',
  received: 'Đã trả',
  rate: 'Tỷ giá',
  network: 'Mạng',
  transaction: 'Giao dịch',
  refund: 'Đã hoàn',
  refundDue: 'Sẽ hoàn',
  refundTransaction: 'Giao dịch hoàn tiền',
  print: 'In hoặc lưu thành PDF',
  open: 'Xem khoản thanh toán',
  none: 'Chưa có biên nhận',
  noneText: 'Khoản thanh toán này chưa hoàn tất. Hãy mở để xem còn thiếu gì.',
  note: 'Xác nhận khoản thanh toán này đã đến. Đây không phải hóa đơn thuế.',
}
