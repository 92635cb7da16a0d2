// What `reconcile` must not overlook of unmatched money and of refunds, and which rows it must read.

const folder = 'bff/src/ops/reconcile'
const unmatched = { file: `${folder}/judge-unmatched.ts`, test: `${folder}/unmatched-balance.test.ts` }
const tokens = { ...unmatched, fails: 'a token is compared that only the books, the movements or the balances have' }
const elsewhere = { ...unmatched, fails: 'of the same token on another network, neither the books nor a return count' }
const coins = { ...unmatched, fails: 'a coin’s balance may be less by a return that the books do not count yet' }
const measured = { ...unmatched, fails: 'the measured balance is that of its block' }
const noted = { ...unmatched, fails: 'money after the watch window is still there and only noted' }
const store = { file: `${folder}/books-store.ts`, test: `${folder}/books-store.test.ts` }
const pages = { ...store, fails: 'books and accounts are read in pages' }
const batch = { ...store, fails: 'the sweeps of one transaction are one for each payment' }
const chainOrder = { ...store, fails: 'transfers are in chain order' }
const wallets = { ...store, fails: 'the account of a wallet payment is its terms' }
const refunds = {
  file: `${folder}/refund-books-store.ts`,
  test: store.test,
  fails: 'the refunds of a network to an address are read in the order of their requests',
}

/** @type {import('./faults.mjs').Fault[]} */
export const comparedRows = [
  {
    ...tokens,
    name: 'An unmatched token that only the books have is not compared',
    from: '[...inBooks, ...movements, ...balances]',
    to: '[...movements, ...balances]',
  },
  {
    ...tokens,
    name: 'An unmatched token that only moved is not compared',
    from: '[...inBooks, ...movements, ...balances]',
    to: '[...inBooks, ...balances]',
  },
  {
    ...tokens,
    name: 'An unmatched token that only lies there is not compared',
    from: '[...inBooks, ...movements, ...balances]',
    to: '[...inBooks, ...movements]',
  },
  {
    ...elsewhere,
    name: 'Unmatched money of another network is in the books of this one',
    from: 'filter(({ network }) => network === scope.network)',
    to: 'filter(() => true)',
  },
  {
    ...elsewhere,
    name: 'A return on another network is one on this network',
    from: 'one.network === scope.network && isOfToken(one)',
    to: 'isOfToken(one)',
  },
  {
    ...elsewhere,
    name: 'A refund in the same token counts as a return',
    from: "one.kind === 'return' && one",
    to: 'one',
  },
  {
    ...coins,
    name: 'Coins at the merchant’s own address are missing when the merchant spends them',
    from: 'if (payment.isDirect) return { differences: [], notes: [], unwatched: 0n }',
    to: '',
  },
  {
    ...coins,
    name: 'A return of coins that is not counted yet is a difference',
    from: "one.state === 'confirmed' && one.transactions",
    to: 'one.transactions',
  },
  {
    ...coins,
    name: 'Coins that are being returned are missing',
    from: 'amount >= balance || movements.some(isUncounted)',
    to: 'amount >= balance',
  },
  {
    ...measured,
    name: 'A balance that was measured after the compared block is compared',
    from: 'known && known.block <= scope.at.number ? known.block',
    to: 'known ? known.block',
  },
  {
    ...measured,
    name: 'Unmatched tokens at the merchant’s own address must stay there',
    from: '&& !payment.isDirect && known',
    to: '&& known',
  },
  {
    ...noted,
    name: 'Unmatched money in the last moment of the watch window is only noted',
    from: 'one.timeMs > watchedUntilMs(payment)',
    to: 'one.timeMs >= watchedUntilMs(payment)',
  },
  {
    ...noted,
    name: 'Of unmatched money after the watch window only the last is still there',
    from: 'judged.unwatched += one.amount',
    to: 'judged.unwatched = one.amount',
  },
  {
    ...noted,
    name: 'Money after the watch window is unmatched and still there',
    from: '= amount - unwatched',
    to: '= amount',
  },
  {
    ...unmatched,
    name: 'An address that was emptied by a return is in no statement',
    from: 'amount === 0n && movements.length === 0',
    to: 'amount === 0n',
    fails: 'an emptied address still has its line',
  },
  {
    ...unmatched,
    name: 'What was sent back is an arrival that the books lack',
    from: "one.kind !== 'in' || ",
    to: '',
    fails: 'what was sent back is no arrival',
  },
  {
    ...pages,
    name: 'A page of accounts has the last of the page before',
    from: 'where number > ${after} and is_test = 0',
    to: 'where number >= ${after} and is_test = 0',
  },
  {
    ...pages,
    name: 'The last payment of a page has no books',
    from: 'number <= ${to} and is_test = 0',
    to: 'number < ${to} and is_test = 0',
  },
  {
    ...pages,
    name: 'The first payment of a page has no books',
    from: 'number >= ${from} and number <= ${to} and is_test',
    to: 'number > ${from} and number <= ${to} and is_test',
  },
  {
    ...batch,
    name: 'The sweeps of one transaction are all of the first payment',
    from: '${row.transaction_id} ${row.kind} ${row.payment_id}',
    to: '${row.transaction_id}',
  },
  {
    ...batch,
    name: 'A sweep and a return of one transaction are one payout',
    from: '${row.transaction_id} ${row.kind} ${row.payment_id}`',
    to: '${row.transaction_id} ${row.payment_id}`',
  },
  {
    ...batch,
    name: 'The newest version of a transaction is that with the highest hash',
    from: 'order by x.created_at_ms, o.transaction_id, o.kind, o.payment_id',
    to: 'order by o.transaction_id',
  },
  {
    ...batch,
    name: 'A sweep is booked with an amount of nothing',
    from: 'amount === null ? null : BigInt(amount)',
    to: "BigInt(amount ?? '0')",
  },
  {
    ...chainOrder,
    name: 'Transfers are in the order of their places in their blocks',
    from: 'order by t.block_number, t.log_index',
    to: 'order by t.log_index',
  },
  {
    ...chainOrder,
    name: 'No account has been read by the books',
    from: 'if (found) found.readTo = readTo',
    to: '',
  },
  {
    ...wallets,
    name: 'A wallet payment has no place on its chain',
    from: 'coalesce(deposit_address, terms_hash)',
    to: 'deposit_address',
  },
  {
    ...wallets,
    name: 'A wallet payment is compared without its terms',
    from: 'coalesce(deposit_terms, split_terms)',
    to: 'deposit_terms',
  },
  {
    ...refunds,
    name: 'Refunds of another network are compared with this one',
    from: 'and network = ${network} and',
    to: 'and',
  },
  { ...refunds, name: 'Refunds of the sandbox are compared with the chain', from: ' and is_test = 0', to: '' },
  {
    ...refunds,
    name: 'A refund that no address was named for is compared',
    from: ' and address is not null',
    to: '',
  },
  {
    ...refunds,
    name: 'A page of refunds has the last of the page before',
    from: 'number > ${after}',
    to: 'number >= ${after}',
  },
  {
    ...refunds,
    name: 'A cancelled refund has never ended',
    from: 'coalesce(paid_at_ms, cancelled_at_ms)',
    to: 'paid_at_ms',
  },
  {
    ...refunds,
    name: 'Every refund can be named on the chain',
    from: 'isNamed: place !== null',
    to: 'isNamed: true',
  },
]
