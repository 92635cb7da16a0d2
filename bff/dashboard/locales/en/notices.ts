/** The page of notifications. */
export const notices = {
  'page.notices': 'Notifications',
  'notices.text': 'Choose where you get notices, and which. Only you can change these.',
  'notices.add': 'Add a place',
  'notices.added': 'Added. A first notice is on its way.',
  'notices.thisBrowser': 'This browser',
  'notices.blocked': 'Your browser blocks notices from this page. Allow them in its settings, then try again.',
  'notices.by.push': 'Push',
  'notices.by.email': 'E-mail',
  'notices.by.telegram': 'Telegram',
  'notices.by.slack': 'Slack',
  'notices.how.email': 'We send a link there. Notices begin once you open it and confirm.',
  'notices.noMail': 'E-mail can be added when the host of this service has set up “mail” in its configuration.',
  'notices.how.telegram': 'Make a bot with @BotFather, write to it, and paste the address with your chat’s id.',
  'notices.how.slack': 'Paste the URL of an incoming webhook. It is kept sealed.',
  'notices.kind.paid': 'An order is paid',
  'notices.kind.late': 'An order is paid late',
  'notices.kind.refund': 'A customer wants money back',
  'notices.kind.trouble': 'Something fails: a payout, a webhook, gas, a network',
  'notices.unconfirmed':
    'Waiting for confirmation: open the link in the e-mail that we sent. It works for a day; then add the address again.',
  'notices.failing': 'Not delivered since {0}. Check the address, or remove it and add it again.',
  'notices.remove': 'Remove',
  'notices.remove.text': 'Remove {0}? You get no more notices there.',
}

/** Other languages have the same keys. */
export type Notices = { readonly [Key in keyof typeof notices]: string }
