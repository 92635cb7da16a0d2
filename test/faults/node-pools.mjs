// Which nodes are asked, when again, and whose word is a second opinion.

const file = 'bff/src/chain/rpc-pool.ts'
const test = 'bff/src/chain/rpc-pool.test.ts'

/** @type {import('./faults.mjs').Fault[]} */
export const nodePools = [
  {
    name: 'A node that lied is not identified again',
    file,
    from: 'lie, isOnOtherChain, outUntilMs, isIdentified: false, highest: -1',
    to: 'lie, isOnOtherChain, outUntilMs, highest: -1',
    test,
    fails: 'a node is identified again after it lied, and after it was down',
  },
  {
    name: 'A node that was down is not identified again',
    file,
    from: 'failures: node.failures + 1, outUntilMs, isIdentified: false',
    to: 'failures: node.failures + 1, outUntilMs',
    test,
    fails: 'a node is identified again after it lied, and after it was down',
  },
  {
    name: 'Old failures of a node lengthen its pause for ever',
    file,
    from: '      node.failures = 0\n',
    to: '',
    test,
    fails: 'a node that has answered since is paused for a second by its next failure',
  },
  {
    name: 'A node that is down counts as a second opinion',
    file,
    from: 'nodes.filter((other) => other !== node && isWell(other))',
    to: 'nodes.filter((other) => other !== node)',
    test,
    fails: 'a node that is paused is no second opinion',
  },
]
