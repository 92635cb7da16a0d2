// What keeps one merchant's things from another.

const test = 'bff/src/access/callers/other-merchant.test.ts'
const lists = 'another merchant has lists and sums as if nobody else were there'
const reads = 'another merchant reads nothing by its id, and does not learn that it is there'
const finds = 'another merchant finds nothing by what belongs to somebody else'

/** @type {import('./faults.mjs').Fault[]} */
export const merchants = [
  {
    name: "A merchant's feed has another's events",
    file: 'bff/src/webhook/reports/event-feed-store.ts',
    from: 'where merchant_id = ${feed.merchantId} and is_test',
    to: 'where is_test',
    test,
    fails: lists,
  },
  {
    name: "A merchant reads another's endpoint with its secret's place",
    file: 'bff/src/webhook/endpoints/endpoint-store.ts',
    from: 'where id = ${id} and merchant_id = ${merchantId} and dialect = ${dialect}',
    to: 'where id = ${id} and dialect = ${dialect}',
    test,
    fails: reads,
  },
  {
    name: "A merchant has another's events sent to its endpoint",
    file: 'bff/src/webhook/reports/delivery-report-store.ts',
    from: 'where e.merchant_id = ${merchantId} and e.is_test',
    to: 'where e.is_test',
    test,
    fails: 'another merchant has nobody else’s events sent to its endpoint',
  },
  {
    name: "A merchant reads the body of another's delivery",
    file: 'bff/src/webhook/reports/delivery-report-store.ts',
    from: 'where number = ${number} and merchant_id = ${merchantId}`)',
    to: 'where number = ${number}`)',
    test,
    fails: reads,
  },
  {
    name: "A merchant lists the deliveries of another's payment",
    file: 'bff/src/webhook/reports/delivery-report-store.ts',
    from: 'const own = sql`merchant_id = ${filter.merchantId} and is_test',
    to: 'const own = sql`is_test',
    test,
    fails: finds,
  },
  {
    name: "A merchant finds another's payment by its transaction",
    file: 'bff/src/checkout/read/payment-search-store.ts',
    from: 'where t.network in ${networks} and t.tx_id in ${ids} and p.merchant_id = ${merchantId}',
    to: 'where t.network in ${networks} and t.tx_id in ${ids}',
    test,
    fails: finds,
  },
  {
    name: "A merchant finds another's payments by the wallet that paid",
    file: 'bff/src/checkout/read/payment-search-store.ts',
    from: 'where lower(t.payer) = lower(${text}) and p.merchant_id = ${merchantId}',
    to: 'where lower(t.payer) = lower(${text})',
    test,
    fails: lists,
  },
  {
    name: "A merchant reads another's audit log",
    file: 'bff/src/dashboard/audit/audit-store.ts',
    from: 'from audit_log where merchant_id = ${merchantId} and number',
    to: 'from audit_log where number',
    test,
    fails: lists,
  },
  {
    name: "A merchant lists another's sessions",
    file: 'bff/src/dashboard/sign-in/session-store.ts',
    from: 'where p.merchant_id = ${merchantId} and s.ends_at_ms > ${nowMs}',
    to: 'where s.ends_at_ms > ${nowMs}',
    test,
    fails: lists,
  },
  {
    name: "A merchant lists another's payment links",
    file: 'bff/src/checkout/link/link-store.ts',
    from: 'where l.merchant_id = ${merchantId} and l.is_test = ${isTest ? 1 : 0} and l.number < ${before}',
    to: 'where l.is_test = ${isTest ? 1 : 0} and l.number < ${before}',
    test,
    fails: lists,
  },
  {
    name: "A merchant's agent has spent what another's of its name has",
    file: 'bff/src/agent/policy-store.ts',
    from: `where merchant_id = \${merchantId} and is_test = \${isTest ? 1 : 0} and agent_id = \${agentId}
         and created_at_ms >= \${monthMs} and status not in`,
    to: `where is_test = \${isTest ? 1 : 0} and agent_id = \${agentId}
         and created_at_ms >= \${monthMs} and status not in`,
    test,
    fails: lists,
  },
  {
    name: 'A customer pays with the free tokens of a testnet beside real money',
    file: 'bff/src/checkout/payment-maker.ts',
    from: "if (caller.kind === 'public' && !caller.isTest) refuseFreeNetwork(networks, network, caller.wallets)",
    to: '',
    test: 'bff/src/checkout/networks/free-networks.test.ts',
    fails: 'a link from before the network with real money was added takes no free tokens',
  },
  {
    name: 'A plug-in of a shop takes the free tokens of a testnet beside real money',
    file: 'bff/src/stores/payment-methods.ts',
    from: ' && !isFreeNetwork(networks, shortName, wallets)',
    to: '',
    test: 'bff/src/stores/payment-methods.test.ts',
    fails: 'a plug-in of a shop names no testnet as a payment method beside real money',
  },
  {
    name: 'A merchant who tries the service on a testnet is refused because another one takes real money',
    file: 'bff/src/network/free-network.ts',
    from: '[...wallets.keys()].some(',
    to: '[...networks.keys()].some(',
    test: 'bff/src/checkout/networks/free-networks.test.ts',
    fails: 'no customer pays with the free tokens of a testnet where the service has networks with real money',
  },
]
