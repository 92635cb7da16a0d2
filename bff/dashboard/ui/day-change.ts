import type { ReactiveController, ReactiveControllerHost } from 'lit'
import { lastDays } from './days.ts'

/** A page may stay open overnight, and a browser may stop its timers meanwhile. */
const pollMs = 60_000

const today = (): string => lastDays(1)[0] ?? ''

/** Calls back when a day has begun in the reader's time zone, while the host is on the page. */
export class DayChange implements ReactiveController {
  private timer: ReturnType<typeof setInterval> | undefined
  private day = today()
  private readonly onChange: () => void

  constructor(host: ReactiveControllerHost, onChange: () => void) {
    this.onChange = onChange
    host.addController(this)
  }

  hostConnected(): void {
    this.day = today()
    this.timer = setInterval(this.poll, pollMs)
    document.addEventListener('visibilitychange', this.poll)
  }

  hostDisconnected(): void {
    clearInterval(this.timer)
    document.removeEventListener('visibilitychange', this.poll)
  }

  private readonly poll = (): void => {
    const day = today()
    if (day === this.day) return
    this.day = day
    this.onChange()
  }
}
