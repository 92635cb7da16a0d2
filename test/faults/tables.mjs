// What rows of another merchant or of test mode must not do to tills, notices, receipts, shops and refunds.

const test = 'bff/src/merchant-tables.test.ts'
const tills = { file: 'bff/src/dashboard/till/till-store.ts', test, fails: 'the tills of a merchant are its own' }
const notices = { test, fails: 'notices and troubles of a merchant are its own' }
const shops = { test, fails: 'the shops of a merchant are its own' }
const keys = { ...shops, file: 'bff/src/stores/store-key-store.ts' }
const refunds = { file: 'bff/src/payment/store/merchant-refund-store.ts', test }
const list = { ...refunds, fails: 'the refunds that a merchant’s wallet pays are its own, of one mode' }
const watched = { ...refunds, fails: 'only a live refund is looked for on the chain' }

/** @type {import('./faults.mjs').Fault[]} */
export const tables = [
  {
    ...tills,
    name: "A list has another merchant's tills",
    from: 'select * from tills where merchant_id = ${merchantId} and removed_at_ms is null',
    to: 'select * from tills where cast(${merchantId} as text) is not null and removed_at_ms is null',
  },
  {
    ...tills,
    name: "A merchant reads another's till",
    from: 'select * from tills where id = ${id} and merchant_id = ${merchantId}',
    to: 'select * from tills where id = ${id} and cast(${merchantId} as text) is not null',
  },
  {
    ...tills,
    name: "A merchant removes another's till",
    from: 'where id = ${id} and merchant_id = ${merchantId} and removed_at_ms is null\n',
    to: 'where id = ${id} and cast(${merchantId} as text) is not null and removed_at_ms is null\n',
  },
  {
    ...notices,
    name: "A merchant's notices go to another's people",
    file: 'bff/src/notice/channels/channel-store.ts',
    from: 'where c.merchant_id = ${merchantId} and',
    to: 'where cast(${merchantId} as text) is not null and',
  },
  {
    ...notices,
    name: "A merchant has another's troubles",
    file: 'bff/src/notice/trouble/trouble-store.ts',
    from: 'from notice_troubles where merchant_id = ${merchantId} order',
    to: 'from notice_troubles where cast(${merchantId} as text) is not null order',
  },
  {
    ...notices,
    name: "The end of a merchant's trouble ends another's",
    file: 'bff/src/notice/trouble/trouble-store.ts',
    from: 'where merchant_id = ${merchantId} and cause',
    to: 'where cast(${merchantId} as text) is not null and cause',
  },
  {
    name: "Another merchant's receipts count against the most",
    file: 'bff/src/notice/receipt/receipt-mail-store.ts',
    from: 'where merchant_id = ${merchantId} and created_at_ms',
    to: 'where cast(${merchantId} as text) is not null and created_at_ms',
    test,
    fails: 'mails of another merchant do not count against a merchant’s most',
  },
  {
    ...keys,
    name: "A merchant revokes the key of another's shop",
    from: 'where id = ${id} and merchant_id = ${merchantId}`',
    to: 'where id = ${id} and cast(${merchantId} as text) is not null`',
  },
  {
    ...keys,
    name: "A list has the keys of another merchant's shops",
    from: 'where merchant_id = ${merchantId} order by',
    to: 'where cast(${merchantId} as text) is not null order by',
  },
  {
    ...keys,
    name: "Another merchant's shops count against the most",
    from: 'select count(*) as count from store_keys where merchant_id = ${merchantId}',
    to: 'select count(*) as count from store_keys where cast(${merchantId} as text) is not null',
  },
  {
    ...keys,
    name: "Another merchant's shops keep the webhooks of a shop that was disconnected",
    from: 'select shop_origin as origin from store_keys where merchant_id = ${merchantId}',
    to: 'select shop_origin as origin from store_keys where cast(${merchantId} as text) is not null',
  },
  {
    ...shops,
    name: "A shop lists another merchant's invoices",
    file: 'bff/src/stores/invoice-store.ts',
    from: 'where merchant_id = ${merchantId} ${ofOrders}',
    to: 'where cast(${merchantId} as text) is not null ${ofOrders}',
  },
  {
    ...list,
    name: "A merchant's refunds to pay have another's",
    from: 'where merchant_id = ${list.merchantId} and is_test',
    to: 'where cast(${list.merchantId} as text) is not null and is_test',
  },
  {
    ...list,
    name: 'Live refunds to pay have those of test payments',
    from: 'and is_test = ${list.isTest ? 1 : 0} and number',
    to: 'and cast(${list.isTest ? 1 : 0} as integer) is not null and number',
  },
  {
    ...watched,
    name: "Another merchant's transfer pays a refund",
    from: 'on w.merchant_id = r.merchant_id and w.network',
    to: 'on w.network',
  },
  {
    ...watched,
    name: 'A transfer pays the refund of a test payment',
    from: 'where r.network = ${network} and r.is_test = 0 and',
    to: 'where r.network = ${network} and',
  },
  {
    ...watched,
    name: 'The refund of a test payment is looked up as a live one',
    from: 'where r.id = ${id} and r.is_test = 0 and',
    to: 'where r.id = ${id} and',
  },
  {
    ...watched,
    name: 'Addresses of test refunds are watched',
    from: 'where network = ${network} and is_test = 0 and',
    to: 'where network = ${network} and',
  },
  {
    name: 'A budget of nothing is stored as one without a bound',
    file: 'bff/src/db/table.ts',
    from: 'format: format === same ? same : (value) => (value === null ? null : format(value)),',
    to: 'format: format === same ? same : (value) => (value ? format(value) : null),',
    test: 'bff/src/db/table.test.ts',
    fails: 'an amount of nothing is no null: a budget of nothing is not one without a bound',
  },
  {
    name: 'A backup of the next version is restored',
    file: 'bff/src/db/restore.ts',
    from: 'if (facts.version > newestVersion()) {',
    to: 'if (facts.version > newestVersion() + 1) {',
    test: 'bff/src/db/backup.test.ts',
    fails: 'a backup of a newer version is left to the newer program',
  },
]
