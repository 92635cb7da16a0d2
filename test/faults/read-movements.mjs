// Where the books are compared with what moved on a chain.

const file = 'bff/src/chain/evm/movements/evm-movements.ts'
const test = 'bff/src/ops/reconcile/reconcile.test.ts'
const store = 'bff/src/ops/reconcile/books-store.ts'
const storeTest = 'bff/src/ops/reconcile/books-store.test.ts'
const versions = 'each payout has every version of its transaction, and which of them may still be mined'
const lookedUp = 'a transaction of the books is looked up by what it moved, and only in the chain that the node has'

/** @type {import('./faults.mjs').Fault[]} */
export const readMovements = [
  {
    name: 'A comparison with the chain begins at the service’s time of the first payment',
    file,
    from: 'index.firstCreatedAtMs - clockSkewMs',
    to: 'index.firstCreatedAtMs',
    test,
    fails: 'money is found of a payment that was created a quarter of an hour ahead of the chain’s clock',
  },
  {
    name: 'A transaction of a replaced block explains a difference',
    file,
    from: 'return block?.hash === receipt.blockHash ? receipt.blockNumber : undefined',
    to: 'return block ? receipt.blockNumber : undefined',
    test,
    fails: lookedUp,
  },
  {
    name: 'A refund of a replaced block is on the chain',
    file,
    from: 'if (amount === undefined || block?.hash !== receipt.blockHash)',
    to: 'if (amount === undefined || block === undefined)',
    test,
    fails: lookedUp,
  },
  {
    name: 'Any contract’s event of the terms is a refund of the books',
    file,
    from: 'isSplitLog(log.topics) && log.address.toLowerCase() === splitter?.toLowerCase()',
    to: 'isSplitLog(log.topics)',
    test,
    fails: lookedUp,
  },
  {
    name: 'A refund of the books was paid in any token',
    file,
    from: ' && plain.source === token.toLowerCase()',
    to: '',
    test,
    fails: lookedUp,
  },
  {
    name: 'Any transaction of a payout explains a difference of any deposit',
    file,
    from: 'if (!receipt?.isSuccess || !isIts)',
    to: 'if (!receipt?.isSuccess)',
    test,
    fails: lookedUp,
  },
  {
    name: 'A replaced version of a payout is never mined',
    file: store,
    from: "row.tx_state === 'stored' || row.tx_state === 'replaced'",
    to: "row.tx_state === 'stored'",
    test: storeTest,
    fails: versions,
  },
  {
    name: 'A payout without a transaction of ours is still under way',
    file: store,
    from: "coalesce(x.state, 'confirmed') as tx_state",
    to: "coalesce(x.state, 'stored') as tx_state",
    test: storeTest,
    fails: versions,
  },
  {
    name: 'Test payments are compared with the chain',
    file: store,
    from: 'where number >= ${from} and number <= ${to} and is_test = 0 order by number',
    to: 'where number >= ${from} and number <= ${to} order by number',
    test: storeTest,
    fails: 'books are of live payments alone, in the order of their creation',
  },
  {
    name: 'The network of a test payment is compared',
    file: store,
    from: 'select distinct network from payments where is_test = 0 order',
    to: 'select distinct network from payments order',
    test: storeTest,
    fails: 'books are of live payments alone, in the order of their creation',
  },
]
