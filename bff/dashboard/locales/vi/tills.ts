import type { TillsMessages } from '../en/tills.ts'

export const tills: TillsMessages = {
  'page.tills': 'Quầy',
  'tills.empty':
    'Chưa có quầy nào. Quầy là điện thoại hoặc máy tính bảng trên bàn của bạn: nhập số tiền, khách quét mã, màn hình chuyển xanh khi đã trả.',
  'tills.make': 'Thêm quầy',
  'tills.name': 'Tên',
  'tills.name.hint': 'Quầy trước',
  'tills.pin': 'PIN cho nhân viên',
  'tills.pin.hint': 'Sáu chữ số, không liên tiếp',
  'tills.pin.new': 'PIN mới',
  'tills.pin.new.text': 'Quầy hỏi PIN mới ngay lập tức. PIN cũ không còn mở được.',
  'tills.pin.saved': 'Đã lưu. Hãy báo PIN mới cho nhân viên.',
  'tills.currency': 'Số tiền tính bằng',
  'tills.first': 'Hỏi trước',
  'tills.tokens': 'Token',
  'tills.pair': 'Kết nối thiết bị',
  'tills.pair.text':
    'Quét mã này bằng điện thoại hoặc máy tính bảng, hoặc mở liên kết trên đó. Dùng được một lần, trong mười phút.',
  'tills.pair.new': 'Liên kết mới',
  'tills.qr.alt': 'Mã QR kết nối thiết bị',
  'tills.device': 'Thiết bị',
  'tills.lastUse': 'Dùng gần nhất',
  'tills.never': 'Chưa',
  'tills.state.paired': 'Đã kết nối',
  'tills.state.unpaired': 'Không có thiết bị',
  'tills.state.blocked': 'Bị khóa: sai PIN',
  'tills.unblock': 'Mở khóa',
  'tills.remove': 'Xóa',
  'tills.remove.text': 'Từ đó thiết bị không làm được gì. Các giao dịch bán vẫn ở mục Thanh toán.',
  'tills.receipt': 'Biên nhận',
}
