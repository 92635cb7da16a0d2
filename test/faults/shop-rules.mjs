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
  {
    name: 'Addresses that are refused for wrong keys are kept without end',
    file: 'bff/src/stores/wrong-keys.ts',
    from: 'if (refused.size > addressesMax && oldest !== undefined) refused.delete(oldest)',
    to: '',
    test: 'bff/src/stores/wrong-keys.test.ts',
    fails: 'the first is counted anew',
  },
  {
    name: 'Good keys behind a refused address are remembered too long',
    file: 'bff/src/stores/wrong-keys.ts',
    from: 'untilMs: runtime.nowMs() + goodKeysMs',
    to: 'untilMs: runtime.nowMs() + goodKeysMs * 60',
    test: 'bff/src/stores/wrong-keys.test.ts',
    fails: 'is refused for ten seconds at most',
  },
  {
    name: 'An address that got five receipts never gets another',
    file: 'bff/src/notice/receipt/receipt-mail-store.ts',
    from: 'where address_digest = ${addressDigest} and created_at_ms > ${sinceMs} limit',
    to: 'where address_digest = ${addressDigest} limit',
    test: 'bff/src/notice/receipt/receipt-mail.test.ts',
    fails: 'is mailed again a day after',
  },
  {
    name: 'A receipt that waits for a day forgets its address',
    file: 'bff/src/notice/receipt/receipt-mail-store.ts',
    from: 'and due_at_ms is null and created_at_ms <= ${beforeMs}',
    to: 'and created_at_ms <= ${beforeMs}',
    test: 'bff/src/notice/receipt/receipt-mail.test.ts',
    fails: 'still knows its address',
  },
]
