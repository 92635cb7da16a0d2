// Which nonce a transaction of the operator has.

const file = 'bff/src/chain/evm/payout/sign-and-store.ts'
const test = 'bff/src/chain/evm/payout/sign-and-store.test.ts'

/** @type {import('./faults.mjs').Fault[]} */
export const nextNonces = [
  {
    name: 'A transaction has the nonce of one that waits in the pool',
    file,
    from: "Math.max(stored, await sender.nonce(account, 'pending'))",
    to: "Math.max(stored, await sender.nonce(account, 'latest'))",
    test,
    fails: 'a call has the nonce after those that are stored and those that the node’s pool has',
  },
  {
    name: 'A transaction has the nonce of one that the node has lost',
    file,
    from: "Math.max(stored, await sender.nonce(account, 'pending'))",
    to: "await sender.nonce(account, 'pending')",
    test,
    fails: 'a node that has lost its pool gets no nonce twice',
  },
  {
    name: 'Two processes store one nonce',
    file,
    from: '      if ((await nextNonce(tx, network.shortName, account)) > nonce) throw new ConflictError()\n',
    to: '',
    test,
    fails: 'of two processes that sign for one nonce the slower stores neither its transaction nor its payouts',
  },
  {
    name: 'A transaction is stored for a payout that has changed',
    file,
    from: '      await storePayouts(tx, id)\n',
    to: '      await storePayouts(tx, id).catch(() => undefined)\n',
    test,
    fails: 'a payout that has changed leaves nothing stored, and any other error is thrown',
  },
]
