/** The receipt's own texts; the page around it has those of `pay-page/texts`. */
export const texts = {
  receipt: 'Receipt',
  paid: 'Paid',
  refunded: 'Refunded',
  partlyRefunded: 'Partly refunded',
  notPaid: 'Not paid',
  number: 'Receipt number',
  time: 'Paid on',
  order: 'Order',
  /** Before what a payment link is for. */
  about: 'For',
  price: 'Price',
  /** The amount due, where another one was paid. */
  asked: 'Asked for',
  /** Before an amount. */
  received: 'Paid',
  rate: 'Exchange rate',
  network: 'Network',
  transaction: 'Transaction',
  /** Before an amount. */
  refund: 'Refunded',
  refundDue: 'To be refunded',
  refundTransaction: 'Refund transaction',
  print: 'Print or save as PDF',
  open: 'Show the payment',
  none: 'There is no receipt yet',
  noneText: 'This payment isn’t complete. Open it to see what is missing.',
  note: 'Confirms that this payment arrived. It is not a tax invoice.',
  mail: 'Get the receipt by e-mail',
  mailAddress: 'E-mail address',
  mailSend: 'Send',
  /** `{0}`: the customer's address. */
  mailSent: 'The receipt is on its way to {0}.',
  mailOnce: 'The address is used once, for this receipt.',
  mailKnown: 'This receipt was already sent to another address.',
  mailLimit: 'Too many receipts were sent today. Try again tomorrow.',
  mailInvalid: 'Enter one e-mail address, such as name@example.com.',
  mailFailed: 'The receipt couldn’t be sent. Try again.',
}

export type ReceiptTexts = Record<keyof typeof texts, string>
