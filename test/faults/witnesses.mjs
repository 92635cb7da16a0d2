// Which nodes count as witnesses, and which is called while all are down.

/** @type {import('./faults.mjs').Fault[]} */
export const witnesses = [
  {
    name: 'Two nodes of one host are two witnesses',
    file: 'bff/src/chain/rpc-pool.ts',
    from: 'witnesses.add(node.host)',
    to: 'witnesses.add(node.name)',
    test: 'bff/src/chain/rpc-pool.test.ts',
    fails: 'two nodes of one host are one witness',
  },
  {
    name: 'A node that fails attests',
    file: 'bff/src/chain/rpc-pool.ts',
    from: '(await attests(node).catch(() => false))',
    to: '(await attests(node).catch(() => true))',
    test: 'bff/src/chain/rpc-pool.test.ts',
    fails: 'two nodes of one host are one witness',
  },
  {
    name: 'Nodes of one host wait for a witness that there is not',
    file: 'bff/src/chain/rpc-pool.ts',
    from: 'Math.min(witnessesMin, hosts)) return true',
    to: 'Math.min(witnessesMin, nodes.length)) return true',
    test: 'bff/src/chain/rpc-pool.test.ts',
    fails: 'two nodes of one host are one witness',
  },
  {
    name: 'While all nodes are down, the one that is paused longest is called',
    file: 'bff/src/chain/rpc-pool.ts',
    from: 'sort((a, b) => a.outUntilMs - b.outUntilMs)',
    to: 'sort((a, b) => b.outUntilMs - a.outUntilMs)',
    test: 'bff/src/chain/rpc-pool.test.ts',
    fails: 'while all nodes are down, only the one whose pause ends first is called',
  },
]
