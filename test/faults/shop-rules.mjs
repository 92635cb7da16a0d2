// What decides about the invoices, webhooks and keys of shops.

/** @type {import('./faults.mjs').Fault[]} */
export const shopRules = [
  {
    name: 'Of equal payments of an invoice the oldest decides',
    file: 'bff/src/stores/invoice-state.ts',
    from: 'b.payment.createdAtMs - a.payment.createdAtMs',
    to: 'a.payment.createdAtMs - b.payment.createdAtMs',
    test: 'bff/src/stores/invoice-state.test.ts',
    fails: 'that got equal shares, the newest decides',
  },
  {
    name: 'A marked invoice is reported only when it was noted in time',
    file: 'bff/src/stores/invoices.ts',
    from: 'marked: as, markedAtMs: nowMs, dueAtMs: nowMs',
    to: 'marked: as, markedAtMs: nowMs',
    test: 'bff/src/stores/store-webhooks.test.ts',
    fails: 'though the note of the change was lost',
  },
]
