/** For tests of languages. What the service itself says to people. */
export { pageTexts } from '../checkout/pay-page/page-language.ts'
export { receiptTexts } from '../checkout/pay-page/receipt/receipt-texts.ts'
export { refundTexts } from '../checkout/refund-page/refund-texts.ts'
export type { NoticeKind } from '../notice/notice-kinds.ts'
export { messageOf } from '../notice/outbox/notice-message.ts'
export type { Notice } from '../notice/outbox/notice-store.ts'
export { noticeTexts } from '../notice/texts/notice-texts.ts'
export { homeTexts } from '../system/home-page.ts'
