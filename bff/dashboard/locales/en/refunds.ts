/** Refunds that the merchant's own wallet pays. */
export const refunds = {
  'page.refunds': 'Refunds',
  'refunds.open': 'To be paid',
  'refunds.done': 'Paid and cancelled',
  'refunds.none': 'No refunds yet. Open a paid payment to refund it.',
  'refunds.status.awaiting_address': 'Waiting for an address',
  'refunds.status.to_pay': 'To be paid',
  'refunds.status.confirming': 'Being confirmed',
  'refunds.status.paid': 'Paid',
  'refunds.status.cancelled': 'Cancelled',
  'refunds.pay': 'Pay',
  'refunds.pay.text':
    'Send exactly {0} on {1} from your settlement wallet to this address. The service finds the transfer by itself.',
  'refunds.pay.other': 'Paid from another wallet or an exchange? Enter the transaction.',
  'refunds.verify': 'Check the transaction',
  'refunds.link': 'Link for the customer',
  'refunds.cancel': 'Cancel refund',
  'refunds.cancel.text': 'The customer will not get this refund. You can request another.',
  'refunds.qr': 'QR code of the transfer',
  'refunds.request': 'Refund',
  'refunds.request.text': 'Your own wallet pays the refund. Up to {0} can be refunded.',
  'refunds.request.amount': 'Amount in {0}',
  'refunds.request.address': 'Customer’s address. Leave it empty, and the customer enters it.',
  'refunds.request.reason': 'Reason, shown to the customer',
  'refunds.request.done': 'Refund requested',
} as const

/** Other languages have the same keys. */
export type Refunds = { readonly [Key in keyof typeof refunds]: string }
