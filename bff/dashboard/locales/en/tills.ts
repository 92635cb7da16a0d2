/** The dashboard's page of tills. */
export const tills = {
  'page.tills': 'Till',
  'tills.empty':
    'No till yet. A till is a phone or tablet on your counter: key in the amount, the customer scans, and the screen turns green when it is paid.',
  'tills.make': 'Add a till',
  'tills.name': 'Name',
  'tills.name.hint': 'Counter',
  'tills.pin': 'PIN for your staff',
  'tills.pin.hint': 'Six digits, not in a row',
  'tills.pin.new': 'New PIN',
  'tills.pin.new.text': 'The till asks for the new PIN at once. The old one no longer opens it.',
  'tills.pin.saved': 'Saved. Tell your staff the new PIN.',
  'tills.currency': 'Amounts in',
  'tills.first': 'Ask for first',
  'tills.tokens': 'Tokens',
  'tills.pair': 'Connect the device',
  'tills.pair.text': 'Scan this with the phone or tablet, or open the link on it. It works once, within ten minutes.',
  'tills.pair.new': 'New link',
  'tills.qr.alt': 'QR code that connects the device',
  'tills.device': 'Device',
  'tills.lastUse': 'Last used',
  'tills.never': 'Not yet',
  'tills.state.paired': 'Connected',
  'tills.state.unpaired': 'No device',
  'tills.state.blocked': 'Blocked: wrong PIN',
  'tills.unblock': 'Unblock',
  'tills.remove': 'Remove',
  'tills.remove.text': 'From then on the device can do nothing. Its sales stay in Payments.',
  'tills.receipt': 'Receipt',
} as const

export type TillsMessages = { readonly [Key in keyof typeof tills]: string }
