// Where what could not be read or applied is tried again.

/** @type {import('./faults.mjs').Fault[]} */
export const secondReads = [
  {
    name: 'What was read of a replaced chain counts as read again',
    file: 'bff/src/chain/evm/watch/second-reader.ts',
    from: 'if ((await adapter.block(tip.number, signal))?.hash !== tip.hash) return false',
    to: '',
    test: 'bff/src/chain/evm/watch/second-reader.test.ts',
    fails: 'what was read while the newest block was replaced counts for nothing, and is read again',
  },
  {
    name: 'A second read that the end of the service cuts off is a failure of its block',
    file: 'bff/src/chain/evm/watch/second-reader.ts',
    from: 'if (signal.aborted) throw error\n',
    to: '',
    test: 'bff/src/chain/evm/watch/second-reader.test.ts',
    fails: 'a read that the end of the service cuts off is no failure of a block',
  },
  {
    name: 'A window ends while money at its account waits to be read',
    file: 'bff/src/chain/watch-fault-store.ts',
    from: 'o.payment_id = f.payment_id and o.part <> f.part',
    to: 'o.payment_id = f.payment_id and o.part <> f.part and o.place <> f.place',
    test: 'bff/src/chain/watch-fault-store.test.ts',
    fails: 'a window that could not end is tried again only where nothing else of its payment waits',
  },
  {
    name: 'A block that no node returns is waited for a moment longer than a day',
    file: 'bff/src/chain/evm/watch/second-read-store.ts',
    from: 'nowMs - failingSinceMs >= unansweredMaxMs',
    to: 'nowMs - failingSinceMs > unansweredMaxMs',
    test: 'bff/src/chain/evm/watch/second-reader.test.ts',
    fails: 'blocks that no node returns are waited for a day, to the millisecond',
  },
  {
    name: 'The deepest reorg finds no common ancestor',
    file: 'bff/src/chain/cursor-store.ts',
    from: 'number <= ${header.number - finalityBlocks})',
    to: 'number <= ${header.number - finalityBlocks + 1})',
    test: 'bff/src/chain/cursor-store.test.ts',
    fails: 'headers are kept that a reorg can replace, and one at the depth of finality',
  },
  {
    name: 'A test payment sets where a network is read from',
    file: 'bff/src/chain/cursor-store.ts',
    from: 'where network = ${network} and is_test = 0 order by number limit 1',
    to: 'where network = ${network} order by number limit 1',
    test: 'bff/src/chain/cursor-store.test.ts',
    fails: 'a first cursor is set by the first live payment of the network, not by a test',
  },
]
