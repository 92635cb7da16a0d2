/** The texts of a refund's page. Of `title` 0: the sum, 1: the shop; of `prompt` and `warning` 0: the token, 1: the network. */
export const texts = {
  title: 'Refund of {0} from {1}',
  ask: 'Where should the refund go?',
  prompt: 'Enter your address for {0} on {1}.',
  label: 'Your address',
  warning:
    'Check every character: money sent to a wrong address is lost, and the address can be entered only once. Use an exchange’s address only if it accepts {0} on {1}.',
  send: 'Send the refund here',
  toPay: 'Address received',
  toPayText: '{0} pays the refund to this address. This page shows when it is on its way.',
  confirming: 'The refund is on its way',
  paid: 'Refund paid',
  cancelled: 'This refund was cancelled',
  cancelledText: 'If you have questions, ask {0}.',
  transaction: 'Transaction',
  address: 'Address',
  badAddress: 'This address can’t be paid on {0}. Check it and try again.',
  incomplete: 'This link is incomplete. Open it again from where you got it.',
  tryAgain: 'That didn’t work. Try again.',
  none: 'There is no such refund',
}

export type RefundTexts = Record<keyof typeof texts, string>
