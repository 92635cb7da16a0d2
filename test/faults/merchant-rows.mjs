// What another merchant's rows must not do to budgets, sums, wallets, endpoints and counts.

const test = 'bff/src/merchant-rows.test.ts'

/** @type {import('./faults.mjs').Fault[]} */
export const merchantRows = [
  {
    name: "Late money of another merchant's agent counts against a budget",
    file: 'bff/src/agent/policy-store.ts',
    from: `where merchant_id = \${merchantId} and is_test = \${isTest ? 1 : 0} and agent_id = \${agentId}
         and \${isOfMonth} and status = 'expired' and closed_as is null`,
    to: `where cast(\${merchantId} as text) is not null and is_test = \${isTest ? 1 : 0} and agent_id = \${agentId}
         and \${isOfMonth} and status = 'expired' and closed_as is null`,
    test,
    fails: 'an agent has spent what its own payments are, those that late money can pay included',
  },
  {
    name: "A search is cut short by another merchant's payments",
    file: 'bff/src/checkout/read/payment-search-store.ts',
    from: 'where merchant_id = ${merchantId} and is_test = ${isTest ? 1 : 0} ${ofStatus(status)}',
    to: 'where cast(${merchantId} as text) is not null and is_test = ${isTest ? 1 : 0} ${ofStatus(status)}',
    test,
    fails: 'a search steps over its own payments alone',
  },
  {
    name: "Another merchant's payments are counted",
    file: 'bff/src/checkout/read/payment-search-store.ts',
    from: `where merchant_id = \${merchantId} and is_test = \${isTest ? 1 : 0}
                 \${ofStatus(status)}`,
    to: `where cast(\${merchantId} as text) is not null and is_test = \${isTest ? 1 : 0}
                 \${ofStatus(status)}`,
    test,
    fails: 'a list’s counts are of its own payments',
  },
  {
    name: "A merchant's list is notified of another's events",
    file: 'bff/src/checkout/read/payment-search-store.ts',
    from: 'select number from events where merchant_id = ${merchantId} and is_test = ${isTest ? 1 : 0}',
    to: 'select number from events where cast(${merchantId} as text) is not null and is_test = ${isTest ? 1 : 0}',
    test,
    fails: 'a stream hears of its own payments alone',
  },
  {
    name: "A merchant's list is notified of another's payments",
    file: 'bff/src/checkout/read/payment-search-store.ts',
    from: 'select number from payments where merchant_id = ${merchantId} and is_test = ${isTest ? 1 : 0}',
    to: 'select number from payments where cast(${merchantId} as text) is not null and is_test = ${isTest ? 1 : 0}',
    test,
    fails: 'a stream hears of its own payments alone',
  },
  {
    name: 'A merchant loses its last owner because another has one',
    file: 'bff/src/dashboard/sign-in/people-store.ts',
    from: "where merchant_id = ${merchantId} and role = 'owner' and removed_at_ms is null`)",
    to: "where cast(${merchantId} as text) is not null and role = 'owner' and removed_at_ms is null`)",
    test,
    fails: 'owners and keys, a merchant’s own are counted',
  },
  {
    name: "Another merchant's keys count against the most",
    file: 'bff/src/merchant/key-store.ts',
    from: 'select count(*) as count from credentials where merchant_id = ${merchantId}`)',
    to: 'select count(*) as count from credentials where cast(${merchantId} as text) is not null`)',
    test,
    fails: 'owners and keys, a merchant’s own are counted',
  },
  {
    name: "Money goes to another merchant's wallet",
    file: 'bff/src/merchant/account-store.ts',
    from: 'select network, address, source from settlement_wallets where merchant_id = ${id} order by network',
    to: 'select network, address, source from settlement_wallets where cast(${id} as text) is not null order by network',
    test,
    fails: 'wallets, a payment takes those of its key’s merchant',
  },
  {
    name: "An export counts every merchant's payments",
    file: 'bff/src/ops/export/export-store.ts',
    from: 'where is_test = ${isTest ? 1 : 0} and (cast(${merchantId} as text) is null or merchant_id = ${merchantId})',
    to: 'where is_test = ${isTest ? 1 : 0} and (cast(${merchantId} as text) is null or cast(${merchantId} as text) is not null)',
    test,
    fails: 'a list, its counts and its sums have its own payments',
  },
  {
    name: "Events go to another merchant's endpoints",
    file: 'bff/src/payment/store/outbox-store.ts',
    from: 'where merchant_id = ${merchantId} and is_test = ${isTest ? 1 : 0} and disabled_reason is null',
    to: 'where cast(${merchantId} as text) is not null and is_test = ${isTest ? 1 : 0} and disabled_reason is null',
    test,
    fails: 'an event goes to its own endpoints',
  },
  {
    name: "A change makes another merchant's kept months old",
    file: 'bff/src/payment/store/sums-store.ts',
    from: `where merchant_id = \${key.merchantId} and is_test = \${key.isTest} and quarter = \${key.quarter}
           and network = \${key.network} and currency = \${key.currency} and token_decimals = \${key.tokenDecimals}\`)`,
    to: `where cast(\${key.merchantId} as text) is not null and is_test = \${key.isTest} and quarter = \${key.quarter}
           and network = \${key.network} and currency = \${key.currency} and token_decimals = \${key.tokenDecimals}\`)`,
    test,
    fails: 'a change of a payment makes its own kept month old, and no other one',
  },
  {
    name: "A merchant's sums begin with another's",
    file: 'bff/src/payment/store/sums-store.ts',
    from: `where merchant_id = \${key.merchantId} and is_test = \${key.isTest} and quarter = \${key.quarter}
         and network = \${key.network} and currency = \${key.currency} and token_decimals = \${key.tokenDecimals}\`)`,
    to: `where cast(\${key.merchantId} as text) is not null and is_test = \${key.isTest} and quarter = \${key.quarter}
         and network = \${key.network} and currency = \${key.currency} and token_decimals = \${key.tokenDecimals}\`)`,
    test,
    fails: 'a payment’s money is added to its own sums',
  },
  {
    name: "Another merchant's payments need this one's people",
    file: 'bff/src/reports/attention-store.ts',
    from: `where merchant_id = \${merchantId} and is_test = \${isTest ? 1 : 0} and attention = \${attention}
         order by number desc limit \${limit}\`)`,
    to: `where cast(\${merchantId} as text) is not null and is_test = \${isTest ? 1 : 0} and attention = \${attention}
         order by number desc limit \${limit}\`)`,
    test,
    fails: 'the list of payments that need a person has its own',
  },
  {
    name: 'A merchant has payments because another has',
    file: 'bff/src/reports/attention-store.ts',
    from: 'where merchant_id = ${merchantId} and is_test = ${isTest ? 1 : 0} order by created_at_ms limit 1`)',
    to: 'where cast(${merchantId} as text) is not null and is_test = ${isTest ? 1 : 0} order by created_at_ms limit 1`)',
    test,
    fails: 'the list of payments that need a person has its own',
  },
  {
    name: "A month has another merchant's quarters",
    file: 'bff/src/reports/month-store.ts',
    from: `from payment_sums
       where merchant_id = \${merchantId} and is_test = \${isTest ? 1 : 0} and quarter >= \${range.fromQuarter}
         and quarter < \${range.untilQuarter}`,
    to: `from payment_sums
       where cast(\${merchantId} as text) is not null and is_test = \${isTest ? 1 : 0} and quarter >= \${range.fromQuarter}
         and quarter < \${range.untilQuarter}`,
    test,
    fails: 'a change of a payment makes its own kept month old, and no other one',
  },
  {
    name: "A month is read from another merchant's kept sums",
    file: 'bff/src/reports/month-store.ts',
    from: `select * from month_sums
       where merchant_id = \${merchantId} and is_test = \${isTest ? 1 : 0} and quarter >= \${range.fromQuarter}
         and quarter < \${range.untilQuarter}`,
    to: `select * from month_sums
       where cast(\${merchantId} as text) is not null and is_test = \${isTest ? 1 : 0} and quarter >= \${range.fromQuarter}
         and quarter < \${range.untilQuarter}`,
    test,
    fails: 'the sums of a month are kept, read and replaced by themselves',
  },
  {
    name: "A merchant's kept sums delete another's",
    file: 'bff/src/reports/month-store.ts',
    from: 'where merchant_id = ${whose.merchantId} and is_test = ${isTest} and quarter = ${quarter}`)',
    to: 'where cast(${whose.merchantId} as text) is not null and is_test = ${isTest} and quarter = ${quarter}`)',
    test,
    fails: 'the sums of a month are kept, read and replaced by themselves',
  },
]
