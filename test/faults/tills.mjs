// Where the rights of tills are decided, and what their sales say.

/** @type {import('./faults.mjs').Fault[]} */
export const tills = [
  {
    name: 'A blocked till goes on comparing PINs',
    file: 'bff/src/dashboard/till/till-store.ts',
    from: 'and wrong_pins < ${wrongPinsMax} and removed_at_ms is null\n      returning wrong_pins',
    to: 'and wrong_pins < ${wrongPinsMax + 1} and removed_at_ms is null\n      returning wrong_pins',
    test: 'bff/src/dashboard/till/till.test.ts',
    fails: 'the PIN blocks the till after five wrong ones, the right one too, until an owner unblocks it',
  },
  {
    name: 'A link pairs two devices',
    file: 'bff/src/dashboard/till/till-store.ts',
    from: 'set pairing_sha256 = null, pairing_ends_at_ms = null, device_sha256',
    to: 'set device_sha256',
    test: 'bff/src/dashboard/till/till.test.ts',
    fails: 'the link that pairs a device is good once',
  },
  {
    name: 'A till sells without its PIN',
    file: 'bff/src/dashboard/till/till-sessions.ts',
    from: 'if (!isOpen(till)) throw tillLocked()',
    to: '',
    test: 'bff/src/dashboard/till/till.test.ts',
    fails: 'the PIN opens the till, until nobody has used it for ten minutes',
  },
  {
    name: 'A till obeys the page of another site',
    file: 'bff/src/dashboard/till/till-sessions.ts',
    from: 'verifySameOrigin(c, page)',
    to: '',
    test: 'bff/src/dashboard/till/till.test.ts',
    fails: 'a till obeys no request of another site',
  },
  {
    name: 'A till sees the sales of another till',
    file: 'bff/src/dashboard/till/sale-store.ts',
    from: 'where s.till_id = ${tillId} and s.link_id = ${id}',
    to: "where s.till_id <> ${''} and s.link_id = ${id}",
    test: 'bff/src/dashboard/till/till.test.ts',
    fails: 'a till sees and cancels its own sales alone',
  },
  {
    name: 'A till shows paid what is not confirmed',
    file: 'bff/src/dashboard/till/sales.ts',
    from: "? 'partial' : 'detected'",
    to: "? 'partial' : 'paid'",
    test: 'bff/src/dashboard/till/sales.test.ts',
    fails: 'a sale is paid by its link, and says so only when the service has confirmed it',
  },
  {
    name: 'A cancel at the till ends a payment that is half paid',
    file: 'bff/src/dashboard/till/sales.ts',
    from: 'const customer = { caller: null, hasClientSecret: true }',
    to: 'const customer = { caller, hasClientSecret: true }',
    test: 'bff/src/dashboard/till/sales.test.ts',
    fails: 'a sale that is half paid says what remains, is not cancelled, and is paid by the rest',
  },
  {
    name: 'A public key reads the order of a receipt',
    file: 'bff/src/checkout/pay-page/receipt/receipt.routes.ts',
    from: "if (!hasClientSecret && caller?.kind !== 'api') throw clientSecretRequired()",
    to: '',
    test: 'bff/src/checkout/pay-page/receipt/receipt.test.ts',
    fails: 'the receipt of a paid payment shows a stranger who knows the id no more than the public view',
  },
]
