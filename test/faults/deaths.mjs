// What is one commit, so that a replica may die before or after it.

/** @type {import('./faults.mjs').Fault[]} */
export const deaths = [
  {
    name: 'Blocks count as read before their transfers are stored',
    file: 'bff/src/chain/evm/watch/watcher.ts',
    from: 'await applyIsolated(steps, async (tx) => {',
    to: `await db.write((tx) => moveCursor(tx, name, ancestor, to, network.finalityBlocks))
    await applyIsolated(steps, async (tx) => {`,
    test: 'bff/src/chain/evm/watch/watcher-deaths.test.ts',
    fails: 'replicas die one after the other at each commit that a payment’s blocks lead to',
  },
  {
    name: 'A sweep is final before its payments are',
    file: 'bff/src/chain/evm/payout/monitor.ts',
    from: `const finalized = await db.write(async (tx) => {
      if (!(await finalizeOutgoing(tx, outgoing.id, receipt.txId))) return undefined`,
    to: `const isFinalized = await db.write((tx) => finalizeOutgoing(tx, outgoing.id, receipt.txId))
    const finalized = await db.write(async (tx) => {
      if (!isFinalized) return undefined`,
    test: 'bff/src/chain/evm/payout/replica-deaths.test.ts',
    fails: 'replicas die one after the other at each commit of a sweep',
  },
  {
    name: 'A bridge is polled no more before its last step is stored',
    file: 'bff/src/checkout/cross-chain/bridge-progress.ts',
    from: `await db.write(async (tx) => {
      const atMs = runtime.nowMs()`,
    to: `if (nextMs === null) await db.write((tx) => deletePoll(tx, payment.id))
    await db.write(async (tx) => {
      const atMs = runtime.nowMs()`,
    test: 'bff/src/checkout/cross-chain/bridge-deaths.test.ts',
    fails: 'replicas die one after the other at each commit of a bridge’s progress',
  },
  {
    name: 'A lease is taken before it ends',
    file: 'bff/src/db/lease-store.ts',
    from: 'or ends_at_ms <= now_ms())\n      returning epoch',
    to: 'or ends_at_ms <= now_ms() + ${leaseMs})\n      returning epoch',
    test: 'bff/src/db/lease-deaths.test.ts',
    fails: 'a replica dies right after its lease was renewed',
  },
]
