import { Counter, Histogram, Registry } from 'prom-client'

/** Seconds. A request that waits for confirmations takes up to half a minute. */
const requestBuckets = [0.005, 0.025, 0.1, 0.5, 2.5, 10, 30]
/** Seconds. A commit waits for the disk: one millisecond on a good one. */
const commitBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5]
/** Seconds. A node has ten. */
const rpcBuckets = [0.025, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** What happens, as it happens. Each method is told once by the place where it happens. */
export type Meter = {
  readonly registry: Registry
  /** @param route - The path's template, so that ids make no series of their own. */
  answered(request: { method: string; route: string; status: number; tookMs: number }): void
  /** @param units - That shared the commit. */
  committed(tookMs: number, units: number): void
  commitFailed(): void
  /** False from a commit that failed until one succeeds. */
  canCommit(): boolean
  asked(call: { network: string; method: string; isAnswered: boolean; tookMs: number }): void
  passed(network: string, isWell: boolean): void
  /** Of a network's watcher: when a pass last ended well, in the milliseconds of `performance.now()`. */
  lastPassMs(network: string): number | undefined
  moved(payment: { network: string; isTest: boolean }, status: string): void
}

export function createMeter(): Meter {
  const registry = new Registry()
  const registers = [registry]
  const requests = new Histogram({
    name: 'checkout_http_request_duration_seconds',
    help: 'Requests by route, and how long their answers took.',
    labelNames: ['method', 'route', 'status'],
    buckets: requestBuckets,
    registers,
  })
  const commits = new Histogram({
    name: 'checkout_db_commit_duration_seconds',
    help: 'Commits, from the first unit of work to the disk.',
    buckets: commitBuckets,
    registers,
  })
  const units = new Counter({ name: 'checkout_db_units_total', help: 'Units of work that were committed.', registers })
  const failures = new Counter({
    name: 'checkout_db_commit_failures_total',
    help: 'Commits that failed: nothing of them is stored.',
    registers,
  })
  const calls = new Histogram({
    name: 'checkout_rpc_duration_seconds',
    help: 'Calls to the nodes of a network; outcome is answered, or fault.',
    labelNames: ['network', 'method', 'outcome'],
    buckets: rpcBuckets,
    registers,
  })
  const faults = new Counter({
    name: 'checkout_watcher_faults_total',
    help: 'Passes of a watcher that failed.',
    labelNames: ['network'],
    registers,
  })
  const moves = new Counter({
    name: 'checkout_payments_moved_total',
    help: 'Payments that came to a status, counted each time.',
    labelNames: ['network', 'status', 'test'],
    registers,
  })
  const passes = new Map<string, number>()
  /** Finding a series by its labels costs more than counting in it, and requests are many. */
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
