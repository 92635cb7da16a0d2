import type { ReactiveController, ReactiveControllerHost } from 'lit'

const secondMs = 1000

/** Counts down on the page's monotonic clock, so that a wrong or changed system clock does not matter. */
export class Countdown implements ReactiveController {
  private readonly host: ReactiveControllerHost
  private readonly onEnd: () => void
  private endsAtMs: number | null = null
  private timer: ReturnType<typeof setTimeout> | undefined
  private leftBefore = 0

  constructor(host: ReactiveControllerHost, onEnd: () => void) {
    this.host = host
    this.onEnd = onEnd
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

  /** Sets another end; null stops the countdown. */
  aim(endsAtMs: number | null): void {
    if (endsAtMs === this.endsAtMs) return
    this.endsAtMs = endsAtMs
    this.leftBefore = this.leftMs
    this.tick()
  }

  private readonly tick = (): void => {
    clearTimeout(this.timer)
    if (this.endsAtMs === null) return
    const { leftMs } = this
    if (leftMs === 0 && this.leftBefore > 0) this.onEnd()
    this.leftBefore = leftMs
    this.host.requestUpdate()
    // Wakes just after the shown second changes.
    if (leftMs > 0) this.timer = setTimeout(this.tick, (leftMs % secondMs) + 1)
  }
}

/** `14:59`. Rounded up, so that 0:00 means over; above an hour, minutes exceed 59. */
export function formatLeft(leftMs: number): string {
  const seconds = Math.ceil(leftMs / secondMs)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
