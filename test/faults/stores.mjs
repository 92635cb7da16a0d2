// What a shop's plug-in may do, and what is reported to it of its invoices.

const calls = 'bff/src/stores/store-calls.test.ts'
const invoices = 'bff/src/stores/invoices.test.ts'
const webhooks = 'bff/src/stores/store-webhooks.test.ts'

/** @type {import('./faults.mjs').Fault[]} */
export const stores = [
  {
    name: 'A key of a store may do everything',
    file: 'bff/src/stores/door.ts',
    from: '!permits(key.permissions, call.permission)',
    to: 'false',
    test: calls,
    fails: 'get /stores/:storeId/webhooks needs its permission, and the right of no other permission opens it',
  },
  {
    name: 'A revoked key of a store goes on',
    file: 'bff/src/stores/store-key-store.ts',
    from: 'where key_sha256 = ${keySha256} and revoked_at_ms is null`)',
    to: 'where key_sha256 = ${keySha256}`)',
    test: calls,
    fails: 'is listed, recorded, and ends when it is revoked',
  },
  {
    name: 'A store reads the invoices of another',
    file: 'bff/src/stores/invoices.ts',
    from: 'if (invoice?.merchantId !== merchantId) throw',
    to: 'if (!invoice) throw',
    test: invoices,
    fails: 'of another store, and one that is none, are not found',
  },
  {
    name: 'A key goes over plain http to a shop',
    file: 'bff/src/stores/pairing.routes.ts',
    from: 'isSafeUrl(redirect) && URL.canParse(redirect)',
    to: 'URL.canParse(redirect)',
    test: calls,
    fails: 'sends no key to http://shop.example/, where others could read it',
  },
  {
    name: 'Money in two tokens is added up to a paid invoice',
    file: 'bff/src/stores/invoice-state.ts',
    from: "if (payment && isCovered(payment)) return state('Processing', over)",
    to: "if (payment && (isCovered(payment) || payments.length > 1)) return state('Processing', over)",
    test: invoices,
    fails: 'is over or partial by the money of one payment; tokens are never added up',
  },
  {
    name: 'A settled invoice whose money a reorg took is open again',
    file: 'bff/src/stores/invoice-state.ts',
    from: "if (wasSettled) return state('Invalid', 'None')",
    to: '',
    test: invoices,
    fails: 'is invalid when a reorg takes the money of a settled invoice, and settled when it is there again',
  },
  {
    name: 'An invoice expires while its last payment can still be paid',
    file: 'bff/src/stores/invoice-state.ts',
    from: 'if (isOpen || isAnyPending)',
    to: 'if (isOpen)',
    test: invoices,
    fails: 'expires with its last payment, not before',
  },
  {
    name: 'A customer pays an invoice in a token that the store did not name',
    file: 'bff/src/checkout/link/manage-links.ts',
    from: 'if (!allowsToken(link, chosen)) {',
    to: 'if (false) {',
    test: invoices,
    fails: 'takes only the tokens that the store named',
  },
  {
    name: 'A refund in the name of an order goes to one of several payments',
    file: 'bff/src/stores/refunds.ts',
    from: 'if (paid.length > 1) {',
    to: 'if (false) {',
    test: 'bff/src/stores/refunds.test.ts',
    fails: 'a refund that names no paid order, or several, refunds nothing',
  },
  {
    name: "A plug-in's endpoint is among the merchant's own",
    file: 'bff/src/payment/store/outbox-store.ts',
    from: "         and dialect = 'standard'`)",
    to: '`)',
    test: webhooks,
    fails: 'of plug-ins are not among the merchant’s own, nor the other way round',
  },
]
