// Every word a customer reads, and the rules a merchant reads when the tag is wrong. Constants, used as `strings.…`
// through a namespace import: the bundler then drops the names, which weigh as much as the words.

export const card = 'Stablecoin payment'
export const payTo = (merchant: string) => `Pay ${merchant || theShop}`
export const on = (network: string) => `on ${network}`
export const test = 'Test'
export const loading = 'Loading your payment…'

export const payWithWallet = 'Pay with wallet'
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
  `Have you just sent it? Money you sent is not lost: it is still watched for, and ${shop} can accept it or return it. Please do not send it again.`
export const arrivedLate = (amount: string, shop: string) =>
  `${amount} arrived. It is not lost: ${shop} can accept it or return it.`
export const stray = (amount: string, network: string, shop: string) =>
  `We noticed ${amount} on ${network}. It does not count for this payment and is not lost: ${shop} can return it to you.`
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

export const toPay = 'To pay'
export const chooseWallet = 'Choose your wallet'
export const walletSearching = 'Looking for your wallet…'
export const browserWallet = 'Browser wallet'
export const noWallet = 'No wallet was found in this browser'
export const noWalletText = 'Install one and load this page again, or send the amount to the address.'
export const noWalletOnly = 'Install one and load this page again.'
export const openInWallet = 'Open this page in your wallet:'
export const otherWallet = 'Another wallet'
export const payByAddress = 'Pay to an address instead'
export const askAgain = 'Ask my wallet again'
export const askAgainAnyway = 'Nothing is there: ask again'
export const checkAgain = 'Check again'
export const payAnyway = 'Go on anyway'
export const noRequest = 'I see no request'
export const walletStep = (number: number, total: number) => `Step ${number} of ${total}`
export const walletWorking = {
  reading: 'Looking at your wallet…',
  creating: 'Preparing your payment…',
  reset: 'Waiting for the network to take back the old permission…',
  approve: 'Waiting for the network to confirm your permission…',
  walletconnect: 'Opening WalletConnect…',
}
export const walletWorkingText = 'Nothing has been paid yet.'
export const walletSlow = (name: string) =>
  `No answer yet. Open ${name || 'your wallet'} yourself: its window may be hidden behind this one.`
export const walletPrompt = {
  connect: (shop: string) => ({
    title: 'Connect in your wallet',
    why: `Your wallet asks whether ${shop} may see your address. Nothing can be taken by that.`,
  }),
  switch: (network: string) => ({
    title: `Switch to ${network} in your wallet`,
    why: `This payment is on ${network}, and your wallet is on another network.`,
  }),
  add: (network: string) => ({
    title: `Add ${network} in your wallet`,
    why: 'Your wallet does not know this network yet.',
  }),
  batch: (amount: string, shop: string) => ({
    title: `Confirm ${amount} in your wallet`,
    why: `Your wallet permits and pays ${shop} in one step. It may first ask to turn your account into a smart account; you can decline that and still pay.`,
  }),
  sign: (amount: string, shop: string) => ({
    title: `Sign for ${amount} in your wallet`,
    why: `Your signature permits this payment to ${shop} to take exactly ${amount}, and costs nothing. Paying is the next step.`,
  }),
  reset: (amount: string) => ({
    title: 'Take back an old permission in your wallet',
    why: `The token accepts a new permission (for ${amount}) only after an older one is set to 0.`,
  }),
  approve: (amount: string, shop: string) => ({
    title: `Permit ${amount} in your wallet`,
    why: `This permits the payment to ${shop} to take exactly ${amount}. Paying is the next step.`,
  }),
  pay: (amount: string, shop: string) => ({
    title: `Pay ${amount} in your wallet`,
    why: `This sends ${amount} to ${shop}. Your wallet shows the network fee.`,
  }),
}
export const walletSent = 'Payment sent'
export const walletSentText =
  'Nothing more to do: waiting for the network to show it. Please do not pay again. You may close this page.'
export const walletShort = 'Less than the amount arrived'
export const walletShortText = 'The token has kept a part of it. Please do not pay again; ask the shop.'
export const walletStop = {
  rejected: { title: 'Not confirmed in your wallet', text: 'Nothing was paid. You can try again.' },
  busy: {
    title: 'Your wallet is waiting for you',
    text: 'It has a request open already. Open it, answer that request, then try again.',
  },
  locked: { title: 'Your wallet is not connected', text: 'Unlock it, choose an account, then try again.' },
  network: (network: string) => ({
    title: 'Your wallet is on another network',
    text: `Switch it to ${network}, then try again. Nothing was paid.`,
  }),
  unknownNetwork: (network: string) => ({
    title: `Your wallet does not know ${network}`,
    text: `Add ${network} in your wallet, then try again. Nothing was paid.`,
  }),
  balance: (missing: string, network: string, account: string) => ({
    title: `${missing} are missing`,
    text: `Your account ${account} does not hold enough on ${network}. Nothing was paid.`,
  }),
  fee: (missing: string, coin: string, account: string) => ({
    title: `Not enough ${coin} for the network fee`,
    text: `Your account ${account} needs about ${missing} more. Nothing was paid.`,
  }),
  late: {
    title: 'Too little time is left',
    text: 'Nothing more is asked for. Please wait until this page says how it stands.',
  },
  paid: { title: 'This payment was made already', text: 'Nothing more to do: this page catches up by itself.' },
  reverted: {
    title: 'The network refused the payment',
    text: 'Nothing was paid but the network fee. You can try again.',
  },
  gone: {
    title: 'Your transaction has vanished',
    text: 'Your wallet no longer knows it: it was dropped or cancelled. Paying again cannot pay twice.',
  },
  unsure: {
    title: 'Did you confirm it in your wallet?',
    text: 'If you did, wait here: this page follows it. If not, ask again; that cannot pay twice.',
  },
  unsureTransfer: {
    title: 'Did you confirm it in your wallet?',
    text: 'Look there first. If it was sent, wait here: this page follows it. If a request is open, answer it there. Confirming two requests could pay twice.',
  },
  openQuestion: {
    title: 'Your wallet may have sent the payment',
    text: 'Look at the activity in your wallet. If it was sent, wait here. To be safe, this page does not ask for it again.',
  },
  refused: { title: 'This payment would fail', text: 'Nothing was paid. The network says:' },
  failed: { title: 'Your wallet could not do this', text: 'Nothing was paid. Your wallet says:' },
  service: { title: 'The payment could not be prepared', text: 'Nothing was paid. The service says:' },
}
