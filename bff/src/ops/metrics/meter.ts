import { Counter, Histogram, Registry } from 'prom-client'

/** Seconds. A request that waits for confirmations takes up to half a minute. */
const requestBuckets = [0.005, 0.025, 0.1, 0.5, 2.5, 10, 30]
/** Seconds. A commit waits for the disk: one millisecond on a fast disk. */
const commitBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5]
/** Seconds. A call to a node times out after ten. */
const rpcBuckets = [0.025, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** Counters of events. Each method is called in exactly one place. */
export type Meter = {
  readonly registry: Registry
  /** @param route - The path's template, so that ids create no additional series. */
  answered(request: { method: string; route: string; status: number; tookMs: number }): void
  /** @param units - Units of work in the commit. */
  committed(tookMs: number, units: number): void
  commitFailed(): void
  /** False from a failed commit until the next successful one. */
  canCommit(): boolean
  asked(call: { network: string; method: string; isAnswered: boolean; tookMs: number }): void
  passed(network: string, isWell: boolean): void
  /** End of a network watcher's last successful pass, in milliseconds of `performance.now()`. */
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
  const commits = histogram('db_commit_duration_seconds', 'Duration of a commit in seconds.', commitBuckets)
  const units = counter('db_units_total', 'Committed units of work.')
  const failures = counter('db_commit_failures_total', 'Failed commits, which stored nothing.')
  const callsHelp = 'Duration of a call to an RPC node in seconds. Outcome: answered or fault.'
  const calls = histogram('rpc_duration_seconds', callsHelp, rpcBuckets, 'network', 'method', 'outcome')
  const faults = counter('watcher_faults_total', 'Failed passes of a watcher.', 'network')
  const movesHelp = 'Payments that reached a status, counted each time.'
  const moves = counter('payments_moved_total', movesHelp, 'network', 'status', 'test')

  const passes = new Map<string, number>()
  /** Series of `requests`, because prom-client takes longer to look up a series than to count. */
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
