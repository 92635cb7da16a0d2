import type { RefundTexts } from './en.ts'

export const texts: RefundTexts = {
  title: 'Hoàn {0} từ {1}',
  ask: 'Hoàn tiền về đâu?',
  prompt: 'Nhập địa chỉ nhận {0} trên {1} của bạn.',
  label: 'Địa chỉ của bạn',
  warning:
    'Kiểm tra từng ký tự: tiền gửi nhầm địa chỉ sẽ mất, và địa chỉ chỉ nhập được một lần. Chỉ dùng địa chỉ sàn giao dịch nếu sàn nhận {0} trên {1}.',
  send: 'Gửi tiền hoàn về đây',
  toPay: 'Đã nhận địa chỉ',
  toPayText: '{0} sẽ trả tiền hoàn về địa chỉ này. Trang này cho biết khi tiền đang được gửi.',
  confirming: 'Tiền hoàn đang được gửi',
  paid: 'Đã hoàn tiền',
  cancelled: 'Khoản hoàn tiền này đã bị hủy',
  cancelledText: 'Nếu có câu hỏi, hãy hỏi {0}.',
  transaction: 'Giao dịch',
  address: 'Địa chỉ',
  badAddress: 'Không thể trả về địa chỉ này trên {0}. Hãy kiểm tra và thử lại.',
  incomplete: 'Liên kết này chưa đầy đủ. Hãy mở lại từ nơi bạn nhận được.',
  tryAgain: 'Không thành công. Hãy thử lại.',
  none: 'Không có khoản hoàn tiền này',
}
