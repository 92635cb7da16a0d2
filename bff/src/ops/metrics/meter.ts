import { Counter, Histogram, Registry } from 'prom-client'

/** Seconds. A request that waits for confirmations takes up to half a minute. */
const requestBuckets = [0.005, 0.025, 0.1, 0.5, 2.5, 10, 30]
/** Seconds. A commit waits for the disk: one millisecond on a fast one. */
const commitBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5]
/** Seconds. A call to a node is given up after ten. */
const rpcBuckets = [0.025, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** Counts what happens. Each method is called at the one place where the thing happens. */
export type Meter = {
  readonly registry: Registry
  /** @param route - The path's template, so that ids make no series of their own. */
  answered(request: { method: string; route: string; status: number; tookMs: number }): void
  /** @param units - Units of work that shared the commit. */
  committed(tookMs: number, units: number): void
  commitFailed(): void
  /** False from a failed commit until the next that succeeds. */
  canCommit(): boolean
  asked(call: { network: string; method: string; isAnswered: boolean; tookMs: number }): void
  passed(network: string, isWell: boolean): void
  /** When the last good pass of a network's watcher ended, in the milliseconds of `performance.now()`. */
  lastPassMs(network: string): number | undefined
  moved(payment: { network: string; isTest: boolean }, status: string): void
}

export function createMeter(): Meter {
  const registry = new Registry()
  const registers = [registry]
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter<Label>({ name: `checkout_${name}`, help, labelNames, registers })
  const histogram = <Label extends string>(name: string, help: string, buckets: number[], ...labelNames: Label[]) =>
    new Histogram<Label>({ name: `checkout_${name}`, help, buckets, labelNames, registers })

  const requests = histogram(
    'http_request_duration_seconds',
    'Seconds from a request to its response.',
    requestBuckets,
    'method',
    'route',
    'status',
  )
  const commits = histogram('db_commit_duration_seconds', 'Seconds that a commit took.', commitBuckets)
  const units = counter('db_units_total', 'Units of work that were committed.')
  const failures = counter('db_commit_failures_total', 'Commits that failed, of which nothing is stored.')
  const callsHelp = 'Seconds that a call to an RPC node took. Outcome: answered or fault.'
  const calls = histogram('rpc_duration_seconds', callsHelp, rpcBuckets, 'network', 'method', 'outcome')
  const faults = counter('watcher_faults_total', 'Passes of a watcher that failed.', 'network')
  const movesHelp = 'Payments that reached a status, counted each time.'
  const moves = counter('payments_moved_total', movesHelp, 'network', 'status', 'test')

  const passes = new Map<string, number>()
  /** Series of `requests`, because prom-client takes longer to find a series than to count in it. */
  const known = new Map<string, ReturnType<typeof requests.labels>>()
  let hasFailed = false
  return {
    registry,
    answered({ method, route, status, tookMs }) {
      const key = `${method} ${route} ${status}`
      const series = known.get(key) ?? requests.labels(method, route, String(status))
      known.set(key, series)
      series.observe(tookMs / 1000)
    },
    committed(tookMs, count) {
      hasFailed = false
      commits.observe(tookMs / 1000)
      units.inc(count)
    },
    commitFailed() {
      hasFailed = true
      failures.inc()
    },
    canCommit: () => !hasFailed,
    asked({ network, method, isAnswered, tookMs }) {
      calls.labels(network, method, isAnswered ? 'answered' : 'fault').observe(tookMs / 1000)
    },
    passed(network, isWell) {
      if (isWell) passes.set(network, performance.now())
      else faults.inc({ network })
    },
    lastPassMs: (network) => passes.get(network),
    moved: ({ network, isTest }, status) => moves.inc({ network, status, test: isTest ? '1' : '0' }),
  }
}
