import type { Refunds } from '../en/refunds.ts'

export const refunds: Refunds = {
  'page.refunds': 'Hoàn tiền',
  'refunds.open': 'Cần trả',
  'refunds.done': 'Đã trả và đã hủy',
  'refunds.none': 'Chưa có khoản hoàn tiền nào. Mở một khoản đã thanh toán để hoàn tiền.',
  'refunds.status.awaiting_address': 'Đang chờ địa chỉ',
  'refunds.status.to_pay': 'Cần trả',
  'refunds.status.confirming': 'Đang xác nhận',
  'refunds.status.paid': 'Đã trả',
  'refunds.status.cancelled': 'Đã hủy',
  'refunds.pay': 'Trả',
  'refunds.pay.text':
    'Gửi đúng {0} trên {1} từ ví nhận chi trả của bạn đến địa chỉ này. Dịch vụ tự tìm thấy khoản chuyển.',
  'refunds.pay.other': 'Đã trả từ ví khác hoặc sàn giao dịch? Nhập giao dịch.',
  'refunds.verify': 'Kiểm tra giao dịch',
  'refunds.link': 'Liên kết cho khách hàng',
  'refunds.cancel': 'Hủy hoàn tiền',
  'refunds.cancel.text': 'Khách hàng sẽ không nhận khoản hoàn tiền này. Bạn có thể yêu cầu khoản khác.',
  'refunds.qr': 'Mã QR của khoản chuyển',
  'refunds.request': 'Hoàn tiền',
  'refunds.request.text': 'Ví của bạn trả khoản hoàn tiền. Có thể hoàn tối đa {0}.',
  'refunds.request.amount': 'Số tiền bằng {0}',
  'refunds.request.address': 'Địa chỉ của khách hàng. Để trống thì khách hàng tự nhập.',
  'refunds.request.reason': 'Lý do, khách hàng sẽ thấy',
  'refunds.request.done': 'Đã yêu cầu hoàn tiền',
}
