// Areas that decide who is written to, what, and how often.

/** @type {Record<string, { files: string[], tests: string[] }>} */
export const noticeAreas = {
  notices: {
    files: [
      'bff/src/notice/channels/addition-store.ts',
      'bff/src/notice/channels/channels.ts',
      'bff/src/notice/outbox/event-notices.ts',
      'bff/src/notice/outbox/plan-messages.ts',
      'bff/src/notice/outbox/refund-reminders.ts',
      'bff/src/notice/send/chat-url.ts',
      'bff/src/notice/notice-links.ts',
      'bff/src/notice/trouble/plan-troubles.ts',
    ],
    tests: [
      'bff/src/notice/channels/channels.test.ts',
      'bff/src/notice/notices.test.ts',
      'bff/src/notice/outbox/refund-notices.test.ts',
      'bff/src/notice/trouble/troubles.test.ts',
    ],
  },
  'receipt-mails': {
    files: ['bff/src/notice/receipt/receipt-mails.ts', 'bff/src/notice/receipt/receipt-mail-store.ts'],
    tests: ['bff/src/notice/receipt/receipt-mail.test.ts'],
  },
}
