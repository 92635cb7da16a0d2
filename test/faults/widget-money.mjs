// What the element tells a customer to send, and when it says that a payment is paid or over.

const answers = { file: 'widget/src/payment.ts', test: 'widget/src/api/parse-answer.test.ts' }
const decimals = { file: 'widget/src/decimals.ts', test: 'widget/src/decimals.test.ts' }
const whileAsked = { test: 'widget/src/wallet/evm/paid-meanwhile.test.ts' }

/** @type {import('./faults.mjs').Fault[]} */
export const widgetMoney = [
  {
    ...whileAsked,
    name: 'The element asks a wallet for money that arrived while the wallet connected',
    file: 'widget/src/wallet/wallet-payment.ts',
    from: 'changed || !isDue || !isSame',
    to: 'changed || !isSame',
    fails: 'to connect is not paid again, if created',
  },
  {
    ...whileAsked,
    name: 'The element asks a wallet for a sum of which a part arrived while the wallet switched its network',
    file: 'widget/src/wallet/evm/pay-order.ts',
    from: '    verifyShown()\n    return this.perform',
    to: '    return this.perform',
    fails: 'in part, to switch the network, is not paid above the rest',
  },
  {
    ...answers,
    name: 'The element says paid once the amount has arrived',
    from: "if (payment.outcome === 'paid') return 'paid'",
    to: "if (payment.outcome === 'paid' || isSameAmount(payment.received, payment.amount)) return 'paid'",
    fails: 'paid is what the service says, never what arrived',
  },
  {
    ...answers,
    name: 'The element ends a payment by the clock of the page',
    from: 'serverTimeMs >= payment.expiresAtMs',
    to: 'Date.now() >= payment.expiresAtMs',
    fails: 'a payment has ended by the service’s clock',
  },
  {
    ...answers,
    name: 'The element shows what is confirmed in place of what was seen',
    from: '[detected, received].find(isPositive)',
    to: '[received, detected].find(isPositive)',
    fails: 'money counts as seen before it is confirmed',
  },
  {
    name: 'The element invites to pay again what came late and is held',
    file: 'widget/src/views/ended.ts',
    from: "[detected, received, owed?.state === 'held' ? owed.amount : '']",
    to: '[detected, received]',
    test: 'widget/src/views/outcomes.test.ts',
    fails: 'and is held, without being counted as received: the same',
  },
  {
    ...decimals,
    name: 'The element counts less than nothing as money that arrived',
    from: 'toText(difference > 0n ? difference : 0n, places)',
    to: 'toText(difference, places)',
    fails: 'are subtracted exactly, and never come to less than nothing',
  },
  {
    ...decimals,
    name: 'The element compares amounts as floats',
    from: 'return toUnits(one, places) >= toUnits(other, places)',
    to: 'return Number(one) >= Number(other)',
    fails: 'are compared exactly',
  },
  {
    ...decimals,
    name: 'The element adds the fee of an exchange as a float',
    from: 'return toText(toUnits(one, places) + toUnits(other, places), places)',
    to: 'return String(Number(one) + Number(other))',
    fails: 'are added exactly',
  },
  {
    name: 'The element shows where to send another token than the one that was chosen',
    file: 'widget/src/cross-chain/cross-chain.ts',
    from: ' && bridge.currency.toUpperCase() === currency.toUpperCase()',
    to: ' && bridge !== null',
    test: 'widget/src/cross-chain/cross-chain.test.ts',
    fails: 'that was not chosen',
  },
  {
    name: 'The element copies what the shop gets where more is to be sent from another chain',
    file: 'widget/src/cross-chain/cross-chain-views.ts',
    from: "${copyButton('amount', t('toSend'), amount, view)}",
    to: "${copyButton('amount', t('toSend'), payment.amount, view)}",
    test: 'widget/src/cross-chain/cross-chain.test.ts',
    fails: 'copies the exact amount and address of the other chain',
  },
  {
    name: 'The element shows where to send on another chain after the time is over',
    file: 'widget/src/cross-chain/cross-chain.ts',
    from: "if (stage !== 'awaiting' || view.leftMs === 0) return null",
    to: "if (stage !== 'awaiting') return null",
    test: 'widget/src/cross-chain/cross-chain.test.ts',
    fails: 'asks for nothing once its time is over by the clock of the page',
  },
  {
    name: 'The element takes an address of Solana for another in other letters',
    file: 'widget/src/pins.ts',
    from: 'return isHex ? one.toLowerCase() === other.toLowerCase() : one === other',
    to: 'return one.toLowerCase() === other.toLowerCase()',
    test: 'widget/src/pins.test.ts',
    fails: 'addresses of Ethereum are the same in any case; those of Solana are others',
  },
  {
    name: 'The element takes what the page has of another payment',
    file: 'widget/src/api/payments.ts',
    from: "'payment' in answer && answer.payment.id === paymentId.toLowerCase()",
    to: "'payment' in answer",
    test: 'widget/src/first-answer.test.ts',
    fails: 'embedded for another payment, or invalid, is ignored and the service is asked',
  },
  {
    name: 'The element lets others have a basis point more than the page allows',
    file: 'widget/src/pins.ts',
    from: '10_000 - merchantBps > pins.maxFeeBps)',
    to: '10_000 - merchantBps > pins.maxFeeBps + 1)',
    test: 'widget/src/pins.test.ts',
    fails: 'with wallets pinned, others are refused, and no basis point is more than was allowed',
  },
]
