// What the operator is shown of networks, gas, rates and addresses, and what is rounded or passed by.

const health = 'bff/src/network/network-health.test.ts'
const shared = 'bff/src/network/shared-states.test.ts'

/** @type {import('./faults.mjs').Fault[]} */
export const states = [
  {
    name: 'Dollars of a budget are rounded down',
    file: 'bff/src/core/money.ts',
    from: '(amount * units + scale - 1n) / scale',
    to: '(amount * units) / scale',
    test: 'bff/src/core/money.test.ts',
    fails: 'times a factor are the least number that is not below the product',
  },
  {
    name: 'What must stay in an account of Solana counts as gas for fifty transactions',
    file: 'bff/src/network/gas-balances.ts',
    from: 'balanceWei - minimumWei < (neededWei - minimumWei) * lowTransactions',
    to: 'balanceWei < neededWei * lowTransactions',
    test: 'bff/src/network/gas-balances.test.ts',
    fails: 'what must stay in the account is counted once, and not for each transaction',
  },
  {
    name: 'A node that is back after a night is noticed after the next one',
    file: 'bff/src/network/network-health.ts',
    from: 'pauseMs = Math.min(pauses.unreachableMax, pauseMs * 2)',
    to: 'pauseMs = pauseMs * 2',
    test: health,
    fails: 'the pauses while no node answers grow up to a bound',
  },
  {
    name: 'A state that could not be stored counts as stored',
    file: 'bff/src/network/shared-states.ts',
    from: `            if (text !== published) await lease.db.write((tx) => saveNetworkState(tx, network.shortName, state))
            published = text`,
    to: `            const isNew = text !== published
            published = text
            if (isNew) await lease.db.write((tx) => saveNetworkState(tx, network.shortName, state))`,
    test: shared,
    fails: 'a state that could not be written is written again, though nothing has changed since',
  },
  {
    name: 'Nodes are shown as a replica saw them that is gone',
    file: 'bff/src/network/node-state-store.ts',
    from: 'where r.seen_at_ms > now_ms() - ${seenWithinMs}',
    to: 'where r.seen_at_ms > ${seenWithinMs}',
    test: shared,
    fails: 'a replica writes how its nodes are whenever that changes, in place of what it wrote before',
  },
  {
    name: 'Doctor warns of gaps where no wallet searches',
    file: 'bff/src/ops/doctor/examine-addresses.ts',
    from: "kindOf(at) === 'xpub' && isSourceOn",
    to: 'isSourceOn',
    test: 'bff/src/ops/doctor/examine-addresses.test.ts',
    fails: 'a wallet of virtual addresses searches nothing, so no number of unpaid ones is a warning',
  },
  {
    name: 'Doctor calls rates good that a token is missing from',
    file: 'bff/src/ops/doctor/examine-rates.ts',
    from: `      ...others.map(({ symbol }) => symbol),
`,
    to: '',
    test: 'bff/src/ops/doctor/examine-rates.test.ts',
    fails: 'a token of another currency that has no rate is a warning that names it',
  },
  {
    name: 'A flood of sandbox events ends all notices',
    file: 'bff/src/notice/outbox/event-notices.ts',
    from: 'const last = events.at(-1)',
    to: 'const last = events.findLast(({ isTest }) => !isTest)',
    test: 'bff/src/notice/outbox/event-notices.test.ts',
    fails: 'a payment is reported however many events of the sandbox came before it',
  },
  {
    name: 'A network is brought in after the stop',
    file: 'bff/src/network/network-health.ts',
    from: 'if (!fault) return !signal.aborted',
    to: 'if (!fault) return true',
    test: 'bff/src/network/network-health.test.ts',
    fails: 'a verification that ends after the stop brings nothing in',
  },
  {
    name: 'What the operator must repair is looked at all the time',
    file: 'bff/src/network/network-health.ts',
    from: "fault.kind === 'unreachable' ? pauseMs : pauses.wrong",
    to: 'pauseMs',
    test: 'bff/src/network/network-health.test.ts',
    fails: 'what the operator must repair is looked at in pauses of its own',
  },
  {
    name: 'Replicas show how much gas must stay as it was first read',
    file: 'bff/src/network/network-state-store.ts',
    from: 'gas_minimum = excluded.gas_minimum,\n             gas_read_at_ms',
    to: 'gas_read_at_ms',
    test: 'bff/src/network/shared-states.test.ts',
    fails: 'a replica shows head, fault and gas of a network that another works for',
  },
  {
    name: 'A token is found in capitals alone',
    file: 'bff/src/network/supported-token.ts',
    from: 'symbol === currency.toUpperCase()',
    to: 'symbol.toUpperCase() === currency',
    test: 'bff/src/network/supported-token.test.ts',
    fails: 'a token is found by its symbol in any case',
  },
  {
    name: 'A simulated payment is never completed whose refund a reorg left it short of',
    file: 'bff/src/checkout/sandbox/simulate.ts',
    from: 'excess(payment.due, seenOfDue(payment))',
    to: 'excess(payment.due, payment.seen)',
    test: 'bff/src/checkout/sandbox/simulate.test.ts',
    fails: 'a payment that a refund and a reorg left underpaid is completed by what is left to pay',
  },
]
