// Deposits at addresses of the merchant's own wallet: each address once, settled with the transfer, nothing sent by the service.

const payment = 'bff/src/payment/direct.test.ts'
const stories = 'bff/src/checkout/deposit/xpub-deposits.test.ts'
const numbers = 'bff/src/merchant/given-addresses.test.ts'
const accounts = 'bff/src/chain/xpub-account.test.ts'
const config = 'bff/src/ops/config/config.test.ts'

/** @type {import('./faults.mjs').Fault[]} */
export const direct = [
  {
    name: "A deposit at the merchant's own address is swept",
    file: 'bff/src/payment/sweep.ts',
    from: '  if (payment.isDirect) return []\n',
    to: '',
    test: payment,
    fails: 'a direct deposit that is paid is completed, and nothing is queued',
  },
  {
    name: "The service refunds what lies in the merchant's wallet",
    file: 'bff/src/payment/refund.ts',
    from: "if (payment.mode !== 'deposit' || payment.isDirect) return zero",
    to: "if (payment.mode !== 'deposit') return zero",
    test: payment,
    fails: 'what is over is the merchant’s to pay back, and counts down with what it has refunded',
  },
  {
    name: 'What the merchant refunded of an excess stays owed',
    file: 'bff/src/payment/payment.ts',
    from: "payment.mode === 'deposit' && payment.isDirect ? payment.refundedByMerchant : refundedOf(payment)",
    to: 'refundedOf(payment)',
    test: payment,
    fails: 'what is over is the merchant’s to pay back, and counts down with what it has refunded',
  },
  {
    name: 'A number of an address is not counted on',
    file: 'bff/src/merchant/address-source-store.ts',
    from: 'set next_number = next_number + 1',
    to: 'set next_number = next_number + 0',
    test: numbers,
    fails: 'numbers begin at one, go on over networks that name the same source, and none is given twice',
  },
  {
    name: 'A source that is named again begins anew',
    file: 'bff/src/merchant/address-source-store.ts',
    from: 'on conflict (source) do nothing',
    to: 'on conflict (source) do update set next_number = 1',
    test: numbers,
    fails: 'a source that is named again goes on where it was',
  },
  {
    name: 'An account is accepted without its first address',
    file: 'bff/src/chain/xpub-account.ts',
    from: 'if (!isSame(given.trim(), address))',
    to: 'if (false)',
    test: accounts,
    fails: 'another wallet’s address is refused, saying why',
  },
  {
    name: 'A private key is accepted',
    file: 'bff/src/chain/xpub-account.ts',
    from: 'if (key.privateKey)',
    to: 'if (false)',
    test: accounts,
    fails: 'a private key is refused, saying why',
  },
  {
    name: "A platform share is asked of the merchant's own addresses",
    file: 'bff/src/ops/config/network-faults.ts',
    from: 'if (rules.isDirect && feeBps > 0 && !takesNoShare)',
    to: 'if (false)',
    test: config,
    fails:
      'deposits to the merchants’ own addresses need no operator, and exclude a share and gas of the service, by name',
  },
  {
    name: "A test payment uses up an address of the merchant's wallet",
    file: 'bff/src/checkout/deposit/deposit-draft.ts',
    from: 'return draft.common.isTest ? rules.testPlace(network, draft.salt) : unplaced',
    to: 'return unplaced',
    test: stories,
    fails: 'a test payment takes no address of the wallet',
  },
  {
    name: "A refund from the merchant's own deposit address does not count",
    file: 'bff/src/chain/evm/watch/watch-list.ts',
    from: 'return matchRefunds(transfers, refunds, paid, owners)',
    to: 'return matchRefunds(transfers, refunds, paid)',
    test: stories,
    fails: 'is refunded from whichever address of the merchant’s wallet',
  },
  {
    name: 'A restored database gives addresses again',
    file: 'bff/src/db/restore.ts',
    from: '      await skipAddresses(db)\n',
    to: '',
    test: 'bff/src/db/backup.test.ts',
    fails: 'a restored database gives no address of a merchant’s wallet again',
  },
  {
    name: 'A new merchant gets a wallet that the chain does not know',
    file: 'bff/src/ops/cli/merchants.command.ts',
    from: 'await verifyWallets(cli, config.networks, wallets)',
    to: '',
    test: 'bff/src/ops/cli/wallets-registered.test.ts',
    fails: 'or given a new merchant, once the chain knows it',
  },
  {
    name: 'Each poll for the registration of a wallet asks a node',
    file: 'bff/src/core/shared-answers.ts',
    from: 'if (known && isFresh(known, nowMs())) return known.answer',
    to: '',
    test: 'bff/src/dashboard/account/registration.test.ts',
    fails: 'the chain is read at most once a second',
  },
  {
    name: 'A refund that an own address paid is lost when its block is read again',
    file: 'bff/src/chain/evm/watch/retry-transfers.ts',
    from: 'matchRefunds(transfers, refunds, paid, owners)',
    to: 'matchRefunds(transfers, refunds, paid, new Map())',
    test: stories,
    fails: 'a refund that an own address paid is found also when its block has to be read again',
  },
]
