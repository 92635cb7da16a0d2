// What a stranger may fill up, and what one leaves to others: the disk, the nodes, a list, a spreadsheet.

/** @type {import('./faults.mjs').Fault[]} */
export const quotas = [
  {
    name: 'An address creates payments without end, day by day',
    file: 'bff/src/access/limits/rate-limit.ts',
    from: 'if (network === address) return await dayCreates(name)',
    to: 'if (network === address) return',
    test: 'bff/src/access/limits/rate-limit.test.ts',
    fails: 'have a bound of the day too',
  },
  {
    name: 'An IPv6 network creates payments without end, day by day',
    file: 'bff/src/access/limits/rate-limit.ts',
    from: 'await networkDayCreates(`${caller.id} ${network}`)',
    to: '',
    test: 'bff/src/access/limits/rate-limit.test.ts',
    fails: 'have a bound of the day too',
  },
  {
    name: 'A stranger with a payment’s id asks the nodes of Solana without end',
    file: 'bff/src/checkout/contract/solana-pay.routes.ts',
    from: 'if (!shares.take({ client, merchantId: found.merchantId })) throw',
    to: 'if (!shares.take({ client, merchantId: found.merchantId }) && found.isTest) throw',
    test: 'bff/src/checkout/contract/solana-pay.test.ts',
    fails: 'bounded by minute for an address and a merchant',
  },
  {
    name: 'Refused calls of a public key push out those of the server from the list',
    file: 'bff/src/access/http/api-error-store.ts',
    from: 'const ofKind = sql`merchant_id = ${merchantId} and is_public = ${isPublic ? 1 : 0}`',
    to: 'const ofKind = sql`merchant_id = ${merchantId} and is_public <> ${isPublic ? 2 : 3}`',
    test: 'bff/src/access/http/api-errors.test.ts',
    fails: 'push out at most half of those of the shop’s server',
  },
  {
    name: 'Refused calls of a public key push out those of the server before they are written',
    file: 'bff/src/access/http/api-errors.ts',
    from: 'errors.filter((error) => error.isPublic === isPublic)',
    to: '[...errors]',
    test: 'bff/src/access/http/api-errors.test.ts',
    fails: 'push out at most half of those of the shop’s server',
  },
  {
    name: 'A spreadsheet that splits lines at semicolons runs an order id of the export',
    file: 'bff/src/ops/export/export-csv.ts',
    from: 'text.replaceAll(innerFormula, "$1\'")',
    to: 'text',
    test: 'bff/src/ops/export/export-csv.test.ts',
    fails: 'splits lines at semicolons',
  },
  {
    name: 'A spreadsheet that splits lines at semicolons runs an order id of the dashboard’s export',
    file: 'bff/dashboard/ui/csv.ts',
    from: '(^|[;\\t\\r\\n])(?=',
    to: '(^)(?=',
    test: 'bff/dashboard/ui/payment-export.test.ts',
    fails: 'splits lines at semicolons',
  },
  {
    name: 'A payment whose order id nobody can see has a link without a name in the dashboard',
    file: 'bff/dashboard/ui/shown-order.ts',
    from: 'visible.test(shown) ? shown : null',
    to: 'shown.length > 0 ? shown : null',
    test: 'bff/dashboard/ui/shown-order.test.ts',
    fails: 'counts as none, so that its link has a name',
  },
]
