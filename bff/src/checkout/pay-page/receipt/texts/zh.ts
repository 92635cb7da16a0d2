import type { ReceiptTexts } from './en.ts'

/** Chinese. */
export const texts: ReceiptTexts = {
  receipt: '收据',
  paid: '已付款',
  refunded: '已退款',
  partlyRefunded: '已部分退款',
  notPaid: '未付款',
  number: '收据编号',
  time: '付款时间',
  order: '订单',
  about: '用途',
  price: '价格',
  asked: '应付',
  received: '已付',
  rate: '汇率',
  network: '网络',
  transaction: '交易',
  refund: '已退款',
  refundDue: '待退款',
  refundTransaction: '退款交易',
  print: '打印或存为 PDF',
  open: '查看付款',
  none: '还没有收据',
  noneText: '这笔付款尚未完成。打开它查看还缺什么。',
  note: '确认已收到这笔付款。本收据不是税务发票。',
}
