// Areas that decide what a till may do, and what its sales and receipts say.

/** @type {Record<string, { files: string[], tests: string[] }>} */
export const tillAreas = {
  tills: {
    files: [
      'bff/src/dashboard/till/pin.ts',
      'bff/src/dashboard/till/till-sessions.ts',
      'bff/src/dashboard/till/till-store.ts',
    ],
    tests: ['bff/src/dashboard/till/till.test.ts'],
  },
  sales: {
    files: ['bff/src/dashboard/till/sales.ts', 'bff/src/dashboard/till/sale-store.ts'],
    tests: ['bff/src/dashboard/till/sales.test.ts', 'bff/src/dashboard/till/till.test.ts'],
  },
  receipts: {
    files: ['bff/src/checkout/pay-page/receipt/receipt.ts'],
    tests: ['bff/src/checkout/pay-page/receipt/receipt.test.ts'],
  },
}
