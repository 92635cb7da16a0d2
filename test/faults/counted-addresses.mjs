// Whose calls and streams are counted together, and which address of the service a request names.

const address = { file: 'bff/src/access/http/client-address.ts', test: 'bff/src/access/http/client-address.test.ts' }
const limits = { file: 'bff/src/access/limits/rate-limit.ts', test: 'bff/src/access/limits/rate-limit-callers.test.ts' }

/** @type {import('./faults.mjs').Fault[]} */
export const countedAddresses = [
  {
    ...address,
    name: 'An IPv6 address counts in another network when it is written short',
    from: '8 - head.length - tail.length',
    to: '7 - head.length - tail.length',
    fails: 'is the whole /64 of IPv6, however it is written',
  },
  {
    ...address,
    name: 'A proxy whose IPv4 address is written as IPv6 in capitals is not trusted',
    from: '/^::ffff:(?=\\d+\\.)/i',
    to: '/^::ffff:(?=\\d+\\.)/',
    fails: 'behind proxies of ours is the nearest that is none of them',
  },
  {
    ...address,
    name: 'A client behind a proxy names the address under which the service is reached',
    from: "c.req.header(name)?.split(',').at(-1)?.trim()",
    to: "c.req.header(name)?.split(',').at(0)?.trim()",
    fails: 'is what the request names, and behind a proxy of ours what the proxy names',
  },
  {
    ...limits,
    name: 'All payments that no agent makes are counted as those of one agent',
    from: 'if (agentId != null)',
    to: 'if (agentId !== null)',
    fails: 'payments that no agent makes are not counted as those of one agent',
  },
  {
    ...limits,
    name: 'One merchant uses up the webhooks that others have sent again',
    from: 'redeliveries(merchantId)',
    to: "redeliveries('all')",
    fails: 'webhooks that one merchant has sent again leave those of other merchants alone',
  },
  {
    name: 'The last stream of an address counts for ever',
    file: 'bff/src/access/limits/stream-slots.ts',
    from: 'else openStreams.delete(name)\n',
    to: '',
    test: 'bff/src/access/limits/stream-slots.test.ts',
    fails: 'an address whose streams have all ended has as many as before',
  },
]
