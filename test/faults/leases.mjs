// Where leases and the order of webhooks are decided.

/** @type {import('./faults.mjs').Fault[]} */
export const leases = [
  {
    name: 'A lease that is taken ends by the answer',
    file: 'bff/src/db/leases.ts',
    from: `const askedAtMs = performance.now()
        const epoch = await takeLease(tx, name, replica.id, isShared ? leaseMs : 0)`,
    to: `const epoch = await takeLease(tx, name, replica.id, isShared ? leaseMs : 0)
        const askedAtMs = performance.now()`,
    test: 'bff/src/db/lease-end.test.ts',
    fails: 'a lease ends by when it was asked for, also where the statement that takes it waits for others',
  },
  {
    name: "A webhook's signature leaves out its id",
    file: 'bff/src/webhook/outbox/sign.ts',
    from: 'update(`${id}.${sentAtSeconds}.${body}`)',
    to: 'update(`${sentAtSeconds}.${body}`)',
    test: 'bff/src/webhook/outbox/sign.test.ts',
    fails: 'the specification’s own example has the specification’s own signature',
  },
  {
    name: "A webhook's signature leaves out its time",
    file: 'bff/src/webhook/outbox/sign.ts',
    from: 'update(`${id}.${sentAtSeconds}.${body}`)',
    to: 'update(`${id}.${body}`)',
    test: 'bff/src/webhook/outbox/sign.test.ts',
    fails: 'the specification’s own example has the specification’s own signature',
  },
  {
    name: 'A rotated webhook secret goes on signing',
    file: 'bff/src/webhook/outbox/attempt.ts',
    from: 'previous !== null && (previousUntilMs ?? 0) > nowMs',
    to: 'previous !== null',
    test: 'bff/src/webhook/endpoints/endpoint.routes.test.ts',
    fails: 'a secret that is replaced signs beside the new one for a day',
  },
  {
    name: 'A webhook goes to an address that became private',
    file: 'bff/src/webhook/outbox/attempt.ts',
    from: 'if (fault !== undefined) return failed(',
    to: 'if (false) return failed(',
    test: 'bff/src/webhook/outbox/dispatcher.test.ts',
    fails: 'a URL on a private address is a failed try without a connection, when only public ones are allowed',
  },
  {
    name: 'Events of a payment are delivered out of order',
    file: 'bff/src/webhook/outbox/delivery-store.ts',
    from: "and earlier.event_number < head.event_number and earlier.state = 'due')",
    to: "and earlier.event_number > head.event_number and earlier.state = 'due')",
    test: 'bff/src/webhook/outbox/receiver-order.test.ts',
    fails: 'a receiver that fails holds up its own later events of the payment, and no other receiver’s',
  },
  {
    name: 'A receiver that is gone is asked for days',
    file: 'bff/src/webhook/outbox/delivery-retry.ts',
    from: "if (result.code === gone) return { state: 'failed' }",
    to: '',
    test: 'bff/src/webhook/outbox/delivery-retry.test.ts',
    fails: '410 ends it at once',
  },
  {
    name: 'A receiver delays a delivery for ever',
    file: 'bff/src/webhook/outbox/delivery-retry.ts',
    from: 'Math.min(asked, retryAfterMaxMs)',
    to: 'asked',
    test: 'bff/src/webhook/outbox/delivery-retry.test.ts',
    fails: 'Retry-After "86400" after the first try means 3600000 ms',
  },
  {
    name: "The socket's own address is not checked",
    file: 'bff/src/webhook/outbox/target.ts',
    from: 'if (isAllowed(address)) return callback(null, socket)',
    to: 'return callback(null, socket)',
    test: 'bff/src/webhook/outbox/target.test.ts',
    fails: 'an address that turns out private once connected gets not one byte',
  },
  {
    name: "Only the first address of a receiver's name is checked",
    file: 'bff/src/webhook/outbox/target.ts',
    from: 'const bad = addresses.find(({ address }) => !isAllowed(address))',
    to: 'const bad = addresses.slice(0, 1).find(({ address }) => !isAllowed(address))',
    test: 'bff/src/webhook/outbox/target.test.ts',
    fails: 'a name is refused when any one of its addresses is private',
  },
  {
    name: 'A private address without a name is posted to',
    file: 'bff/src/webhook/outbox/target.ts',
    from: 'if (isIP(host) > 0 && !isAllowed(host)) {',
    to: 'if (false) {',
    test: 'bff/src/webhook/outbox/target.test.ts',
    fails: 'the own machine, written as 127.0.0.1, is never connected to',
  },
  {
    name: 'One receiver holds up another',
    file: 'bff/src/webhook/outbox/delivery-store.ts',
    from: `where earlier.payment_id = head.payment_id and earlier.lane = head.lane
`,
    to: `where earlier.payment_id = head.payment_id
`,
    test: 'bff/src/webhook/outbox/receiver-order.test.ts',
    fails: 'a receiver that fails holds up its own later events of the payment, and no other receiver’s',
  },
  {
    name: 'One receiver holds up another behind the first',
    file: 'bff/src/webhook/outbox/delivery-store.ts',
    from: `where earlier.payment_id = next.payment_id and earlier.lane = next.lane
`,
    to: `where earlier.payment_id = next.payment_id
`,
    test: 'bff/src/webhook/outbox/receiver-order.test.ts',
    fails: 'behind the first of a receiver, too, a payment waits for its own events at that receiver alone',
  },
  {
    name: 'A lease of an older epoch is renewed',
    file: 'bff/src/db/lease-store.ts',
    from: `update leases set ends_at_ms = now_ms() + \${leaseMs}
       where name = \${name} and holder = \${holder} and epoch = \${epoch}\`)`,
    to: `update leases set ends_at_ms = now_ms() + \${leaseMs}
       where name = \${name} and holder = \${holder}\`)`,
    test: 'bff/src/db/lease-store.test.ts',
    fails: 'who has lost a lease renews and gives back nothing of whoever has it now',
  },
  {
    name: 'A worker of an older epoch writes',
    file: 'bff/src/db/lease-store.ts',
    from: 'select epoch from leases where name = ${name} and holder = ${holder} and epoch = ${epoch}`)',
    to: 'select epoch from leases where name = ${name} and holder = ${holder}`)',
    test: 'bff/src/db/lease-store.test.ts',
    fails: 'a lease has one holder until its end, and each taking has an epoch of its own',
  },
  {
    name: 'A lease is taken without a new epoch',
    file: 'bff/src/db/lease-store.ts',
    from: 'epoch = epoch + 1, ends_at_ms = now_ms() + ${leaseMs}',
    to: 'ends_at_ms = now_ms() + ${leaseMs}',
    test: 'bff/src/db/lease-store.test.ts',
    fails: 'a lease has one holder until its end, and each taking has an epoch of its own',
  },
  {
    name: 'A lease is taken from its holder',
    file: 'bff/src/db/lease-store.ts',
    from: 'where name = ${name} and (holder is null or holder = ${holder} or ends_at_ms <= now_ms())',
    to: 'where name = ${name}',
    test: 'bff/src/db/lease-store.test.ts',
    fails: 'a lease has one holder until its end, and each taking has an epoch of its own',
  },
  {
    name: 'Anybody gives a lease back',
    file: 'bff/src/db/lease-store.ts',
    from: `update leases set holder = null, ends_at_ms = now_ms()
       where name = \${name} and holder = \${holder} and epoch = \${epoch}\`)`,
    to: `update leases set holder = null, ends_at_ms = now_ms()
       where name = \${name}\`)`,
    test: 'bff/src/db/lease-store.test.ts',
    fails: 'who has lost a lease renews and gives back nothing of whoever has it now',
  },
  {
    name: 'A worker writes without its lease',
    file: 'bff/src/db/fenced.ts',
    from: 'if (!(await isLeaseHeld(tx, lease))) throw new LeaseLostError(lease.name)',
    to: '',
    test: 'bff/src/db/lease-store.test.ts',
    fails: 'a worker writes nothing once another has its lease, and learns it from the write',
  },
  {
    name: 'A holder works until the very end of its lease',
    file: 'bff/src/db/leases.ts',
    from: 'one.endsAtMs = askedAtMs + leaseMs - marginMs',
    to: 'one.endsAtMs = askedAtMs + leaseMs',
    test: 'bff/src/db/lease-end.test.ts',
    fails: 'a lease ends by when the database was asked for it, however late the answer comes',
  },
  {
    name: 'A process that was stopped goes on before its timers run',
    file: 'bff/src/db/leases.ts',
    from: 'isHeld: () => !lost.signal.aborted && performance.now() < one.endsAtMs,',
    to: 'isHeld: () => !lost.signal.aborted,',
    test: 'bff/src/db/lease-end.test.ts',
    fails: 'a lease ends by when the database was asked for it, however late the answer comes',
  },
]
