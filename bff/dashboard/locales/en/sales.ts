/** Home and payments: what people read first. */
export const sales = {
  'home.step.link': 'Create a payment link',
  'home.step.link.text': 'Send it by mail or chat. You need no website.',
  'home.step.snippet': 'Put the checkout on your website',
  'home.step.snippet.text': 'Copy a few lines into your page.',
  'home.step.test': 'Make a test payment',
  'home.step.test.text': 'See how it works, without real money.',
  'home.against.day': 'Same day last week: {0}',
  'home.against.days': '{0, plural, one {The day} other {The # days}} before: {1}',
  'home.paidOf': '{0} of {1, plural, one {# payment} other {# payments}} paid',
  'home.latest': 'Latest payments',
  'home.converted': 'Converted at the rates of {0}',
  'home.currency': 'Currency',
  'kind.overpaid': 'Overpaid',
  'kind.late': 'Late',
  'payments.save': 'Save this filter',
  'payments.saveName': 'Name of the filter',
  'payments.saveNote': 'Filters are saved in this browser, for you alone.',
  'payments.unsave': 'Remove the filter {0}',
  'payments.exportCut': 'These are the newest {0}. Narrow the filters to export the others.',
  'payment.tab': 'Overview',
  'payment.ask': 'Ask the customer',
  'payment.ask.text': 'Send this link to the customer: the page asks where the money should go back to.',
  'payment.confirmations': '{0} of {1, plural, one {# confirmation} other {# confirmations}}',
  'history.arrived': '{0} arrived from {1}',
} as const

/** Other languages have the same keys. */
export type Sales = { readonly [Key in keyof typeof sales]: string }
