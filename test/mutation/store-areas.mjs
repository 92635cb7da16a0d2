// What plug-ins of shops may do, and what is reported to them of their invoices.

/** @type {Record<string, { files: string[], tests: string[] }>} */
export const storeAreas = {
  stores: {
    files: [
      'bff/src/stores/door.ts',
      'bff/src/stores/wrong-keys.ts',
      'bff/src/stores/permissions.ts',
      'bff/src/stores/store-keys.ts',
      'bff/src/stores/store-key-store.ts',
      'bff/src/stores/invoices.ts',
      'bff/src/stores/invoice-body.ts',
      'bff/src/stores/invoice-events.ts',
      'bff/src/stores/invoice-outbox.ts',
      'bff/src/stores/invoice-state.ts',
      'bff/src/stores/invoice-store.ts',
      'bff/src/stores/invoice-worker.ts',
      'bff/src/stores/json-text.ts',
      'bff/src/stores/payment-methods.ts',
      'bff/src/stores/refunds.ts',
      'bff/src/stores/store-webhooks.ts',
      'bff/src/stores/store-webhook-store.ts',
    ],
    tests: [
      'bff/src/stores/invoices.test.ts',
      'bff/src/stores/refunds.test.ts',
      'bff/src/stores/plug-ins.test.ts',
      'bff/src/stores/store-attacks.test.ts',
      'bff/src/stores/store-calls.test.ts',
      'bff/src/stores/store-webhooks.test.ts',
    ],
  },
}
