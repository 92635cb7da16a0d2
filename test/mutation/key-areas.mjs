/** Who a caller is. */

/** @type {Record<string, { files: string[], tests: string[] }>} */
export const keyAreas = {
  keys: {
    files: [
      'bff/src/merchant/keys.ts',
      'bff/src/access/callers/key-origins.ts',
      'bff/src/access/callers/key-scopes.ts',
      'bff/src/access/context/caller.ts',
      'bff/src/access/callers/agent-key.ts',
      'bff/src/merchant/wallets.ts',
      'bff/src/access/callers/authenticate.ts',
      'bff/src/access/http/client-address.ts',
    ],
    tests: [
      'bff/src/merchant/keys.test.ts',
      'bff/src/access/callers/key-origins.test.ts',
      'bff/src/access/callers/key-scopes.test.ts',
      'bff/src/merchant/wallets.test.ts',
      'bff/src/merchant-routes.test.ts',
      'bff/src/access/http/client-address.test.ts',
      'bff/src/access/http/host-header.test.ts',
      'bff/src/access/callers/client-secret.test.ts',
      'bff/src/access/callers/slow-bodies.test.ts',
      'bff/src/access/limits/rate-limit.test.ts',
      'bff/src/agent/decisions.test.ts',
      'bff/src/app.test.ts',
      'bff/src/checkout/access-matrix.test.ts',
      'bff/src/checkout/pay-page/receipt/receipt.test.ts',
      'bff/src/dashboard/till/till.test.ts',
    ],
  },
}
