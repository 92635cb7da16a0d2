// Which nodes are asked, when again, and whose word is a second opinion.

const file = 'bff/src/chain/rpc-pool.ts'
const transport = 'bff/src/chain/rpc-transport.ts'
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
    from: 'isDown: true, outUntilMs, isIdentified: false',
    to: 'isDown: true, outUntilMs',
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
    name: 'A node that does no work is never called, and its death not noticed',
    file,
    from: 'for (const node of called) node.isIdentified = false',
    to: '',
    test,
    fails: 'a node that dies while another does all the work is noticed by the probe',
  },
  {
    name: 'A dead node is shown as well between two pauses',
    file,
    from: "node.isDown ? 'down' : 'ok'",
    to: "isWell(node) ? 'ok' : 'down'",
    test,
    fails: 'a node that dies while another does all the work is noticed by the probe',
  },
  {
    name: 'A node that is down counts as a second opinion',
    file,
    from: 'nodes.filter((other) => other !== node && isWell(other))',
    to: 'nodes.filter((other) => other !== node)',
    test,
    fails: 'a node that is paused is no second opinion',
  },
  {
    name: 'A node that stops halfway through a response holds up its network',
    file: transport,
    from: 'body: text, signal, redirect',
    to: 'body: text, redirect',
    test,
    fails: 'a node whose response stops halfway is paused after the timeout, and the next one is called',
  },
  {
    name: 'A response that is too large pauses its node',
    file: transport,
    from: '      if (cause instanceof ResponseTooLargeError) throw cause\n',
    to: '',
    test,
    fails: 'a response that is too large is no failure of the node, which is asked for less next time',
  },
  {
    name: 'A lone node holds up its network for as long as its Retry-After says',
    file: transport,
    from: '|| statusText, status, url })',
    to: '|| statusText, headers: response.headers, status, url })',
    test,
    fails: 'a lone node that asks for a pause of an hour by Retry-After holds up no call for that long',
  },
  {
    name: 'A node redirects requests into the private network',
    file: transport,
    from: ", redirect: 'error' })",
    to: ' })',
    test,
    fails: 'a node that redirects with 307 sends no request into the private network',
  },
  {
    name: "A machine's own secrets are asked for by a translated address",
    file: 'bff/src/ops/setup/check-node.ts',
    from: "  machineOwn.addAddress(`64:ff9b::${address}`, 'ipv6')\n",
    to: '',
    test: 'bff/src/ops/setup/check-node.test.ts',
    fails: 'the secrets of a virtual machine’s host are asked by nobody, in the notation 64:ff9b::6464:64c8',
  },
  {
    name: 'What one node says of its limits hides the revert that another reports',
    file,
    from: 'if (isRevert(error) || !isRevert(failure)) failure = error',
    to: 'failure = error',
    test: 'bff/src/chain/evm/send/evm-sender.test.ts',
    fails: 'the contract’s refusal of a refund counts, also where the next node answers no calls today',
  },
  {
    name: 'A node that answers no more calls today counts as one that refuses what it is asked',
    file: transport,
    from: 'response.status === tooManyCalls ? undefined : answer?.error',
    to: 'answer?.error',
    test,
    fails: 'only a refusal in JSON-RPC’s form, or any error of a response without a failed status',
  },
]
