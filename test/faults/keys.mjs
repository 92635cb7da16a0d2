// Where it is decided what a key, an address or the holder of a link may do.

/** @type {import('./faults.mjs').Fault[]} */
export const keys = [
  {
    name: 'A wrong API secret is taken',
    file: 'bff/src/http/authenticate.ts',
    from: "if (!isEqual || credential?.kind !== 'api') throw",
    to: "if (credential?.kind !== 'api') throw",
    test: 'bff/src/merchant/keys.test.ts',
    fails: 'a key that was rotated is good until its time is over, and the new one at once',
  },
  {
    name: 'A revoked key goes on for a minute',
    file: 'bff/src/http/authenticate.ts',
    from: 'nowMs < cached.readAtMs + cacheMs',
    to: 'nowMs < cached.readAtMs + 60 * cacheMs',
    test: 'bff/src/merchant/keys.test.ts',
    fails: 'a key that was rotated is good until its time is over, and the new one at once',
  },
  {
    name: 'A public key is taken from every page',
    file: 'bff/src/http/authenticate.ts',
    from: `    verifyOrigin(credential, c.req.header('origin'))
`,
    to: '',
    test: 'bff/src/merchant/key-origins.test.ts',
    fails: 'a public key is accepted from the listed origins alone, and a page may read why',
  },
  {
    name: "A merchant revokes another's key",
    file: 'bff/src/merchant/keys.ts',
    from: 'if (!known || (of !== undefined && known.merchantId !== of)) {',
    to: 'if (!known) {',
    test: 'bff/src/dashboard/account/settings.test.ts',
    fails: 'a key of another merchant is unknown',
  },
  {
    name: 'A made-up credential escapes the limit',
    file: 'bff/src/http/limits/rate-limit.ts',
    from: "if (c.get('caller') === undefined) await open(c)",
    to: '',
    test: 'bff/src/http/limits/rate-limit.test.ts',
    fails: 'too many calls are counted as without a key, whatever came along: a made-up cookie at /api/v1/nothing',
  },
  {
    name: "A stranger uses up an agent's calls",
    file: 'bff/src/http/limits/rate-limit.ts',
    from: 'await agentCalls(`${caller.id} ${agentId}`)',
    to: 'await agentCalls(`${agentId}`)',
    test: 'bff/src/http/limits/rate-limit.test.ts',
    fails: "too many creates of one agent are counted by key: a public key does not use up the server's",
  },
  {
    name: 'Wrong credentials are not limited',
    file: 'bff/src/http/limits/rate-limit.ts',
    from: 'failed: (c) => failures(addressOf(c)),',
    to: 'failed: async () => {},',
    test: 'bff/src/http/limits/rate-limit.test.ts',
    fails: 'too many wrong credentials slow their address down, and lock nobody else behind it out',
  },
  {
    name: 'A test key reads live payments',
    file: 'bff/src/checkout/access.ts',
    from: 'if (payment.isTest === caller.isTest) return true',
    to: 'return true',
    test: 'bff/src/checkout/access-matrix.test.ts',
    fails: 'every route by every kind of key get /payments/{paymentId}',
  },
]
