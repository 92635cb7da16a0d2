// What an owner may choose, a node and the shop's currency, and for whom a tab of the dashboard acts.

/** @type {import('./faults.mjs').Fault[]} */
export const choices = [
  {
    file: 'bff/src/ops/config/node-fault.ts',
    name: 'A node of another chain may be kept as one that does not respond',
    from: "if (code === 'rpc.silent') return 'silent'",
    to: "if (code.startsWith('rpc.')) return 'silent'",
    test: 'bff/src/ops/config/node-fault.test.ts',
    fails: 'a node of another chain is wrong',
  },
  {
    file: 'bff/src/chain/solana/rpc/diagnose-cluster.ts',
    name: 'A node that cannot say what is finalized is taken',
    from: "await ask(responses.slot, 'getSlot', [{ commitment: 'finalized' }])",
    to: '',
    test: 'bff/src/ops/config/node-fault.test.ts',
    fails: 'a node of Solana can be used when it also says what is finalized',
  },
  {
    file: 'bff/src/dashboard/account/settings.routes.ts',
    name: 'A shop counts in a currency without a rate',
    from: 'if (Object.values(rates).some((table) => currency in table)) return currency',
    to: 'if (Object.keys(rates).length > 0) return currency',
    test: 'bff/src/dashboard/account/currency.test.ts',
    fails: 'the shop’s currency cannot be GBP',
  },
  {
    file: 'bff/src/merchant/merchant-settings.ts',
    name: 'A shop counts in a currency that is none',
    from: 'if (isCurrency(code)) return code',
    to: 'if (code.length > 0) return code',
    test: 'bff/src/merchant/merchant-settings.test.ts',
    fails: 'a currency is a code of ISO 4217',
  },
  {
    file: 'bff/dashboard/api/session.ts',
    name: 'A tab of the dashboard keeps the name of one person and acts as another',
    from: 'if (current && data !== whoOf(current)) location.reload()',
    to: 'if (current && !whoOf(current).startsWith(String(data).slice(0, 3))) location.reload()',
    test: 'bff/dashboard/api/session.test.ts',
    fails: 'a tab reloads when another person signs in',
  },
  {
    file: 'bff/dashboard/api/mode.ts',
    name: 'A tab of the dashboard shows real payments and makes test links, because another tab chose them',
    from: 'isTestMode = (): boolean => isTestShown',
    to: "isTestMode = (): boolean => localStorage.getItem(key) === 'test'",
    test: 'bff/dashboard/api/mode.test.ts',
    fails: 'a tab keeps the mode that it shows',
  },
  {
    name: 'A repeat after a day creates a second payment beside the first, which is still open',
    file: 'bff/src/checkout/idempotency-store.ts',
    from: 'Math.max(nowMs + headerKeyMs, lastWindowEndOf(payment))',
    to: 'nowMs + headerKeyMs',
    test: 'bff/src/checkout/idempotency-rules.test.ts',
    fails:
      'under a header lives to the end of a window that is longer than a day, so that a repeat creates no second payment',
  },
  {
    name: 'A bound of gas with a least of a tenth of a dollar has one of a ten-millionth',
    file: 'bff/src/merchant/merchant-settings.ts',
    from: "return Number(whole + fraction.padEnd(microsDecimals, '0'))",
    to: 'return Number(whole + fraction)',
    test: 'bff/src/merchant/merchant-settings.test.ts',
    fails: 'a bound of gas is off, or a share of at most all with a least and a most, each exact to a millionth',
  },
  {
    name: 'A link of another amount answers with the first link when its create is repeated',
    file: 'bff/src/checkout/money-fields.ts',
    from: 'String(parseAmount(money.amount, linkDecimals))',
    to: "money.amount.split('.')[0]",
    test: 'bff/src/checkout/money-fields.test.ts',
    fails: 'a link’s terms are exact, and name what the customer chooses as any',
  },
]
