import type { PageTexts } from './en.ts'

/** Vietnamese. */
export const texts: PageTexts = {
  language: 'Tiếng Việt',
  languages: 'Ngôn ngữ',
  test: 'Thanh toán thử. Đừng gửi tiền: ở đây không có khoản nào là thật.',
  testTitle: 'THỬ',
  pay: 'Trả {0} cho {1}',
  paymentTo: 'Thanh toán cho {0}',
  payWith: 'Trả bằng {0}.',
  confirming: 'Đã thấy khoản thanh toán',
  paid: 'Đã thanh toán',
  expired: 'Đã hết thời gian',
  closed: 'Khoản thanh toán đã bị hủy',
  noScript: 'Trang này cần JavaScript để cho biết cách thanh toán.',
  back: 'Quay lại {0}',
  terms: 'Điều khoản',
  privacy: 'Quyền riêng tư',
  imprint: 'Thông tin pháp lý',
  support: 'Hỗ trợ',
  payBy: 'Trả trước {0}',
  linkPaid: 'Khoản này đã được trả',
  linkPaidText:
    'Không thể trả bằng liên kết này lần nữa. Nếu bạn chưa trả, hãy xin {0} một liên kết mới. Bạn không bị trừ tiền.',
  linkExpired: 'Liên kết này đã hết hạn',
  linkExpiredText: 'Liên kết có hiệu lực đến {1}. Hãy xin {0} một liên kết mới. Bạn không bị trừ tiền.',
  linkEnded: 'Liên kết này đã đóng',
  linkEndedText: '{0} đã đóng liên kết. Hãy xin họ một liên kết mới. Bạn không bị trừ tiền.',
  linkBusy: 'Có người đang trả bằng liên kết này',
  linkBusyText:
    'Khoản đó đang được xác nhận. Nếu là bạn, hãy mở trang này trong trình duyệt bạn đã dùng để trả. Nếu không, hãy xin {0} một liên kết riêng.',
  noPayment: 'Không có khoản thanh toán này',
  noPaymentText:
    'Liên kết có thể không đầy đủ. Hãy mở lại từ nơi bạn nhận được, hoặc xin cửa hàng một liên kết mới. Bạn không bị trừ tiền.',
}
