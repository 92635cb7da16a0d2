// What the watchers take from nodes: whose account, which fork, which node is believed, and what is read again.

const deposits = 'bff/src/chain/solana/watch/deposit-watcher.test.ts'
const reads = 'bff/src/chain/tron/tron-reads.test.ts'
const forks = 'bff/src/chain/tron/tron-forks.test.ts'
const attests = 'a node attests a transfer only if block, transaction, log index, token, both parties and amount match'

/** @type {import('./faults.mjs').Fault[]} */
export const watchers = [
  {
    name: 'Money in an account that is no longer the deposit’s keeps its window open',
    file: 'bff/src/chain/solana/watch/deposit-watcher.ts',
    from: 'const isOurs = state?.mint === account.mint && state.owner === account.owner',
    to: 'const isOurs = state?.mint === account.mint',
    test: deposits,
    fails:
      'money in an account that has another owner does not belong to the deposit: nothing is read, and no window waits for it',
  },
  {
    name: 'What a restored database has lost on Solana stays lost',
    file: 'bff/src/chain/solana/watch/deposit-watcher.ts',
    from: 'if (amount === account.readAmount && !isForgotten) return []',
    to: 'if (amount === account.readAmount) return []',
    test: deposits,
    fails: 'an account in the books but not on the chain is read',
  },
  {
    name: 'Windows end while an account that has changed is not read',
    file: 'bff/src/chain/solana/watch/deposit-watcher.ts',
    from: 'return [...unread, ...open]',
    to: 'return [...unread, ...open].slice(0, 0)',
    test: deposits,
    fails: 'a transaction that the node lists but does not return yet is awaited',
  },
  {
    name: 'A transfer counts as final although only a younger fork has it',
    file: 'bff/src/chain/solana/watch/deposit-watcher.ts',
    from: "adapter.transaction(transfer.txId, 'finalized', signal)",
    to: "adapter.transaction(transfer.txId, 'confirmed', signal)",
    test: deposits,
    fails: 'a transfer counts as it is on the final fork, once the node returns it from there',
  },
  {
    name: 'A transfer counts with the slot of a fork that is gone',
    file: 'bff/src/chain/solana/watch/deposit-watcher.ts',
    from: "return { type: 'transfer.confirmed', transfer: credit, atMs }",
    to: "return { type: 'transfer.confirmed', transfer, atMs }",
    test: deposits,
    fails: 'a transfer counts as it is on the final fork, once the node returns it from there',
  },
  {
    name: 'A transaction that failed on the final fork stays seen',
    file: 'bff/src/chain/solana/watch/deposit-watcher.ts',
    from: `if (credit === undefined || credit.logIndex !== transfer.logIndex) {
      return { type: 'transfer.reverted', transfer, atMs }
    }`,
    to: 'if (credit === undefined) return undefined',
    test: deposits,
    fails: 'a transaction that failed on the final fork is undone',
  },
  {
    name: 'A restart forgets that a balance is unexplained',
    file: 'bff/src/chain/solana/watch/deposit-watcher.ts',
    from: 'isOpen ? { amount: null, to: null } : { amount, to }',
    to: '{ amount, to }',
    test: deposits,
    fails: 'a transaction listed later than the balance is read then, also after a restart',
  },
  {
    name: 'Transfers of a removed token are not seen on Tron',
    file: 'bff/src/chain/tron/rpc/tron-adapter.ts',
    from: 'if (!hexBySource.has(source))',
    to: 'if (source === undefined)',
    test: 'bff/src/chain/tron/tron-deposits.test.ts',
    fails: 'a payment whose token was removed from the configuration is paid, and its balance is read',
  },
  {
    name: 'Two nodes of one host check each other on Tron',
    file: 'bff/src/chain/tron/rpc/tron-adapter.ts',
    from: 'found.length < witnessesMax && !found.some((one) => one.node.host === node.host)',
    to: 'found.length < witnessesMax',
    test: reads,
    fails: 'two nodes of one host count as one: the range is read from another host too',
  },
  {
    name: 'A range that one node alone has read on Tron is never read again',
    file: 'bff/src/chain/tron/rpc/tron-adapter.ts',
    from: 'second !== undefined && others.length === 0 && contentOf(second) === contentOf(first)',
    to: 'others.length === 0',
    test: forks,
    fails: 'blocks returned by only one node are read again if the other node is down',
  },
  {
    name: 'A second node that has less proves a range on Tron',
    file: 'bff/src/chain/tron/rpc/tron-adapter.ts',
    from: ' && contentOf(second) === contentOf(first)',
    to: '',
    test: forks,
    fails: 'blocks returned by only one node are read again if the other node has less',
  },
  {
    name: 'A failed transaction pays on Tron',
    file: 'bff/src/chain/tron/rpc/tron-adapter.ts',
    from: "receipt.status === '0x1' &&",
    to: '',
    test: reads,
    fails: attests,
  },
  {
    name: 'A worthless token pays on Tron',
    file: 'bff/src/chain/tron/rpc/tron-adapter.ts',
    from: 'tronAddressOf(log.address).toLowerCase() === source &&',
    to: '',
    test: reads,
    fails: attests,
  },
  {
    name: 'A node attests any amount on Tron',
    file: 'bff/src/chain/tron/rpc/tron-adapter.ts',
    from: 'tokenTransfer(network, log, 0)?.amount === amount',
    to: 'tokenTransfer(network, log, 0) !== undefined',
    test: reads,
    fails: attests,
  },
  {
    name: 'A node attests a block that it has under another name on Tron',
    file: 'bff/src/chain/tron/rpc/tron-adapter.ts',
    from: "if (block.hash !== blockHash) return 'no'",
    to: '',
    test: reads,
    fails: attests,
  },
  {
    name: 'The addresses of one account are given to the payments of another',
    file: 'bff/src/chain/xpub-account.ts',
    from: `const known = branches.get(xpub)
  if (known) return known
  const key = HDKey.fromExtendedKey(xpub)
  const branch = key.depth === branchDepth ? key : key.deriveChild(0)
  if (branches.size >= branchesMax) branches.clear()
  branches.set(xpub, branch)`,
    to: `const name = xpub.slice(0, 12)
  const known = branches.get(name)
  if (known) return known
  const key = HDKey.fromExtendedKey(xpub)
  const branch = key.depth === branchDepth ? key : key.deriveChild(0)
  branches.set(name, branch)`,
    test: 'bff/src/chain/xpub-account.test.ts',
    fails: 'two accounts have different addresses, though their sources begin with the same characters',
  },
  {
    name: 'A deposit that is created during a start is never watched on Solana',
    file: 'bff/src/chain/solana/watch/account-watch-list.ts',
    from: `const number = await db.read(newestNumber)
        await loadPrompt(chainMs - promptMs, nowMs)
        newest = number`,
    to: `await loadPrompt(chainMs - promptMs, nowMs)
        newest = await db.read(newestNumber)`,
    test: 'bff/src/chain/solana/watch/account-watch-list.test.ts',
    fails: 'a deposit that is created during the first read is watched',
  },
  {
    name: 'A token is taken for the wallet of virtual addresses',
    file: 'bff/src/chain/evm/virtual/virtual-deposits.ts',
    from: 'isToken || !mayBeMaster(wallet.toLowerCase())',
    to: '!mayBeMaster(wallet.toLowerCase())',
    test: 'bff/src/chain/evm/virtual/virtual-deposits.test.ts',
    fails: 'a token of the configuration is refused, whatever its address looks like',
  },
  {
    name: 'Deposits of the sandbox are watched on Solana',
    file: 'bff/src/chain/solana/watch/token-account-store.ts',
    from: 'where p.number > ${number} and p.network = ${network} and p.is_test = 0',
    to: 'where p.number > ${number} and p.network = ${network}',
    test: 'bff/src/chain/solana/watch/account-watch-list.test.ts',
    fails: 'a deposit of the sandbox is never watched, whether it exists at the start or is created later',
  },
  {
    name: 'Of deposits whose windows end at one moment some are never read on Solana',
    file: 'bff/src/chain/solana/watch/token-account-store.ts',
    from: '(p.window_ends_at_ms, p.number) > (${after.windowEndsAtMs}, ${after.number})',
    to: 'p.window_ends_at_ms > ${after.windowEndsAtMs}',
    test: 'bff/src/chain/solana/watch/account-watch-list.test.ts',
    fails: 'each of many late deposits whose windows ended at the same moment becomes due',
  },
  {
    name: 'A payment expires while a block that may pay it is not read',
    file: 'bff/src/chain/evm/watch/end-windows.ts',
    from: 'Math.max(...times) + clockSkewMs',
    to: 'Math.min(...times) + clockSkewMs',
    test: 'bff/src/chain/evm/watch/end-windows.test.ts',
    fails: 'the youngest block that no node returns decides which payments are held',
  },
  {
    name: 'A node that redirects a true transfer is confirmed by one that has another',
    file: 'bff/src/chain/evm/rpc/evm-adapter.ts',
    from: 'one.topic.toLowerCase() === other.topic.toLowerCase() &&',
    to: '',
    test: 'bff/src/chain/evm/watch/high-value.test.ts',
    fails: 'a true transfer that one node says went to a deposit address pays nothing of high value',
  },
  {
    name: 'A node that changes the payer of a true transfer is confirmed by one that has another',
    file: 'bff/src/chain/evm/rpc/evm-adapter.ts',
    from: ' &&\n  one.payer.toLowerCase() === other.payer.toLowerCase()',
    to: '',
    test: 'bff/src/chain/evm/watch/high-value.test.ts',
    fails: 'a node attests a transfer of its contract, its place, its two parties and its amount, and no other',
  },
  {
    name: 'A node of Tron that redirects a true transfer is confirmed by one that has another',
    file: 'bff/src/chain/tron/rpc/tron-adapter.ts',
    from: 'isSameParty(log.topics[2], topic) &&',
    to: '',
    test: reads,
    fails: attests,
  },
  {
    name: 'A node that invents blocks makes a high-value payment deep enough',
    file: 'bff/src/chain/evm/rpc/evm-adapter.ts',
    from: 'if (!(await isDeep(pool, node, blockNumber, required))) return false',
    to: '',
    test: 'bff/src/chain/evm/watch/high-value.test.ts',
    fails: 'blocks invented by one node make no payment of high value deep enough',
  },
  {
    name: 'An approval on Tron is attested as a transfer',
    file: 'bff/src/chain/tron/rpc/tron-adapter.ts',
    from: 'tokenTransfer(network, log, 0)?.amount === amount',
    to: 'BigInt(log.data) === amount',
    test: reads,
    fails: 'no node attests an approval with the same parties and amount as a transfer',
  },
  {
    name: 'A node of Tron that knows no final blocks calls every block final',
    file: 'bff/src/chain/tron/rpc/tron-adapter.ts',
    from: 'return await isDeep(pool, node, blockNumber, required)',
    to: 'return true',
    test: reads,
    fails: 'a node without final blocks attests a transfer that is deep enough by its own head',
  },
  {
    name: 'What one of two nodes changes is not read again',
    file: 'bff/src/chain/evm/watch/find-transfers.ts',
    from: 'if (isContradicted) throw',
    to: 'if (false) throw',
    test: 'bff/src/chain/tron/tron-deposits.test.ts',
    fails: 'a transfer whose amount is changed by node 0 of two counts once they agree',
  },
  {
    name: 'The first amount of a transfer stays, though the first node lied',
    file: 'bff/src/payment/event.ts',
    from: "(known.state !== 'seen' || (known.amount === amount && known.payer === payer))",
    to: 'amount > 0n && payer !== null',
    test: 'bff/src/chain/tron/tron-deposits.test.ts',
    fails: 'a transfer whose amount is changed by node 0 of two counts once they agree',
  },
]
