// What a call that a wallet signs, or an address that money goes to, must not say; and what small decisions must not miss.

const split = 'bff/src/chain/evm/split'
const call = { file: `${split}/contract-call.ts`, test: `${split}/contract-call.test.ts` }
const refund = { file: `${split}/refund-terms.ts`, test: call.test }
const inSandbox = { ...refund, fails: 'a merchant refund in the sandbox moves no token' }
const withinHour = { ...refund, fails: 'a merchant refund pays the whole amount to its address, within an hour' }
const deposit = 'bff/src/chain/evm/deposit'
const address = { file: `${deposit}/forwarder-address.ts`, test: `${deposit}/forwarder-address.test.ts` }
const settle = { file: `${deposit}/settle-call.ts`, test: `${deposit}/settle-call.test.ts` }
const solana = 'bff/src/chain/solana/split'
const pay = { file: `${solana}/solana-pay.ts`, test: `${solana}/solana-pay.test.ts` }
const untilDeadline = { ...pay, fails: 'a wallet payment is paid until the last millisecond of its deadline' }
const permissions = { file: 'bff/src/stores/permissions.ts', test: 'bff/src/stores/permissions.test.ts' }
const counted = { ...permissions, fails: 'of more than twenty permissions the rest is only counted' }
const json = { file: 'bff/src/stores/json-text.ts', test: 'bff/src/stores/json-text.test.ts' }
const written = { ...json, fails: 'JSON is written as JSON.stringify writes it' }
const member = { ...json, fails: 'a member of a JSON object' }
const ownLimits = {
  file: 'bff/src/access/limits/rate-limit.ts',
  test: 'bff/src/access/limits/anonymous-calls.test.ts',
  fails: 'authorizations and sign-ins have limits of their own, and a create is no other call',
}
const leases = { file: 'bff/src/db/lease-store.ts', test: 'bff/src/db/lease-store.test.ts' }

