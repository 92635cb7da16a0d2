// What a node's outage, the movements of an account on Solana and the terms of a sweep must not be taken for.

const movements = {
  file: 'bff/src/chain/solana/movements/solana-movements.ts',
  test: 'bff/src/chain/solana/movements/solana-movements.test.ts',
}
const upToSlot = { ...movements, fails: 'a deposit is read up to the final slot' }
const settlement = { ...movements, fails: 'is its settlement, if merchant and platform together get all of it' }
const ofOneWallet = { ...movements, fails: 'is its settlement with the fee by the terms, if one wallet is both' }
const shares = { ...movements, fails: 'is the parked share, if the platform alone gets it, and a refund' }
const givenAway = { ...movements, fails: 'is gone whole with the account, if its ownership is given away' }
const walletPaid = { ...movements, fails: 'is paid if merchant and platform each get their share at least' }
const oneWalletPaid = { ...movements, fails: 'without a fee is paid by what the merchant gets' }
const payout = 'bff/src/chain/evm/payout'
const preflight = { file: `${payout}/preflight.ts`, test: `${payout}/preflight.test.ts` }
const proven = { ...preflight, fails: 'terms are proven by the address and the chain' }
const oneFactory = { ...preflight, fails: 'a pass sweeps the deposits of one factory' }
const context = { file: `${payout}/payout-context.ts`, test: preflight.test }
const former = { ...context, fails: 'a former operator has a context of its own, once' }
const deposits = {
  file: 'bff/src/chain/evm/deposit/evm-deposits.ts',
  test: 'bff/src/chain/evm/deposit/deposit-terms.test.ts',
  fails: 'a new deposit can be refunded whole only after the second in which its window ends',
}
const limits = { file: 'bff/src/access/limits/rate-limit.ts', test: 'bff/src/access/limits/anonymous-calls.test.ts' }
const claimed = { ...limits, fails: 'counts as anonymous only if nothing accepts it' }
const others = { ...limits, fails: 'quotes and repeated webhooks of one merchant use up no other’s' }

