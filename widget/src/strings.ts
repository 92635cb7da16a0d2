// Every word a customer reads, and the rules a merchant reads when the tag is wrong. Constants, used as `strings.…`
// through a namespace import: the bundler then drops the names, which weigh as much as the words.

export const card = 'Stablecoin payment'
export const payTo = (merchant: string) => `Pay ${merchant || theShop}`
export const on = (network: string) => `on ${network}`
export const test = 'Test'
export const loading = 'Loading your payment…'

export const toSend = 'Amount to send'
export const stillToSend = 'Still to send'
export const seenOf = (seen: string, amount: string) => `${seen} of ${amount} seen`
export const addressLabel = 'Send to this address'
export const only = (currency: string, network: string) => `Send only ${currency} on ${network}.`
export const onlyWhy = 'Other tokens or networks may be lost.'

export const copy = 'Copy'
export const copied = 'Copied'
export const copiedEnd = (end: string) => `Copied. Check that it ends in ${end} after you paste it.`
export const copyFailed = 'Selected. Press Ctrl+C or ⌘C to copy.'

export const qrAddress = 'QR code of the deposit address'
export const qrUri = 'QR code of a payment link'
export const qrChoice = 'What the QR code holds'
export const qrChoiceAddress = 'Address'
export const qrChoiceUri = 'Address + amount'
export const qrUriHint = (amount: string) =>
  `For wallets that read payment links (EIP-681). Check that yours shows ${amount} before you send.`

export const timeLeft = 'Time left to pay'
export const minutesLeft = (minutes: number) => `${minutes} min left to pay.`
export const timeUp = 'Time is up'
export const checking = 'Checking for your payment…'

export const progress = 'Progress of your payment'
export const steps = ['Waiting', 'Seen', 'Confirming', 'Paid']
export const count = (done: number, needed: number) => `${done} of ${needed}`

export const awaiting = 'Waiting for your payment'
export const sendRest = (rest: string) => `Send ${rest} more to the same address. What you sent counts.`
export const confirming = 'Payment seen'
export const confirmingText = 'Nothing more to do: the network is confirming it. You may close this page.'
export const paid = 'Paid'
export const excess = (amount: string, shop: string) =>
  `You sent ${amount} more than was asked. It is not lost: ${shop} can return it to you.`
export const settling = 'The payout to the shop is on its way.'
export const settled = 'The money has reached the shop.'
export const expiredText = 'The time to pay ended before the full amount arrived.'
export const closed = 'Payment cancelled'
export const closedText = 'It can no longer be paid.'
export const sentLate = (shop: string) =>
  `Have you just sent it? Money you sent is not lost: the address is still watched, and ${shop} can accept it or return it. Please do not send it again.`
export const arrivedLate = (amount: string, shop: string) =>
  `${amount} arrived. It is not lost: ${shop} can accept it or return it.`
export const keepId = (shop: string) => `Keep this payment id for ${shop}:`
export const theShop = 'the shop'
export const startAgain = 'Start again'
export const askShop = 'Go back to the shop for a new payment.'
export const viewTransaction = 'View transaction'
export const viewAddress = 'View address'

export const offline = 'You are offline.'
export const unreachable = 'No connection to the payment service.'
export const stillCounts = 'A payment you sent still counts; this page catches up by itself.'
export const loadFailed = 'The payment could not be loaded'
export const loadFailedText = 'Nothing was charged. Trying again by itself…'
export const tryAgain = 'Try again'
export const refused = 'The payment could not be started'
export const misconfigured = 'This checkout is not set up correctly'
export const misconfiguredText = 'Please tell the shop. Nothing was charged.'

export const ruleUrl = 'an address beginning with https:// or http://'
export const ruleKey = 'a public key, beginning with pk_'
export const ruleSecret = 'this is a secret key: replace it at once, and use the one beginning with pk_'
export const ruleAmount = 'a decimal number above 0, like 25.00'
export const ruleCurrency = 'the symbol of a token, like USDC'
export const ruleNetwork = 'the short name of a network, like base'
export const ruleMetadata = 'a JSON object'
export const ruleId = 'the id of a payment (a UUID)'
