// What a till shows of its sales.

/** @type {import('./faults.mjs').Fault[]} */
export const counters = [
  {
    name: 'A till that shows as many sales as it may says that these are all',
    file: 'bff/src/dashboard/till/sales.ts',
    from: 'isComplete: rows.length < listMax',
    to: 'isComplete: rows.length <= listMax',
    test: 'bff/src/dashboard/till/sales.test.ts',
    fails: 'is limited to one in five seconds',
  },
  {
    name: 'A till shows nothing of money that waits for confirmations',
    file: 'bff/src/dashboard/till/sales.ts',
    from: "amountReceived: payment.amountDetected ?? '0.00'",
    to: "amountReceived: payment.amountReceived ?? '0.00'",
    test: 'bff/src/dashboard/till/sales.test.ts',
    fails: 'that is half paid shows the rest',
  },
  {
    name: 'A call that began before a lock opens the till again',
    file: 'bff/src/dashboard/till/till-store.ts',
    from: ' and open_until_ms > ${nowMs}`)',
    to: '`)',
    test: 'bff/src/dashboard/till/till.test.ts',
    fails: 'is required after a lock, also when a call that began before it',
  },
]