/** @type {import('./faults.mjs').Fault[]} */
export const readAccounts = [
  {
    file: 'bff/src/chain/evm/deposit/settle-call.ts',
    test: 'bff/src/chain/evm/send/evm-sender.test.ts',
    name: 'A node that is down refuses a refund, until it is given up',
    from: 'return answer && { isSettled: false, reason: answer.details.slice(0, reasonMaxChars) }',
    to: 'return { isSettled: false, reason: String(answer?.details) }',
    fails: 'a check of a refund or a parked share that reaches no node is a fault',
  },
  {
    ...upToSlot,
    name: 'What came after the balance was read is compared with it',
    from: 'if (slot > upTo.slot) continue',
    to: '',
  },
  {
    ...upToSlot,
    name: 'The last compared slot counts as later',
    from: '({ block }) => block > at.number)',
    to: '({ block }) => block >= at.number)',
  },
  {
    ...upToSlot,
    name: 'Money that came after the compared slot is in the balance',
    from: 'amount: upTo.amount - later',
    to: 'amount: upTo.amount',
  },
  {
    ...upToSlot,
    name: 'Movements are in the order of the node’s list',
    from: 'movements.sort(inChainOrder)',
    to: '',
  },
  {
    ...upToSlot,
    name: 'A final slot’s time is in seconds',
    from: 'timeMs: seconds * 1_000',
    to: 'timeMs: seconds',
  },
  {
    ...movements,
    name: 'An account that was given away still holds the service’s money',
    from: 'account?.mint === token && account.owner === place',
    to: 'account?.mint === token',
    fails: 'an account that belongs to another owner holds nothing of ours',
  },
  {
    ...movements,
    name: 'A chain that stands still has moved during the comparison',
    from: 'number < at.number',
    to: 'number <= at.number',
    fails: 'the chain is unchanged at the same final slot',
  },
  {
    ...settlement,
    name: 'A withdrawal of which the merchant gets a part is a settlement',
    from: 'toMerchant > 0n && toMerchant + toPlatform === taken',
    to: 'toMerchant > 0n',
  },
  {
    ...ofOneWallet,
    name: 'A settlement to one wallet has no fee',
    from: '(taken * BigInt(feeBps)) / wholeBps : toPlatform',
    to: '0n : toPlatform',
  },
  {
    ...shares,
    name: 'A withdrawal with several recipients is a refund to the first',
    from: 'gained.length === 1 && only && only.after - only.before === taken',
    to: 'only',
  },
  {
    ...givenAway,
    name: 'With an account that is given away nothing is gone',
    from: "kind: 'gone', amount: change.before }",
    to: "kind: 'gone', amount: change.before - change.after }",
  },
  {
    ...givenAway,
    name: 'A closed account was given away',
    from: 'change.ownerAfter !== null && !isOurs(change.ownerAfter)',
    to: '!isOurs(change.ownerAfter)',
  },
  {
    ...givenAway,
    name: 'An account that did not change has lost nothing to somebody',
    from: 'if (taken <= 0n) return []',
    to: '',
  },
  {
    ...walletPaid,
    name: 'A wallet payment is paid without the platform’s share',
    from: 'isOneWallet ? toMerchant >= amount : toMerchant >= amount - feeDue && toPlatform >= feeDue',
    to: 'toMerchant >= amount - feeDue',
  },
  {
    ...oneWalletPaid,
    name: 'What the platform gets of a payment without a fee is a fee',
    from: 'isOneWallet || feeDue === 0n ? 0n : gain(platform)',
    to: 'isOneWallet ? 0n : gain(platform)',
  },
  {
    ...oneWalletPaid,
    name: 'Of a wallet that is both, the fee is paid on top',
    from: 'merchantAmount = isOneWallet ? toMerchant - feeDue : toMerchant',
    to: 'merchantAmount = toMerchant',
  },
  {
    ...proven,
    name: 'A sweep is proven by terms of another chain',
    from: 'if (terms.chainId !== chainId) throw',
    to: 'if (false) throw',
  },
  {
    ...proven,
    name: 'Changed terms send a deposit elsewhere',
    from: 'if (address.toLowerCase() !== deposit.depositAddress.toLowerCase()) throw',
    to: 'if (false) throw',
  },
  {
    ...oneFactory,
    name: 'A batch has deposits of two factories',
    from: 'terms.factory === first?.terms.factory',
    to: 'true',
  },
  {
    ...former,
    name: 'The operator is its own former operator',
    from: 'address !== account && !formers.has(address)',
    to: '!formers.has(address)',
  },
  {
    ...former,
    name: 'Health shows the gas balance of a former operator',
    from: 'const { gasBalances: _, formerSigners: __, ...own }',
    to: 'const { formerSigners: __, ...own }',
  },
  {
    ...context,
    name: 'Transactions are rechecked where no reorg is possible',
    from: '(network.finalityBlocks ?? 0) > network.confirmations',
    to: '(network.finalityBlocks ?? 0) >= network.confirmations',
    fails: 'a reorg is possible where finality is deeper than the confirmations',
  },
  {
    ...deposits,
    name: 'A deposit can be refunded whole in the last second of its window',
    from: 'Math.ceil(common.windowEndsAtMs / 1000)',
    to: 'Math.floor(common.windowEndsAtMs / 1000)',
  },
  {
    ...deposits,
    name: 'A deposit within the tolerance cannot be settled',
    from: 'least: common.least',
    to: 'least: common.due',
  },
  {
    ...claimed,
    name: 'The calls of a shop count as anonymous',
    from: 'hasKey || hasStoreKey || sessionCookie',
    to: 'hasKey || sessionCookie',
  },
  { ...claimed, name: 'The calls of a till count as anonymous', from: '(?:session|till)', to: '(?:session)' },
  { ...claimed, name: 'The calls of a dashboard on https count as anonymous', from: '(?:__Host-)?', to: '' },
  {
    ...limits,
    name: 'A preflight counts as a call',
    from: "if (c.req.method === 'OPTIONS') return await next()",
    to: '',
    fails: 'a preflight counts as nothing',
  },
  {
    ...limits,
    name: 'An anonymous call above the limit is handled first',
    from: 'if (!claimsCaller(c)) await open(c)\n',
    to: '\n',
    fails: 'a call without a key counts as anonymous before it is handled',
  },
  {
    ...limits,
    name: 'A database that is down limits everybody',
    from: 'if (!(reason instanceof RateLimiterRes)) throw reason',
    to: '',
    fails: 'a fault of the counts is a fault, and no limit',
  },
  {
    ...limits,
    name: 'Every call of a person counts as a change',
    from: "c.get('operation').audit !== undefined",
    to: "c.req.method !== 'GET'",
    fails: 'of a person’s calls only those that the audit log records count as changes',
  },
  {
    ...others,
    name: 'One merchant uses up the quotes of all',
    from: 'await merchantQuotes(merchantId)',
    to: "await merchantQuotes('all')",
  },
  {
    ...others,
    name: 'One merchant uses up the repeated webhooks of all',
    from: 'redeliveries(merchantId)',
    to: "redeliveries('all')",
  },
]
