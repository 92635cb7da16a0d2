import type { Notices } from '../en/notices.ts'

export const notices: Notices = {
  'page.notices': 'Thông báo',
  'notices.text': 'Chọn nơi bạn nhận thông báo và loại nào. Chỉ bạn đổi được.',
  'notices.add': 'Thêm nơi nhận',
  'notices.added': 'Đã thêm. Thông báo đầu tiên đang được gửi.',
  'notices.thisBrowser': 'Trình duyệt này',
  'notices.blocked': 'Trình duyệt đang chặn thông báo của trang này. Hãy cho phép trong cài đặt rồi thử lại.',
  'notices.by.push': 'Thông báo đẩy',
  'notices.by.email': 'Địa chỉ email',
  'notices.by.telegram': 'Cuộc trò chuyện Telegram',
  'notices.by.slack': 'Kênh Slack',
  'notices.how.email': 'Chúng tôi gửi một liên kết đến đó. Thông báo bắt đầu sau khi bạn mở và xác nhận.',
  'notices.noMail': 'Có thể thêm email khi người vận hành dịch vụ này đã thiết lập “mail” trong cấu hình.',
  'notices.how.telegram': 'Tạo bot bằng @BotFather, nhắn cho nó, rồi dán địa chỉ có ID cuộc trò chuyện của bạn.',
  'notices.how.slack': 'Dán URL của webhook đến. URL được lưu ở dạng mã hóa.',
  'notices.kind.paid': 'Một đơn hàng được trả',
  'notices.kind.late': 'Một đơn hàng được trả muộn',
  'notices.kind.refund': 'Khách muốn nhận lại tiền',
  'notices.kind.trouble': 'Có lỗi: chi trả, webhook, gas, mạng',
  'notices.unconfirmed':
    'Đang chờ xác nhận: hãy mở liên kết trong email chúng tôi đã gửi. Liên kết dùng được trong một ngày; sau đó hãy thêm lại địa chỉ.',
  'notices.failing': 'Không gửi được từ {0}. Kiểm tra địa chỉ, hoặc xóa và thêm lại.',
  'notices.remove': 'Xóa',
  'notices.remove.text': 'Xóa {0}? Bạn sẽ không nhận thông báo ở đó nữa.',
}
