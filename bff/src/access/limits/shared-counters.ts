import { RateLimiterMemory, RateLimiterPostgres, RLWrapperTimeouts } from 'rate-limiter-flexible'
import { openCountersPool } from '../../db/postgres/counters-pool.ts'
import type { MakeCounter } from './rate-limit.ts'

/**
 * How long a request waits for its count. After that, or when the database is down, the replica counts in
 * memory up to the same limit: an outage neither refuses everybody nor lifts the limits, which are then per
 * replica.
 */
const defaultPatienceMs = 250

/** Counts that may wait for a connection. */
const waitingMax = 1_000

type Options = {
  /** The database's time in Unix milliseconds, as this replica knows it: the replicas' own clocks differ. */
  nowMs: () => number
  /** The stored form of a name. */
  digest: (name: string) => string
  patienceMs?: number
}

/**
 * Counters in PostgreSQL that all replicas share. Each counted call costs one statement on one row. Names that have reached their limit
 * cost none: they are refused from memory until their window ends.
 */
export function openSharedCounters(url: string, { nowMs, digest, patienceMs = defaultPatienceMs }: Options) {
  const pool = openCountersPool(url, patienceMs)

  /** Converts times, because the library uses this machine's clock and the table the database's. */
  async function query(statement: { name: string; text: string; values: [string, number, number, number] }) {
    if (pool.waitingCount >= waitingMax) throw new Error(`${waitingMax} counts are waiting.`)
    const aheadMs = nowMs() - Date.now()
    const [key, points, expire, now] = statement.values
    const { rows } = await pool.query<{ points: number; expire: number }>({
      ...statement,
      values: [key, points, expire + aheadMs, now + aheadMs],
    })
    return { rows: rows.map((row) => ({ ...row, expire: row.expire - aheadMs })) }
  }

  const makeCounter: MakeCounter = ({ keyPrefix, points, duration }) => {
    const shared = new RateLimiterPostgres({
      storeClient: { query },
      storeType: 'client',
      tableName: 'rate_limits',
      tableCreated: true,
      // Ended windows are deleted with other rows that nobody needs (`ops/serve/housekeeping.ts`).
      clearExpiredByTimeout: false,
      keyPrefix,
      points,
      duration,
      inMemoryBlockOnConsumed: points,
    })
    const insuranceLimiter = new RateLimiterMemory({ keyPrefix, points, duration })
    const counter = new RLWrapperTimeouts({ limiter: shared, timeoutMs: patienceMs, insuranceLimiter })
    return { consume: (name) => counter.consume(digest(`${keyPrefix} ${name}`)) }
  }
  return { makeCounter, close: () => pool.end() }
}
