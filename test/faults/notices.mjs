// Who may have mail sent, to how many, and how often; what is sent again, and what is not.

const receiptTest = 'bff/src/notice/receipt/receipt-mail.test.ts'

/** @type {import('./faults.mjs').Fault[]} */
export const notices = [
  {
    name: 'A public key alone has receipts mailed',
    file: 'bff/src/notice/receipt/receipt-mails.ts',
    from: 'if (!isMerchant && !requester.hasClientSecret) throw',
    to: 'if (!isMerchant && requester.caller === null) throw',
    test: receiptTest,
    fails: 'without the client secret, of a payment that is not paid, or to a second address nothing is sent',
  },
  {
    name: 'A receipt is mailed of a payment that is not paid',
    file: 'bff/src/notice/receipt/receipt-mails.ts',
    from: "if (outcomeOf(payment) !== 'paid')",
    to: "if (outcomeOf(payment) === 'failed')",
    test: receiptTest,
    fails: 'without the client secret, of a payment that is not paid, or to a second address nothing is sent',
  },
  {
    name: 'A test payment, which costs nothing, mails strangers',
    file: 'bff/src/notice/receipt/receipt-mails.ts',
    from: 'if (payment.isTest && !isMerchant)',
    to: 'if (payment.isTest && requester.caller !== null && !isMerchant)',
    test: receiptTest,
    fails: 'public key’s test payment mails nobody',
  },
  {
    name: 'One address gets one receipt too many a day',
    file: 'bff/src/notice/receipt/receipt-mails.ts',
    from: 'sent.ofAddress >= perAddressMax',
    to: 'sent.ofAddress > perAddressMax',
    test: receiptTest,
    fails: 'one address gets five a day',
  },
  {
    name: 'A merchant sends one receipt too many a day',
    file: 'bff/src/notice/receipt/receipt-mails.ts',
    from: 'sent.ofMerchant >= perMerchantMax',
    to: 'sent.ofMerchant > perMerchantMax',
    test: receiptTest,
    fails: 'one address gets five a day and a merchant sends five hundred',
  },
  {
    name: 'The address of a sent receipt is kept',
    file: 'bff/src/notice/receipt/receipt-mail-store.ts',
    from: 'set address = null, due_at_ms = null',
    to: 'set due_at_ms = null',
    test: receiptTest,
    fails: 'by a real mail server, and the address is not kept',
  },
  {
    name: 'A receipt under way is due at once for another process',
    file: 'bff/src/notice/receipt/receipt-mail-worker.ts',
    from: 'runtime.nowMs() + attemptMs',
    to: 'runtime.nowMs()',
    test: receiptTest,
    fails: 'killed after the server took the mail',
  },
  {
    name: 'A text of a public key’s holder is mailed in the shop’s name',
    file: 'bff/src/notice/receipt/receipt-body.ts',
    from: "payment.madeWith === 'api' ? payment.orderId : null",
    to: 'payment.orderId',
    test: receiptTest,
    fails: 'an order id of a public key is left out',
  },
]
