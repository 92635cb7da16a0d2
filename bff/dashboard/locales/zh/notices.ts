import type { Notices } from '../en/notices.ts'

export const notices: Notices = {
  'page.notices': '通知',
  'notices.text': '选择在哪里接收通知以及接收哪些。只有您能查看和更改。',
  'notices.add': '添加接收位置',
  'notices.added': '已添加。第一条通知正在发送。',
  'notices.thisBrowser': '此浏览器',
  'notices.blocked': '浏览器拦截了本页面的通知。请在设置中允许后重试。',
  'notices.by.push': '推送通知',
  'notices.by.email': '电子邮件',
  'notices.by.telegram': 'Telegram 聊天',
  'notices.by.slack': 'Slack 频道',
  'notices.how.email': '我们会向那里发送第一条通知。每条通知都带有停止链接。',
  'notices.how.telegram': '用 @BotFather 创建机器人，给它发消息，然后粘贴带有聊天 ID 的地址。',
  'notices.how.slack': '粘贴传入 Webhook 的 URL。它会加密保存。',
  'notices.kind.paid': '订单已付款',
  'notices.kind.late': '订单逾期付款',
  'notices.kind.refund': '顾客要求退款',
  'notices.kind.trouble': '出现故障：打款、Webhook、Gas、网络',
  'notices.failing': '自 {0} 起未送达。请检查地址，或移除后重新添加。',
  'notices.remove': '移除',
  'notices.remove.text': '移除 {0}？之后您将不会在那里收到通知。',
}
