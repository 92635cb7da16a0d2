/** The hosted pages’ own texts. `{0}`: the shop’s name, unless a comment says otherwise. */
export const texts = {
  /** The language’s own name, in the list of languages. */
  language: 'English',
  languages: 'Language',
  test: 'Test payment. Don’t send money: nothing real is paid here.',
  testTitle: 'TEST',
  /** 0: the amount, 1: the shop. */
  pay: 'Pay {0} to {1}',
  paymentTo: 'Payment to {0}',
  /** 0: tokens, such as `USDC or USDT`. */
  payWith: 'Pay with {0}.',
  confirming: 'Payment detected',
  paid: 'Paid',
  expired: 'Time is up',
  closed: 'Payment cancelled',
  noScript: 'This page needs JavaScript to show how to pay.',
  back: 'Back to {0}',
  terms: 'Terms',
  privacy: 'Privacy',
  imprint: 'Legal notice',
  support: 'Support',
  /** On paper, where no countdown runs. 0: a date and time. */
  payBy: 'To be paid by {0}',
  linkPaid: 'This was already paid',
  linkPaidText: 'This link can’t be paid again. If you haven’t paid yet, ask {0} for a new one. Nothing was charged.',
  linkExpired: 'This link has expired',
  /** 0: the shop, 1: a date and time. */
  linkExpiredText: 'It could be paid until {1}. Ask {0} for a new one. Nothing was charged.',
  linkEnded: 'This link is closed',
  linkEndedText: '{0} has closed it. Ask them for a new one. Nothing was charged.',
  linkBusy: 'Someone is paying with this link',
  linkBusyText:
    'Their payment is being confirmed. If that is you, open this page in the browser you paid from. Otherwise ask {0} for a link of your own.',
  noPayment: 'There is no such payment',
  noPaymentText:
    'The link may be incomplete. Open it again from where you got it, or ask the shop for a new one. Nothing was charged.',
}

export type PageTexts = Record<keyof typeof texts, string>
