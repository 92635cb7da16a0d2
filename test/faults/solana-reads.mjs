// What nodes of Solana are asked, and when they are believed.

const adapter = 'bff/src/chain/solana/rpc/solana-adapter.ts'
const adapterTest = 'bff/src/chain/solana/rpc/solana-adapter.test.ts'
const authorizer = 'bff/src/chain/solana/relay/solana-authorizer.ts'
const authorizerTest = 'bff/src/chain/solana/relay/solana-authorizer.test.ts'
const split = 'bff/src/chain/solana/split/split-verifications.ts'
const splitTest = 'bff/src/chain/solana/split/split-verifications.test.ts'
const toTheLamport =
  'the fee is paid while the fee payer keeps its rent, to the last lamport, and costs millionths of a dollar rounded up'

/** @type {import('./faults.mjs').Fault[]} */
export const solanaReads = [
  {
    name: 'A full page of transactions is the last one',
    file: adapter,
    from: 'if (isOlder || page.length < signaturesPerCall)',
    to: 'if (isOlder || page.length <= signaturesPerCall)',
    test: adapterTest,
    fails: 'of 1001 transactions each is listed once, oldest first',
  },
  {
    name: 'A node that is behind may list the transactions of an account',
    file: adapter,
    from: "commitment: 'confirmed', minContextSlot: slot }, signal)",
    to: "commitment: 'confirmed' }, signal)",
    test: adapterTest,
    fails: 'a list ends at the transaction that was read last, and only nodes that have the slot may give it',
  },
  {
    name: 'A list begins in the middle of the time since then',
    file: adapter,
    from: 'oldestMs !== null && oldestMs < sinceMs',
    to: 'oldestMs !== null && oldestMs <= sinceMs',
    test: adapterTest,
    fails: 'a list of the time since then reads no page of older transactions',
  },
  {
    name: 'A node that is behind may say what an account holds',
    file: adapter,
    from: "encoding: 'base64', minContextSlot: slot }",
    to: "encoding: 'base64' }",
    test: adapterTest,
    fails: 'a node that leaves out accounts or statuses is not believed',
  },
  {
    name: 'Accounts that a node leaves out are those of others',
    file: adapter,
    from: 'if (value.length !== batch.length) throw new Error(`${name}: a node omitted accounts`)',
    to: '',
    test: adapterTest,
    fails: 'a node that leaves out accounts or statuses is not believed',
  },
  {
    name: 'Statuses that a node leaves out are those of others',
    file: adapter,
    from: 'if (value.length !== batch.length) throw new Error(`${name}: a node omitted statuses`)',
    to: '',
    test: adapterTest,
    fails: 'a node that leaves out accounts or statuses is not believed',
  },
  {
    name: 'A transaction is gone while its own slot is the newest that is final',
    file: adapter,
    from: 'return final > slot &&',
    to: 'return final >= slot &&',
    test: adapterTest,
    fails: 'a transaction is gone once a later slot is final and the node has it not even confirmed',
  },
  {
    name: 'A confirmed transaction is gone',
    file: adapter,
    from: "const { schema, method, params } = query(txId, 'confirmed')\n      return await rpc.onOneNode",
    to: "const { schema, method, params } = query(txId, 'finalized')\n      return await rpc.onOneNode",
    test: adapterTest,
    fails: 'a transaction is gone once a later slot is final and the node has it not even confirmed',
  },
  {
    name: 'The cost of a fee is rounded down',
    file: authorizer,
    from: '(lamports * price + lamportsPerSol - 1n) / lamportsPerSol',
    to: '(lamports * price) / lamportsPerSol',
    test: authorizerTest,
    fails: toTheLamport,
  },
  {
    name: 'The fee payer pays a fee from its rent',
    file: authorizer,
    from: 'balance < lamports + ownRent',
    to: 'balance < lamports',
    test: authorizerTest,
    fails: toTheLamport,
  },
  {
    name: 'A transaction that failed on a fork is reverted',
    file: authorizer,
    from: "return (await sender.isFinalized({ txId, isFailed: true })) ? 'reverted' : undefined",
    to: "return 'reverted'",
    test: authorizerTest,
    fails: 'a transaction that failed is given up once no fork can undo that',
  },
  {
    name: 'A stored transaction that the node lacks is waited for twice',
    file: split,
    from: 'if (isStored || isRefused ||',
    to: 'if (isRefused ||',
    test: splitTest,
    fails: 'a transaction that is stored as detected holds up no window: the ledger has it',
  },
  {
    name: 'A transaction that one node lacks is given up at once',
    file: split,
    from: 'runtime.nowMs() - sinceMs >= missingForMs',
    to: 'runtime.nowMs() - sinceMs >= 0',
    test: splitTest,
    fails: 'a transaction that no node has is given up a minute after it was found, whenever it was tried',
  },
  {
    name: 'A transaction that no node has is found anew by each try',
    file: split,
    from: 'const sinceMs = unverified.get(key)?.sinceMs ?? runtime.nowMs()',
    to: 'const sinceMs = runtime.nowMs()',
    test: splitTest,
    fails: 'a transaction that no node has is given up a minute after it was found, whenever it was tried',
  },
  {
    name: 'A transaction is given up while no node answers',
    file: split,
    from: 'if (!isServing() || runtime.nowMs()',
    to: 'if (runtime.nowMs()',
    test: splitTest,
    fails: 'what nodes cannot say is given up after ten minutes in which they answer, never while they do not',
  },
  {
    name: 'Transactions that wait are forgotten when there are many',
    file: split,
    from: 'if (!unverified.has(key) && unverified.size >= unverifiedMax) return false',
    to: 'if (unverified.size >= unverifiedMax) return false',
    test: splitTest,
    fails: 'of too many transactions that cannot be verified the next is refused, and those that wait are tried again',
  },
  {
    name: 'Transactions are verified after the end of the service',
    file: split,
    from: 'if (!signal.aborted) await verify(id, txId, signal, isStored)',
    to: 'await verify(id, txId, signal, isStored)',
    test: splitTest,
    fails: 'once the service ends no further transaction is verified',
  },
  {
    name: 'A transaction is made for a deposit after its window, where late money is taken',
    file: 'bff/src/chain/solana/split/solana-pay.ts',
    from: 'deadlineMs: payment.windowEndsAtMs, transfers',
    to: 'deadlineMs: payment.acceptedUntilMs ?? payment.windowEndsAtMs, transfers',
    test: 'bff/src/chain/solana/split/solana-pay.test.ts',
    fails: 'a transaction is made up to the last moment of the window, also where late money is taken',
  },
  {
    name: 'A transaction is made where no node answers',
    file: 'bff/src/chain/solana/split/solana-pay.ts',
    from: '    verifyPayable(payment.network, health)\n',
    to: '',
    test: 'bff/src/chain/solana/split/solana-pay.test.ts',
    fails: 'no transaction is made for a test, or while no node answers',
  },
]
