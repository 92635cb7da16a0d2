/** A pending timer. */
type Waiting = { waitMs: number; run: () => void }

/** Records the element's timers: tests wait by the page's own timers, so that every recorded one is the element's. */
export class RecordedTimers {
  private readonly before = { setTimeout: window.setTimeout, clearTimeout: window.clearTimeout }
  private readonly waiting = new Map<number, Waiting>()

  /** Number of timers set. */
  count = 0

  constructor() {
    const start = this.before.setTimeout.bind(window) as unknown as (run: () => void, waitMs: number) => number
    const end = this.before.clearTimeout.bind(window) as (timer: number) => void
    const set = (run: () => void, waitMs = 0): number => {
      this.count++
      const fire = () => {
        this.waiting.delete(timer)
        run()
      }
      const timer = start(fire, waitMs)
      const runNow = () => {
        end(timer)
        fire()
      }
      this.waiting.set(timer, { waitMs, run: runNow })
      return timer
    }
    const clear = (timer: number): void => {
      this.waiting.delete(timer)
      end(timer)
    }
    Object.assign(window, { setTimeout: set, clearTimeout: clear })
  }

  /** In milliseconds, in the order they were set. */
  get waitsMs(): number[] {
    return [...this.waiting.values()].map(({ waitMs }) => waitMs)
  }

  /** Runs the timer with this wait now. */
  run(waitMs: number): void {
    const found = [...this.waiting.values()].find((one) => one.waitMs === waitMs)
    if (!found) throw new Error(`No timer of ${waitMs} ms, only ${this.waitsMs}`)
    found.run()
  }

  restore(): void {
    Object.assign(window, this.before)
  }
}
