/** Texts of mails and notices. `{0}`: see each comment. */
export const texts = {
  /** 0: the shop. */
  receiptSubject: 'Your receipt from {0}',
  /** 0: the shop. */
  receiptThanks: 'Thank you for your payment to {0}.',
  amount: 'Amount',
  price: 'Price',
  date: 'Date',
  orderLabel: 'Order',
  network: 'Network',
  transaction: 'Transaction',
  openReceipt: 'Open the receipt',
  receiptWhy: 'You get this e-mail because your address was entered on the payment page. We don’t keep it.',
  testPayment: 'Test payment: nothing real was paid.',
  /** The names of the kinds of notices, in lists. */
  kindPaid: 'Paid',
  kindLate: 'Paid late',
  kindRefund: 'Refund wanted',
  kindTrouble: 'Problem',
  /** 0: an amount. */
  paid: 'Paid: {0}',
  late: 'Paid late: {0}',
  lateText: 'The money came after the time was up. Accept it or send it back.',
  refund: 'Refund wanted: {0}',
  refundText: 'A customer is waiting for money back.',
  refundUnpaid: 'Refund not paid yet: {0}',
  refundUnpaidText: 'It was requested days ago, and the customer has no money. Pay it, or cancel it.',
  refundExcess: 'Refund paid twice or after its cancel: {0}',
  refundExcessText: 'More money left your wallet than the refund needs. Compare it with your books.',
  payout: 'Payout failed: {0}',
  payoutText: 'The service keeps trying. Open the payment to see why.',
  /** 0: a host. */
  webhook: 'Webhooks to {0} are failing',
  webhookText: 'Your server doesn’t answer as it should.',
  /** 0: a network. */
  gas: 'Gas is low on {0}',
  gasText: 'Top it up so that payouts go on.',
  down: '{0} is unavailable',
  downText: 'Customers can’t pay on this network right now.',
  /** 0: the title of the problem. */
  over: 'Solved: {0}',
  /** 0: a number. */
  digest: '{0, plural, one {# new notice} other {# new notices}}',
  test: 'Notices are on',
  testText: 'This is where you will get them.',
  /** Sent to a new address, and on the page behind its link. */
  confirmTitle: 'Confirm your address',
  confirmText: 'Confirm that you want notices about a shop’s payments at this address.',
  confirmWhy: 'If you did not ask for this, ignore this e-mail. Nothing else will be sent.',
  confirmButton: 'Confirm',
  confirmed: 'Done. You will get notices here from now on.',
  confirmUnknown: 'This link no longer works. Add the address again in the dashboard.',
  /** 0: an order id. */
  order: 'Order {0}',
  openPayment: 'Open the payment',
  openRefund: 'Open the refund',
  openDashboard: 'Open the dashboard',
  stop: 'Stop these notices',
  /** 0: a kind. */
  stopKind: 'Stop “{0}”',
  stopAll: 'Stop all of them',
  stopTitle: 'Stop notices?',
  stopped: 'Done. You can turn them on again in the dashboard.',
  stopUnknown: 'This link no longer works. The notices may be off already.',
}

export type NoticeTexts = Record<keyof typeof texts, string>
