import type { Account } from '../en/account.ts'

export const account: Account = {
  'passkeys.title': 'Khóa truy cập của bạn',
  'passkeys.unnamed': 'Khóa truy cập chưa đặt tên',
  'passkeys.added': 'Thêm lúc {0}',
  'passkeys.used': 'Dùng lần cuối {0}',
  'passkeys.never': 'Chưa dùng',
  'passkeys.name': 'Tên khóa truy cập',
  'passkeys.remove': 'Xóa',
  'passkeys.remove.text': 'Xóa “{0}”? Thiết bị này sẽ không đăng nhập cho bạn được nữa.',
  'people.seen': 'Lần cuối thấy',
  'keys.name': 'Tên',
  'keys.used': 'Dùng lần cuối',
  'signIn.what':
    'Khóa truy cập là vân tay, khuôn mặt hoặc mã PIN thiết bị thay cho mật khẩu. Nó ở lại trên thiết bị của bạn.',
}
