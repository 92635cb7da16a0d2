import type { Db, Heartbeats, Sql, Tx } from '@stablecoin-checkout/bff/testing/db'

/** A commit at which the service dies or stops, identified by what it writes. A heartbeat is a commit too. */
export type Failpoint = {
  /** Parts of statements, of their values, or of a returned row; matches commits that contain all of them. */
  writes: readonly string[]
  /** Counted from 1; if that commit runs together with another matching one, the next commit after both. */
  nth: number
  /** `inside`: everything is written and nothing committed. `after`: committed, with nobody notified. */
  at: 'inside' | 'after'
  /** Default: SIGKILL. SIGSTOP stops the service until the story sends SIGCONT. */
  signal?: 'SIGKILL' | 'SIGSTOP'
}

/** Faults of a service or its machine. */
export type Trouble = {
  /** Where it dies or stops by itself. */
  failpoint?: Failpoint | undefined
  /** How far its machine's clock is ahead. */
  aheadMs?: number | undefined
  /** Duration of its leases, for stories that wait for many takeovers. */
  leaseMs?: number | undefined
}

/** Proportions as in the service. */
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

/** Statements that only workers write. For queued payouts, an owner's request changes only the time. */
const writesOfWorkers =
  /(insert into|update|delete from) (headers|outgoing_|attempts|unmatched_cursors|solana_accounts|split_accounts|split_cursors|late_scans|late_searches|network_states)|(update|delete from) bridge_polls|update (payouts(?! set (?:due_at_ms = case|waiting_since_ms = 0))|authorizations)/

/** @throws {Error} if a transaction's statements are a worker's, and the first one did not read the lease. */
function verifyLease(statements: readonly string[]): void {
  const own = statements.find((text) => writesOfWorkers.test(text.split(' -- ', 1)[0] ?? ''))
  if (own !== undefined && !/^\s*select epoch from leases/.test(statements[0] ?? '')) {
    throw new Error(`A worker would write without its lease: ${own}`)
  }
}

/**
 * Counts the matching commits, and strikes at the right one. A repeated transaction counts once.
 * @param signal - Does to the service what the signal does.
 */
export function openStriker(failpoint: Failpoint | undefined, signal: (name: 'SIGKILL' | 'SIGSTOP') => void) {
  let commits = 0
  let hasStruck = false
  /** Strikes once: a stopped service that continues reaches the same commits again. */
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

/** Each statement is its own commit. The row that it returns is known only afterwards. */
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
