// The last moment, the last row and the first one too many.

/** @type {import('./faults.mjs').Fault[]} */
export const edges = [
  {
    name: 'A summary has a day more than a quarter of a year',
    file: 'bff/src/reports/summary.ts',
    from: 'toMs - fromMs >= daysMax * dayMs',
    to: 'toMs - fromMs > daysMax * dayMs',
    test: 'bff/src/reports/summary.test.ts',
    fails: 'a summary has a quarter of a year of days, and not one more',
  },
  {
    name: 'A summary ends in the afternoon of its last day',
    file: 'bff/src/reports/summary.ts',
    from: 'untilQuarter: Math.ceil((toMs + dayMs + zoneMaxMs) / quarterMs)',
    to: 'untilQuarter: Math.ceil((toMs + zoneMaxMs) / quarterMs)',
    test: 'bff/src/reports/summary.test.ts',
    fails: 'a summary has its first and its last day whole, and nothing of the days beside them',
  },
  {
    name: 'A summary begins with the day of UTC',
    file: 'bff/src/reports/summary.ts',
    from: 'fromQuarter: Math.floor((fromMs - zoneMaxMs) / quarterMs)',
    to: 'fromQuarter: Math.floor(fromMs / quarterMs)',
    test: 'bff/src/reports/summary.test.ts',
    fails: 'a summary of the days in Pacific/Kiritimati has what was created in them alone',
  },
  {
    name: 'The list of test policies shows what was spent in live mode',
    file: 'bff/src/agent/policies.ts',
    from: 'loadSpent(tx, { merchantId, isTest, agentId: policy.agentId }, nowMs)',
    to: 'loadSpent(tx, { merchantId, isTest: false, agentId: policy.agentId }, nowMs)',
    test: 'bff/src/agent/policy.routes.test.ts',
    fails: 'is listed with those of the other agents of its mode, page by page, to the server alone',
  },
  {
    name: 'An address with wrong keys of a shop is refused longer than it was told',
    file: 'bff/src/stores/wrong-keys.ts',
    from: 'found.untilMs <= runtime.nowMs()) refused',
    to: 'found.untilMs < runtime.nowMs()) refused',
    test: 'bff/src/stores/wrong-keys.test.ts',
    fails: 'an address is asked again at the very moment that its refusal named',
  },
  {
    name: 'A revoked key of a shop stays good behind a refused address',
    file: 'bff/src/stores/wrong-keys.ts',
    from: 'if (hash !== null) (await good.hashes).delete(hash)\n',
    to: '',
    test: 'bff/src/stores/wrong-keys.test.ts',
    fails: 'a key that was revoked is good no longer once it has failed, although the good ones are remembered',
  },
]
