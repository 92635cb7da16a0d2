// How many messages a channel gets, and which of them are one.

/** @type {import('./faults.mjs').Fault[]} */
export const shopNotices = [
  {
    name: 'Two old notices are a summary',
    file: 'bff/src/notice/outbox/plan-messages.ts',
    from: 'rest.length > singlesMax && rest.some(isOld)',
    to: 'rest.some(isOld)',
    test: 'bff/src/notice/outbox/plan-messages.test.ts',
    fails: 'three that have waited for ten minutes',
  },
  {
    name: 'All notices must be old to be a summary',
    file: 'bff/src/notice/outbox/plan-messages.ts',
    from: 'rest.some(isOld)',
    to: 'rest.every(isOld)',
    test: 'bff/src/notice/outbox/plan-messages.test.ts',
    fails: 'one old notice makes all of four a summary',
  },
  {
    name: 'Notices that failed count as held',
    file: 'bff/src/notice/outbox/plan-messages.ts',
    from: 'attempts === 0 && nowMs',
    to: 'nowMs',
    test: 'bff/src/notice/outbox/plan-messages.test.ts',
    fails: 'four that waited because they failed',
  },
  {
    name: 'Twenty notices at once are a summary',
    file: 'bff/src/notice/outbox/plan-messages.ts',
    from: 'rest.length > hourlyMax - recent.messages',
    to: 'rest.length >= hourlyMax - recent.messages',
    test: 'bff/src/notice/outbox/plan-messages.test.ts',
    fails: 'notices are sent as',
  },
  {
    name: 'Messages of the hour before a flood are not counted',
    file: 'bff/src/notice/outbox/plan-messages.ts',
    from: 'rest.length > hourlyMax - recent.messages',
    to: 'rest.length > hourlyMax',
    test: 'bff/src/notice/outbox/plan-messages.test.ts',
    fails: 'notices are sent as',
  },
  {
    name: 'A channel gets a twenty-first message in the hour',
    file: 'bff/src/notice/outbox/plan-messages.ts',
    from: 'recent.messages >= hourlyMax',
    to: 'recent.messages > hourlyMax',
    test: 'bff/src/notice/outbox/plan-messages.test.ts',
    fails: 'after the twentieth',
  },
  {
    name: 'After a summary, the rest is held from the first message',
    file: 'bff/src/notice/outbox/plan-messages.ts',
    from: 'recent.summaryAtMs ?? recent.firstAtMs ?? nowMs',
    to: 'recent.firstAtMs ?? nowMs',
    test: 'bff/src/notice/outbox/plan-messages.test.ts',
    fails: 'after a summary',
  },
  {
    name: 'Trouble waits with the rest',
    file: 'bff/src/notice/outbox/plan-messages.ts',
    from: "kind === 'trouble' || kind === 'test'",
    to: "kind === 'test'",
    test: 'bff/src/notice/outbox/plan-messages.test.ts',
    fails: 'trouble and tests are sent one by one',
  },
]
