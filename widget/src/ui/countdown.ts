import type { ReactiveController, ReactiveControllerHost } from 'lit'

const secondMs = 1000

/** Minutes left at which a screen reader is told; 0 is the end. The ticking itself stays silent. */
const spokenMinutes = [5, 1, 0]

/** Counts down on the page's monotonic clock, so that a wrong or changed clock of the customer does not matter. */
export class Countdown implements ReactiveController {
  private readonly host: ReactiveControllerHost
  private readonly onMark: (minutesLeft: number) => void
  private endsAtMs: number | null = null
  private timer: ReturnType<typeof setTimeout> | undefined
  private leftBefore = Number.POSITIVE_INFINITY

  constructor(host: ReactiveControllerHost, onMark: (minutesLeft: number) => void) {
    this.host = host
    this.onMark = onMark
    host.addController(this)
  }

  get leftMs(): number {
    return this.endsAtMs === null ? 0 : Math.max(0, this.endsAtMs - performance.now())
  }

  hostConnected(): void {
    this.tick()
  }

  hostDisconnected(): void {
    clearTimeout(this.timer)
  }

  /** Counts to another end; null stops. */
  aim(endsAtMs: number | null): void {
    if (endsAtMs === this.endsAtMs) return
    this.endsAtMs = endsAtMs
    this.leftBefore = Number.POSITIVE_INFINITY
    this.tick()
  }

  private readonly tick = (): void => {
    clearTimeout(this.timer)
    if (this.endsAtMs === null) return
    const { leftMs } = this
    const mark = spokenMinutes.find((minutes) => leftMs <= minutes * 60 * secondMs && this.leftBefore > minutes * 60 * secondMs)
    const isFirst = this.leftBefore === Number.POSITIVE_INFINITY
    this.leftBefore = leftMs
    // What is already past when the countdown begins is on the screen; only the end is news then.
    if (mark !== undefined && (!isFirst || leftMs === 0)) this.onMark(mark)
    this.host.requestUpdate()
    // Wakes just after the shown second changes.
    if (leftMs > 0) this.timer = setTimeout(this.tick, (leftMs % secondMs) + 1)
  }
}

/** `14:59`, hours only when there are some. Rounded up, so that 0:00 means over. */
export function formatLeft(leftMs: number): string {
  const seconds = Math.ceil(leftMs / secondMs)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)]
  const clock = `${minutes}:${String(seconds % 60).padStart(2, '0')}`
  return hours > 0 ? `${hours}:${clock.padStart(5, '0')}` : clock
}
