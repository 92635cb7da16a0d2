// What test payments must not do to live budgets, sums, lists and counts.

const test = 'bff/src/merchant-rows.test.ts'

/** @type {import('./faults.mjs').Fault[]} */
export const modeRows = [
  {
    name: 'Late test payments count against a live budget',
    file: 'bff/src/agent/policy-store.ts',
    from: `where merchant_id = \${merchantId} and is_test = \${isTest ? 1 : 0} and agent_id = \${agentId}
         and \${isOfMonth} and status = 'expired' and closed_as is null`,
    to: `where merchant_id = \${merchantId} and cast(\${isTest ? 1 : 0} as integer) is not null and agent_id = \${agentId}
         and \${isOfMonth} and status = 'expired' and closed_as is null`,
    test,
    fails: 'an agent has spent what its own payments are, those that late money can pay included',
  },
  {
    name: 'A live list has test payments',
    file: 'bff/src/checkout/read/payment-search-store.ts',
    from: 'where merchant_id = ${filter.merchantId} and is_test = ${filter.isTest ? 1 : 0} ${ofStatus(status)}',
    to: 'where merchant_id = ${filter.merchantId} and cast(${filter.isTest ? 1 : 0} as integer) is not null ${ofStatus(status)}',
    test,
    fails: 'a search steps over its own payments alone',
  },
  {
    name: 'A live search is cut short by test payments',
    file: 'bff/src/checkout/read/payment-search-store.ts',
    from: 'where merchant_id = ${merchantId} and is_test = ${isTest ? 1 : 0} ${ofStatus(status)}',
    to: 'where merchant_id = ${merchantId} and cast(${isTest ? 1 : 0} as integer) is not null ${ofStatus(status)}',
    test,
    fails: 'a search steps over its own payments alone',
  },
  {
    name: 'A live search by creation time has test payments',
    file: 'bff/src/checkout/read/payment-search-store.ts',
    from: 'where merchant_id = ${filter.merchantId} and is_test = ${filter.isTest ? 1 : 0} and status in ${statuses}',
    to: 'where merchant_id = ${filter.merchantId} and cast(${filter.isTest ? 1 : 0} as integer) is not null and status in ${statuses}',
    test,
    fails: 'has its own payments',
  },
  {
    name: 'A live search has test payments',
    file: 'bff/src/checkout/read/payment-search.ts',
    from: 'one.isTest === isTest && isAfter(one, range.after)',
    to: 'isAfter(one, range.after)',
    test: 'bff/src/checkout/read/payment-search.test.ts',
    fails: 'finds orders and e-mail addresses by how they begin, each in its own mode',
  },
  {
    name: 'Test payments are counted with live ones',
    file: 'bff/src/checkout/read/payment-search-store.ts',
    from: `where merchant_id = \${merchantId} and is_test = \${isTest ? 1 : 0}
                 \${ofStatus(status)}`,
    to: `where merchant_id = \${merchantId} and cast(\${isTest ? 1 : 0} as integer) is not null
                 \${ofStatus(status)}`,
    test,
    fails: 'a list’s counts are of its own payments',
  },
  {
    name: 'A live list is notified of test events',
    file: 'bff/src/checkout/read/payment-search-store.ts',
    from: 'select number from events where merchant_id = ${merchantId} and is_test = ${isTest ? 1 : 0}',
    to: 'select number from events where merchant_id = ${merchantId} and cast(${isTest ? 1 : 0} as integer) is not null',
    test,
    fails: 'a stream hears of its own payments alone',
  },
  {
    name: 'A live list is notified of test payments',
    file: 'bff/src/checkout/read/payment-search-store.ts',
    from: 'select number from payments where merchant_id = ${merchantId} and is_test = ${isTest ? 1 : 0}',
    to: 'select number from payments where merchant_id = ${merchantId} and cast(${isTest ? 1 : 0} as integer) is not null',
    test,
    fails: 'a stream hears of its own payments alone',
  },
  {
    name: 'An export of live payments counts test payments',
    file: 'bff/src/ops/export/export-store.ts',
    from: 'where is_test = ${isTest ? 1 : 0} and (cast(${merchantId} as text) is null or merchant_id = ${merchantId})',
    to: 'where cast(${isTest ? 1 : 0} as integer) is not null and (cast(${merchantId} as text) is null or merchant_id = ${merchantId})',
    test,
    fails: 'a list, its counts and its sums have its own payments',
  },
  {
    name: 'A change makes the kept months of both modes old',
    file: 'bff/src/payment/store/sums-store.ts',
    from: `where merchant_id = \${key.merchantId} and is_test = \${key.isTest} and quarter = \${key.quarter}
           and network = \${key.network} and currency = \${key.currency} and token_decimals = \${key.tokenDecimals}\`)`,
    to: `where merchant_id = \${key.merchantId} and cast(\${key.isTest} as integer) is not null and quarter = \${key.quarter}
           and network = \${key.network} and currency = \${key.currency} and token_decimals = \${key.tokenDecimals}\`)`,
    test,
    fails: 'a change of a payment makes its own kept month old, and no other one',
  },
  {
    name: 'Live sums begin with test money',
    file: 'bff/src/payment/store/sums-store.ts',
    from: `where merchant_id = \${key.merchantId} and is_test = \${key.isTest} and quarter = \${key.quarter}
         and network = \${key.network} and currency = \${key.currency} and token_decimals = \${key.tokenDecimals}\`)`,
    to: `where merchant_id = \${key.merchantId} and cast(\${key.isTest} as integer) is not null and quarter = \${key.quarter}
         and network = \${key.network} and currency = \${key.currency} and token_decimals = \${key.tokenDecimals}\`)`,
    test,
    fails: 'a payment’s money is added to its own sums',
  },
  {
    name: 'Test payments are counted among those that need a person',
    file: 'bff/src/reports/attention-store.ts',
    from: `where merchant_id = \${merchantId} and is_test = \${isTest ? 1 : 0} and attention = \${attention}
                 limit \${countMax}) as waiting\`)`,
    to: `where merchant_id = \${merchantId} and cast(\${isTest ? 1 : 0} as integer) is not null and attention = \${attention}
                 limit \${countMax}) as waiting\`)`,
    test,
    fails: 'the list of payments that need a person has its own',
  },
  {
    name: 'Test payments need a person',
    file: 'bff/src/reports/attention-store.ts',
    from: `where merchant_id = \${merchantId} and is_test = \${isTest ? 1 : 0} and attention = \${attention}
         order by number desc limit \${limit}\`)`,
    to: `where merchant_id = \${merchantId} and cast(\${isTest ? 1 : 0} as integer) is not null and attention = \${attention}
         order by number desc limit \${limit}\`)`,
    test,
    fails: 'the list of payments that need a person has its own',
  },
  {
    name: 'A merchant has test payments because it has live ones',
    file: 'bff/src/reports/attention-store.ts',
    from: 'where merchant_id = ${merchantId} and is_test = ${isTest ? 1 : 0} order by created_at_ms limit 1`)',
    to: 'where merchant_id = ${merchantId} and cast(${isTest ? 1 : 0} as integer) is not null order by created_at_ms limit 1`)',
    test,
    fails: 'the list of payments that need a person has its own',
  },
  {
    name: 'Kept sums of one mode delete those of the other',
    file: 'bff/src/reports/month-store.ts',
    from: 'where merchant_id = ${whose.merchantId} and is_test = ${isTest} and quarter = ${quarter}`)',
    to: 'where merchant_id = ${whose.merchantId} and cast(${isTest} as integer) is not null and quarter = ${quarter}`)',
    test,
    fails: 'the sums of a month are kept, read and replaced by themselves',
  },
  {
    name: 'The list for the contract has test payments',
    file: 'bff/src/reports/payment-report-store.ts',
    from: `merchant_id = \${filter.merchantId} and is_test = \${filter.isTest ? 1 : 0}
         and (cast(\${filter.statuses} as text)`,
    to: `merchant_id = \${filter.merchantId} and cast(\${filter.isTest ? 1 : 0} as integer) is not null
         and (cast(\${filter.statuses} as text)`,
    test,
    fails: 'a list, its counts and its sums have its own payments',
  },
  {
    name: 'Test money is added up in the totals',
    file: 'bff/src/reports/payment-report-store.ts',
    from: `where merchant_id = \${filter.merchantId} and is_test = \${filter.isTest ? 1 : 0}
         and (cast(\${filter.fromMs} as bigint) is null or created_at_ms >= \${filter.fromMs})`,
    to: `where merchant_id = \${filter.merchantId} and cast(\${filter.isTest ? 1 : 0} as integer) is not null
         and (cast(\${filter.fromMs} as bigint) is null or created_at_ms >= \${filter.fromMs})`,
    test,
    fails: 'a list, its counts and its sums have its own payments',
  },
  {
    name: 'Test events are sent again with live ones',
    file: 'bff/src/webhook/reports/delivery-report-store.ts',
    from: 'where e.merchant_id = ${merchantId} and e.is_test = ${isTest ? 1 : 0} and e.number > ${range.after}',
    to: 'where e.merchant_id = ${merchantId} and cast(${isTest ? 1 : 0} as integer) is not null and e.number > ${range.after}',
    test,
    fails: 'what is sent again is what its own endpoints were sent',
  },
]
