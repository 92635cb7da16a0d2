import type { Db, Heartbeats, Sql, Tx } from '@stablecoin-checkout/bff/testing/db'

/** A commit of the service at which it is to die or to stop, recognised by what the commit writes. A heartbeat is a commit too. */
export type Failpoint = {
  /** Parts of statements, of their values, or of the row that one returned; a commit that runs all of them is meant. */
  writes: readonly string[]
  /** Counted from 1; where that commit is run together with another one that is meant, the next commit after both. */
  nth: number
  /** `inside`: everything is written and nothing committed. `after`: it is committed, and nobody was notified. */
  at: 'inside' | 'after'
  /** SIGKILL where nothing is said. SIGSTOP stops the service there until the story sends SIGCONT. */
  signal?: 'SIGKILL' | 'SIGSTOP'
}

/** What is wrong with a service or its machine. */
export type Trouble = {
  /** Where it is to die or to stop by itself. */
  failpoint?: Failpoint | undefined
  /** How far its machine's clock is ahead. */
  aheadMs?: number | undefined
  /** Its leases end so long after their renewal, where a story has many takeovers to wait for. */
  leaseMs?: number | undefined
}

/** With the service's own relations to each other. */
export const leaseTimesOf = (leaseMs: number) => ({ beatMs: leaseMs / 6, leaseMs, marginMs: leaseMs / 6 })

const textOf = ({ strings, params }: Sql): string => `${strings.join('?')} -- ${params.join(' ')}`

function noting(tx: Tx, seen: string[]): Tx {
  return {
    run(statement) {
      seen.push(textOf(statement))
      return tx.run(statement)
    },
    write(statement) {
      seen.push(textOf(statement))
      tx.write(statement)
    },
    async get<Row>(statement: Sql) {
      const place = seen.push(textOf(statement)) - 1
      const row = await tx.get<Row>(statement)
      seen[place] += ` -> ${JSON.stringify(row)}`
      return row
    },
    all: (statement) => tx.all(statement),
    afterCommit: tx.afterCommit,
    notify: tx.notify,
  }
}

/** What only workers write. Of payouts that wait, an owner's request changes the time alone. */
const writesOfWorkers =
  /(insert into|update|delete from) (headers|outgoing_|attempts|unmatched_cursors|solana_accounts|split_accounts|split_cursors|late_scans|late_searches|network_states)|(update|delete from) bridge_polls|update (payouts(?! set (?:due_at_ms = case|waiting_since_ms = 0))|authorizations)/

/** @throws {Error} when the statements of a unit are a worker's, and the first of them did not read the lease. */
function verifyLease(statements: readonly string[]): void {
  const own = statements.find((text) => writesOfWorkers.test(text.split(' -- ', 1)[0] ?? ''))
  if (own !== undefined && !/^\s*select epoch from leases/.test(statements[0] ?? '')) {
    throw new Error(`A worker would write without its lease: ${own}`)
  }
}

/**
 * Counts the commits that are meant, and strikes at the right one. A unit that is run again counts once.
 * @param signal - Does to the service what the signal does.
 */
export function openStriker(failpoint: Failpoint | undefined, signal: (name: 'SIGKILL' | 'SIGSTOP') => void) {
  let commits = 0
  let hasStruck = false
  /** Once: a service that was stopped and goes on comes to the same commits again. */
  function strike(at: Failpoint): void {
    if (hasStruck) return
    hasStruck = true
    signal(at.signal ?? 'SIGKILL')
  }
  const isMeant = (statements: readonly string[]) =>
    failpoint?.writes.every((part) => statements.some((text) => text.includes(part))) ?? false
  return {
    /** Everything is written. */
    inside(statements: readonly string[]): void {
      if (failpoint?.at === 'inside' && isMeant(statements) && commits + 1 >= failpoint.nth) strike(failpoint)
    },
    /** It is committed. */
    after(statements: readonly string[]): void {
      if (!failpoint || !isMeant(statements)) return
      commits += 1
      if (failpoint.at === 'after' && commits >= failpoint.nth) strike(failpoint)
    },
  }
}

type Striker = ReturnType<typeof openStriker>

/** The service's database, which strikes. */
export function strikingDb(db: Db, striker: Striker): Db {
  return {
    ...db,
    async write(unit) {
      let seen: string[] = []
      const value = await db.write(async (tx) => {
        seen = []
        const result = await unit(noting(tx, seen))
        verifyLease(seen)
        striker.inside(seen)
        return result
      })
      striker.after(seen)
      return value
    },
  }
}

/** Each statement is a commit by itself. The row that it returns is known only after it. */
export function strikingHeartbeats<Beats extends Heartbeats>(heartbeats: Beats, striker: Striker): Beats {
  async function around<Value>(statement: Sql, act: () => Promise<Value>): Promise<Value> {
    striker.inside([textOf(statement)])
    const value = await act()
    striker.after([textOf(statement)])
    return value
  }
  return {
    ...heartbeats,
    run: (statement) => around(statement, () => heartbeats.run(statement)),
    get: <Row>(statement: Sql) => around(statement, () => heartbeats.get<Row>(statement)),
  }
}
