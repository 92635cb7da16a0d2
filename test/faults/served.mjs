// Where a process starts, works by its leases, and deletes what has expired.

const folder = 'bff/src/ops/serve'
const workers = { file: `${folder}/workers.ts`, test: `${folder}/workers.test.ts` }
const accounts = { file: `${folder}/verify-accounts.ts`, test: `${folder}/verify-accounts.test.ts` }
const housekeeping = { file: `${folder}/housekeeping.ts`, test: `${folder}/housekeeping.test.ts` }
const start = { file: `${folder}/serve.ts`, test: `${folder}/serve-start.test.ts` }
const renewals = { file: 'bff/src/db/leases.ts', test: 'bff/src/db/lease-renewals.test.ts' }

/** @type {import('./faults.mjs').Fault[]} */
export const served = [
  {
    ...renewals,
    name: 'A lease is lost at its first end although it was renewed',
    from: '    clearTimeout(one.timer)\n    one.timer = setTimeout',
    to: '    one.timer = setTimeout',
    fails: 'each renewal replaces the end that was set before',
  },
  {
    ...renewals,
    name: 'The database’s clock is compared with the two times of this machine in the wrong order',
    from: 'onClock?.(databaseMs, fromMs, nowMs())',
    to: 'onClock?.(databaseMs, nowMs(), fromMs)',
    fails: 'the two times of this machine between which it was read, in their order',
  },
  {
    ...renewals,
    name: 'A lease that cannot be renewed is not logged',
    from: '    if (failures.length > 0) throw failures[0]\n',
    to: '',
    fails: 'a heartbeat that fails is logged, whichever of its statements fails',
  },
  {
    ...workers,
    name: 'The shared workers move payments after another replica has their lease',
    from: 'const ledger = deps.ledgerOn(db)',
    to: 'const ledger = deps.ledgerOn({ ...db })',
    fails: 'the second customer of a paid link is no longer asked for money',
  },
  {
    ...workers,
    name: 'Webhook events are deleted only where they are to be kept for ever',
    from: 'keepDays === null ? undefined',
    to: 'keepDays !== null ? undefined',
    fails: 'webhook events are deleted after the days that the configuration says',
  },
  {
    ...workers,
    name: 'A replica that another one has replaced watches and pays on',
    from: 'chain.run({ db: lease.db, ledger: ledgerOn(lease.db) }, lease.signal)',
    to: 'chain.run({ db: lease.db, ledger: ledgerOn(lease.db) }, signal)',
    fails: 'whoever loses the lease writes nothing more',
  },
  {
    ...workers,
    name: 'A network’s lease has the name that people read, under which nobody looks for it',
    from: 'await leases.whileHeld(network.shortName, work, signal)',
    to: 'await leases.whileHeld(network.name, work, signal)',
    fails: 'whoever loses the lease writes nothing more',
  },
  {
    ...workers,
    name: 'A network is watched before its stored state is loaded',
    from: '  await chain.resume()\n',
    to: '',
    fails: 'whoever loses the lease writes nothing more',
  },
  {
    ...workers,
    name: 'What another replica reported stands after this one has taken its lease',
    from: '    health.report(network, undefined)\n',
    to: '',
    fails: 'the replica that takes a network’s lease replaces what another one reported',
  },
  {
    ...workers,
    name: 'The replica that holds a network’s lease does not publish its state',
    from: 'isShared ? states.publish(network, lease) : undefined,',
    to: 'undefined,',
    fails: 'the replica that takes a network’s lease replaces what another one reported',
  },
  {
    ...workers,
    name: 'The first request is answered before the contracts are verified',
    from: '  await contractsVerified\n',
    to: '',
    fails: 'a start waits for the verification of the contracts too',
  },
  {
    ...accounts,
    name: 'No wallet is verified at the start while one network verifies none',
    from: 'if (![...chains.values()].some(',
    to: 'if (![...chains.values()].every(',
    fails: 'each wallet of a network that verifies wallets is verified',
  },
  {
    ...accounts,
    name: 'A wallet of a network that verifies none ends the verification',
    from: 'signal.aborted) continue',
    to: 'signal.aborted) return',
    fails: 'each wallet of a network that verifies wallets is verified',
  },
  {
    ...accounts,
    name: 'A wallet is verified with its address in place of its id',
    from: "verifyAccount({ source: source ?? '', address }",
    to: "verifyAccount({ source: address, address: source ?? '' }",
    fails: 'each wallet of a network that verifies wallets is verified',
  },
  {
    ...housekeeping,
    name: 'Counts of calls are kept for ever',
    from: 'deleteEndedCounts, deleteOld',
    to: 'deleteOld',
    fails: 'expired counts, keys and decisions are deleted, and no others',
  },
  {
    ...housekeeping,
    name: 'Idempotency keys are kept for ever',
    from: '[deleteExpiredKeys, ',
    to: '[',
    fails: 'expired counts, keys and decisions are deleted, and no others',
  },
  {
    ...housekeeping,
    name: 'Decisions about agents are kept for ever',
    from: ', deleteOldDecisions,',
    to: ',',
    fails: 'expired counts, keys and decisions are deleted, and no others',
  },
  {
    ...housekeeping,
    name: 'A table that grows by more than a thousand rows a minute grows for ever',
    from: 'if (deleted >= rowsMax) isBehind = true',
    to: 'if (deleted > rowsMax) isBehind = true',
    fails: 'a pass that deletes as many rows as it may is followed by the next at once',
  },
  {
    ...start,
    name: 'A process starts without the network of open payments',
    from: '    await refuseRemovedNetworks(db, networks)\n',
    to: '',
    fails: 'a process whose start is refused takes nothing over from the one that runs',
  },
  {
    ...start,
    name: 'A process that another one has replaced says that it is ready',
    from: '    isReplaced: leases.isReplaced,\n',
    to: '    isReplaced: () => false,\n',
    fails: 'a process whose start is refused takes nothing over from the one that runs',
  },
  {
    ...start,
    name: 'A process starts without the key that pays out open deposits',
    from: 'config.operator !== null)',
    to: 'config.operator === null)',
    fails: 'a start without the operator’s key is refused while it has a deposit to pay out',
  },
  {
    name: 'A service that init creates while the set-up page is open does not start',
    file: 'bff/src/ops/setup/serve-setup.ts',
    from: 'if (setup.hasCreated() || !existsSync(configuration)) return',
    to: 'if (setup.hasCreated() || existsSync(configuration)) return',
    test: 'bff/src/ops/setup/serve-setup.test.ts',
    fails: 'a service that `init` creates beside the page starts in its place, on its port',
  },
]
