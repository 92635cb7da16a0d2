import type { RefundTexts } from './en.ts'

export const texts: RefundTexts = {
  title: '{1} 退款 {0}',
  ask: '退款退到哪里？',
  prompt: '请输入您在 {1} 上接收 {0} 的地址。',
  label: '您的地址',
  warning:
    '请核对每个字符：转到错误地址的钱无法找回，地址只能填写一次。仅当交易所支持 {1} 上的 {0} 时，才使用交易所地址。',
  send: '退款到此地址',
  toPay: '已收到地址',
  toPayText: '{0} 会将退款付到此地址。退款发出后，本页会显示。',
  confirming: '退款正在路上',
  paid: '退款已支付',
  cancelled: '此退款已取消',
  cancelledText: '如有疑问，请联系 {0}。',
  transaction: '交易',
  address: '地址',
  badAddress: '无法在 {0} 上付款到此地址。请检查后重试。',
  incomplete: '此链接不完整。请从您收到链接的地方重新打开。',
  tryAgain: '未成功，请重试。',
  none: '没有这笔退款',
}
