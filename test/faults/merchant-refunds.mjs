// Refunds that the merchant's wallet pays: never more than was received, to the customer alone, and each transfer once.

const asked = 'bff/src/checkout/merchant-refund/merchant-refunds.test.ts'
const paid = 'bff/src/checkout/merchant-refund/paid-refunds.test.ts'
const matched = 'bff/src/chain/evm/watch/match-refunds.test.ts'

/** @type {import('./faults.mjs').Fault[]} */
export const merchantRefunds = [
  {
    name: 'Open refunds do not count against what may be refunded',
    file: 'bff/src/payment/merchant-refund.ts',
    from: "return status === 'cancelled' || seen > amount ? seen : amount",
    to: 'return seen',
    test: asked,
    fails: 'of several partial refunds never exceeds what was received, to the unit',
  },
  {
    name: 'The sum is read before the commit that stores the refund',
    file: 'bff/src/checkout/merchant-refund/merchant-refunds.ts',
    from: 'const left = await refundableIn(tx, payment)',
    to: 'const left = await db.read((early) => refundableIn(early, payment))',
    test: asked,
    fails: 'holds for parallel requests',
  },
  {
    name: 'Excess that the service returns is refunded by the merchant too',
    file: 'bff/src/payment/merchant-refund.ts',
    from: 'return isDirect(payment) ? add(payment.received, payment.late) : settledOf(payment)',
    to: 'return add(payment.received, payment.late)',
    test: asked,
    fails: 'leaves out what the service itself returns: the excess',
  },
  {
    name: 'A named address is replaced',
    file: 'bff/src/checkout/merchant-refund/merchant-refunds.ts',
    from: 'if (refund.place !== null)',
    to: 'if (false)',
    test: asked,
    fails: 'is named once by the page’s secret, and then is what the merchant pays',
  },
  {
    name: 'Anybody names the address of a refund',
    file: 'bff/src/checkout/merchant-refund/merchant-refunds.ts',
    from: "if (!hasClientSecret && caller?.kind !== 'api') throw clientSecretRequired()",
    to: '',
    test: asked,
    fails: 'is named once by the page’s secret, and then is what the merchant pays',
  },
  {
    name: 'A plain transfer of anybody pays a refund',
    file: 'bff/src/chain/evm/watch/match-refunds.ts',
    from: 'const isOwn = from === sender || owners.get(from) === merchantId',
    to: 'const isOwn = true',
    test: matched,
    fails: 'a plain transfer counts from the merchant’s own wallet alone, in the token, after the request',
  },
  {
    name: 'An earlier transfer to the customer pays a refund',
    file: 'bff/src/chain/evm/watch/match-refunds.ts',
    from: ' && blockNumber > afterBlock',
    to: '',
    test: matched,
    fails: 'a plain transfer counts from the merchant’s own wallet alone, in the token, after the request',
  },
  {
    name: "The splitter's own transfer of a refund counts beside its event",
    file: 'bff/src/chain/evm/watch/match-refunds.ts',
    from: 'if (candidates.length === 0 || isOfSplit(transfer)) continue',
    to: 'if (candidates.length === 0) continue',
    test: matched,
    fails: 'the splitter’s event names its refund, whoever paid; the splitter’s own transfer is the same money',
  },
  {
    name: "A payment by the merchant's wallet is a refund to the wallet that it reaches",
    file: 'bff/src/payment/merchant-refund-ledger.ts',
    from: 'isTaken: isTaken || (await paysWalletPayment(tx, refund.network, event.transfer.txId))',
    to: 'isTaken',
    test: paid,
    fails: 'the splitter’s money of a payment by the merchant’s wallet is no refund to the wallet that it reaches',
  },
  {
    name: 'A transfer that pays one refund is named for another',
    file: 'bff/src/chain/evm/submit/verify-refund.ts',
    from: '.filter((one) => !isTaken(one))',
    to: '',
    test: paid,
    fails: 'another wallet pays by the splitter, or by a transfer whose transaction the merchant names',
  },
  {
    name: "A customer's payment is named as a refund",
    file: 'bff/src/chain/evm/submit/verify-refund.ts',
    from: "if (isPayment) throw new TransactionRefused('ALREADY_USED', 'the transaction pays a payment')",
    to: '',
    test: paid,
    fails: 'a transaction that pays a customer’s payment, another token, another address or nothing is refused by name',
  },
  {
    name: 'A reorg that takes a refund back is not notified',
    file: 'bff/src/payment/merchant-refund.ts',
    from: "if (before.status === 'paid' && after.status !== 'paid') return ['refund.failed']",
    to: '',
    test: paid,
    fails: 'a reorg takes a refund back, which is notified; mined again, it is paid again',
  },
]