/** @type {import('./faults.mjs').Fault[]} */
export const walletCalls = [
  {
    ...call,
    name: 'The reset of an approval approves the amount',
    from: 'encodeApproval(terms.splitter, 0n)',
    to: 'encodeApproval(terms.splitter, terms.amount)',
    fails: 'the approval is of exactly the amount to the splitter, and its reset is to nothing',
  },
  {
    ...call,
    name: 'The wallet of a test payment is sent to the real chain',
    from: 'chain: { ...walletChain(network), chainId: terms.chainId }',
    to: 'chain: walletChain(network)',
    fails: 'the wallet of a test payment is asked for the simulated chain',
  },
  {
    ...call,
    name: 'A token of Permit2 has a call by ERC-3009',
    from: 'isDomain(authorization) &&',
    to: 'authorization &&',
    fails: 'a token without a domain, or with Permit2 alone, has no call by signature',
  },
  {
    ...withinHour,
    name: 'The call of a refund can be mined for ten hours',
    from: 'callSeconds = 3_600',
    to: 'callSeconds = 36_000',
  },
  {
    ...withinHour,
    name: 'The deadline of the call of a refund is in milliseconds',
    from: 'Math.floor(nowMs / 1000)',
    to: 'nowMs',
  },
  {
    ...withinHour,
    name: 'All refunds of a payment have the same terms',
    from: 'paymentId: refund.id',
    to: 'paymentId: refund.paymentId',
  },
  {
    ...inSandbox,
    name: 'A refund in the sandbox is valid on the real chain',
    from: 'refund.isTest ? simulatedChainId : network.chainId',
    to: 'network.chainId',
  },
  {
    ...inSandbox,
    name: 'A refund in the sandbox moves the real token',
    from: 'refund.isTest ? simulatedContract : refund.tokenAddress',
    to: 'refund.tokenAddress',
  },
  {
    ...inSandbox,
    name: 'The splitter of a refund is stored with its checksum, which logs do not have',
    from: 'splitter: terms.splitter.toLowerCase()',
    to: 'splitter: terms.splitter',
  },
  {
    ...address,
    name: 'Deposits of another factory have addresses that it never deploys',
    from: 'factory === factoryAddress ? cloneInitCodeHash : cloneInitCodeHashOf(factory)',
    to: 'cloneInitCodeHash',
    fails: 'a deposit address of another factory equals that factory’s',
  },
  {
    ...address,
    name: 'The least fee goes to nobody',
    from: 'if (terms.feeBps > 0) verifyWallet',
    to: 'if (terms.feeBps > 1) verifyWallet',
    fails: 'no platform for the least fee has no deposit address',
  },
  {
    ...address,
    name: 'Without a fee the platform may be any text',
    from: "else verifyAddress('platform', terms.platform)",
    to: '',
    fails: 'a platform that is no address, also without a fee has no deposit address',
  },
  {
    ...settle,
    name: 'One parked share of a batch is one of every deposit',
    from: 'isPlatformParked: parked.has(forwarder)',
    to: 'isPlatformParked: parked.size > 0',
    fails: 'a receipt has the amounts of each forwarder, and only its own share is parked',
  },
  {
    ...settle,
    name: 'Another failed call counts as the refusal of a deposit',
    from: '!simulated.has(error.functionName)',
    to: 'false',
    fails: 'a simulated call that reverts is a refusal with the contract’s reason; any other failure is none',
  },
  {
    ...pay,
    file: `${solana}/verify-transfer.ts`,
    name: 'A payment whose fee is everything is looked for at the merchant’s account',
    from: 'solanaShares(terms).merchant > 0n ? terms.merchant : terms.platform',
    to: 'terms.merchant',
    fails: 'a share of nothing is no transfer, and a transaction is counted by the merchant’s account',
  },
  {
    ...untilDeadline,
    name: 'A transaction is made for a payment that has ended',
    from: "if (outcomeOf(payment) !== 'pending') return",
    to: 'if (false) return',
  },
  {
    ...untilDeadline,
    name: 'A second transaction is made for a wallet payment that is being confirmed',
    from: 'payment.seen > 0n ? 0n : terms.amount',
    to: 'terms.amount',
  },
  {
    ...untilDeadline,
    name: 'The deadline of a wallet payment on Solana is taken for milliseconds',
    from: 'terms.deadlineSeconds * 1000',
    to: 'terms.deadlineSeconds',
  },
  {
    file: 'bff/src/core/fair-shares.ts',
    test: 'bff/src/core/fair-shares.test.ts',
    name: 'After a minute each client still has what it took before',
    from: '      all = 0\n      taken.clear()',
    to: '      all = 0',
    fails: 'after everything is given back at once, each merchant and client has its whole share again',
  },
  {
    file: 'bff/src/rates/rate.ts',
    test: 'bff/src/rates/token-rates.test.ts',
    name: 'A small quotient of rates has few digits',
    from: 'quotientDecimals = 40',
    to: 'quotientDecimals = 15',
    fails: 'a quotient of rates has 15 digits at most',
  },
  {
    ...permissions,
    name: 'A permission is granted with anything behind its store',
    from: "text.split(':').length < 3",
    to: "text.split(':').length < 4",
    fails: 'a permission is granted for the store itself, named or not',
  },
  { ...counted, name: 'A list of permissions has no end', from: 'asked.slice(0, askedMax)', to: 'asked' },
  { ...counted, name: 'A refused permission is echoed whole', from: 'text.slice(0, 100)', to: 'text' },
  {
    ...counted,
    name: 'Twenty permissions are too many',
    from: 'if (asked.length > askedMax)',
    to: 'if (asked.length >= askedMax)',
  },
  { ...written, name: 'What is undefined in a list is no JSON', from: 'writeJson(one ?? null)', to: 'writeJson(one)' },
  { ...written, name: 'What is undefined is a member of JSON', from: 'member !== undefined)', to: 'true)' },
  { ...member, name: 'Metadata is kept with the space around it', from: '.trim()', to: '' },
  {
    ...member,
    name: 'An escaped name hides a member from the metadata',
    from: 'JSON.parse(lastString) as string',
    to: 'lastString.slice(1, -1)',
  },
  {
    ...member,
    name: 'A quote in a text ends it, and its rest is read as JSON',
    from: String.raw`/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/g`,
    to: String.raw`/"[^"]*"|[{}[\],:]/g`,
  },
  {
    file: 'bff/src/access/limits/stream-slots.ts',
    test: 'bff/src/access/limits/stream-slots.test.ts',
    name: 'A stream to an address of IPv4 counts twice',
    from: 'network === address ? [] : [network]',
    to: '[network]',
    fails: 'an address of IPv4 has its streams alone, each counted once',
  },
  {
    file: 'bff/src/access/limits/stream-slots.ts',
    test: 'bff/src/access/limits/stream-slots.test.ts',
    name: 'When one of two streams ends, none is counted',
    from: 'openOf(name) > 1) openStreams',
    to: 'openOf(name) > 2) openStreams',
    fails: 'an address of IPv4 has its streams alone, each counted once',
  },
  {
    ...ownLimits,
    name: 'Authorizations are limited as other calls',
    from: 'await signatures(addressOf(c))',
    to: 'await openCalls(addressOf(c))',
  },
  {
    ...ownLimits,
    name: 'Sign-ins are limited as other calls',
    from: 'await signIns(addressOf(c))',
    to: 'await openCalls(addressOf(c))',
  },
  {
    ...ownLimits,
    name: 'A create uses up other calls',
    from: 'if (!isCreate) return await calls(name)',
    to: 'await calls(name)\n      if (!isCreate) return',
  },
  {
    ...leases,
    name: 'A lease that was given back seems to be held for its whole time',
    from: 'set holder = null, ends_at_ms = now_ms()',
    to: 'set holder = null',
    fails: 'a lease that is given back is free at once, and its time is over',
  },
  {
    ...leases,
    name: 'The list of replicas leaves out the newest',
    from: 'order by started_at_ms desc, id',
    to: 'order by id',
    fails: 'replicas are listed from the newest start',
  },
]
