// Where it is decided how much strangers, agents and viewers take from others.

/** @type {import('./faults.mjs').Fault[]} */
export const strangers = [
  {
    name: "An agent's link answers the server's order",
    file: 'bff/src/checkout/link/manage-links.ts',
    from: 'scopeOfMaker(caller, agentId)',
    to: 'scopeOfMaker(caller, null)',
    test: 'bff/src/access/callers/key-scopes.test.ts',
    fails:
      'it is answered with no link of the server’s or of another agent’s whose order id or key it repeats, nor are they with its own',
  },
  {
    name: "A link's id is shown within a webhook's",
    file: 'bff/src/dashboard/hide-link-ids.ts',
    from: '/pl_(',
    to: '/\\bpl_(',
    test: 'bff/src/stores/store-attacks.test.ts',
    fails:
      'a viewer of the dashboard reads the webhooks of an invoice, and not its id, which is the address that customers open',
  },
  {
    name: 'One address takes all waits for transactions',
    file: 'bff/src/checkout/contract/process-payment.ts',
    from: 'if (!shares.take(asker))',
    to: 'if (waiting >= waitsMax)',
    test: 'bff/src/checkout/contract/process-payment.shared.test.ts',
    fails:
      'an address that waits for transactions that never come takes neither the waits of other customers nor those of other merchants',
  },
  {
    name: 'A payment to another merchant proves a booking',
    file: 'bff/src/checkout/stablezact/stablezact-adapter.ts',
    from: 'return merchant === merchantId',
    to: 'return true',
    test: 'bff/src/checkout/stablezact/stablezact-bookings.test.ts',
    fails: 'a payment to another merchant, who may have paid himself, proves no booking',
  },
  {
    name: 'A booking in dollars is paid in as many weaker tokens',
    file: 'bff/src/checkout/stablezact/stablezact-rules.ts',
    from: ' || !details.isInDollars(payment)',
    to: '',
    test: 'bff/src/checkout/stablezact/stablezact-bookings.test.ts',
    fails: 'a payment of as many tokens that are worth less than dollars proves no booking',
  },
  {
    name: 'A flood from a network of IPv6 ends the payments of others',
    file: 'bff/src/access/http/client-address.ts',
    from: 'digest(networkOf(address))',
    to: 'digest(address)',
    test: 'bff/src/checkout/open-payments.test.ts',
    fails: 'a flood of creates from the addresses of one network of IPv6, of which there is no end, ends its own too',
  },
  {
    name: 'callbackUrls take all attempts of webhooks',
    file: 'bff/src/webhook/outbox/endpoint-limiter.ts',
    from: 'if (!hasShare(merchantOf(name))) return false',
    to: '',
    test: 'bff/src/webhook/outbox/endpoint-limiter.test.ts',
    fails:
      'to callbackUrls, which anybody with a public key may name, leave room for endpoints and for other merchants',
  },
  {
    name: 'callbackUrls of a stranger are read before the endpoints of others',
    file: 'bff/src/webhook/outbox/delivery-store.ts',
    from: 'order by turn, due_at_ms, event_number limit',
    to: 'order by due_at_ms, event_number limit',
    test: 'bff/src/webhook/outbox/receiver-order.test.ts',
    fails:
      'callbackUrls at hosts without number, which whoever has a public key names, keep no endpoint and no other merchant waiting',
  },
  {
    name: 'A read of due webhooks steps through all receivers that ever failed',
    file: 'bff/src/webhook/outbox/delivery-store.ts',
    from: ' and others.place <',
    to: ' and 0 <',
    test: 'bff/src/webhook/outbox/receiver-order.test.ts',
    fails:
      'a read steps through all endpoints, and through a bounded number of the origins that failed, each in its turn',
  },
  {
    name: 'A stranger reserves an agent’s budget for a week',
    file: 'bff/src/checkout/payment-maker.ts',
    from: ' && !isAgentOfStranger(caller, body)',
    to: '',
    test: 'bff/src/agent/policy.routes.test.ts',
    fails:
      'gives it back with the window where a public key named the agent, so that nobody reserves the budget for a week',
  },
  {
    name: 'A public key reserves the budget of an agent that has a key of its own',
    file: 'bff/src/checkout/payment-maker.ts',
    from: '      if (isAgentOfStranger(caller, payment)) await verifyKeyless(tx, payment)\n',
    to: '',
    test: 'bff/src/agent/policy.routes.test.ts',
    fails: 'is reserved by nobody with the public key once the agent has a key of its own',
  },
  {
    name: 'Quotes of the bridge are not counted',
    file: 'bff/src/checkout/cross-chain/create-cross-chain.ts',
    from: '    await limits.quoted(caller)\n',
    to: '',
    test: 'bff/src/checkout/cross-chain/create-cross-chain.test.ts',
    fails: 'each quote is counted, because it costs a call with the service’s own key: by address, and by merchant',
  },
  {
    name: 'Simulations of a live public key are not counted as creates',
    file: 'bff/src/access/limits/rate-limit.ts',
    from: " || (rate === 'simulations' && !caller.isTest)",
    to: '',
    test: 'bff/src/access/limits/rate-limit.test.ts',
    fails: 'what a live public key simulates counts with its creates, because each stores as much',
  },
  {
    name: 'One network of IPv6 takes all streams',
    file: 'bff/src/access/limits/stream-slots.ts',
    from: "        refuseAt(networkFactor * ownMax, networks, 'network')\n",
    to: '',
    test: 'bff/src/access/limits/stream-slots.test.ts',
    fails: 'the addresses of one network of IPv6 take the streams of four, and give each back',
  },
  {
    name: 'Streams of one merchant’s payments take all',
    file: 'bff/src/access/limits/stream-slots.ts',
    from: ' || openOf(merchant) >= merchantPart * totalMax',
    to: '',
    test: 'bff/src/access/limits/stream-slots.test.ts',
    fails: 'streams of one merchant’s payments, from addresses without number, leave a quarter to other merchants',
  },
  {
    name: 'Free tokens are taken once the network with real money was removed',
    file: 'bff/src/network/free-network.ts',
    from: '?.isTestnet !== true',
    to: '?.isTestnet === false',
    test: 'bff/src/checkout/networks/free-networks.test.ts',
    fails: 'nor after the network with real money was removed, or a merchant’s only one of them',
  },
]
