export { receiptMailRoute } from '../receipt/receipt-mail.routes.ts'
export { runReceiptMails } from '../receipt/receipt-mail-worker.ts'
export { createReceiptMails } from '../receipt/receipt-mails.ts'
export { createSendMail } from './smtp.ts'
