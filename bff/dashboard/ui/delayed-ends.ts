import type { ReactiveController, ReactiveControllerHost } from 'lit'
import { beforeSignOut } from '../api/session.ts'

/** How long an end can be undone, in milliseconds. */
export const undoMs = 5_000

/**
 * Ends things five seconds after the request, unless it is undone. The wait is here and not in the service, because an ended link cannot be
 * reopened. Leaving the page or signing out ends pending things at once: the person asked for it and did not undo it.
 */
export class DelayedEnds<Thing extends { id: string }> implements ReactiveController {
  private readonly pending = new Map<string, { thing: Thing; timer: ReturnType<typeof setTimeout> }>()
  private readonly host: ReactiveControllerHost
  private readonly end: (thing: Thing) => Promise<void>

  /** @param end - Sends the request. Must outlive the page (`keepalive`), and must not throw. */
  constructor(host: ReactiveControllerHost, end: (thing: Thing) => Promise<void>) {
    this.host = host
    this.end = end
    host.addController(this)
  }

  hostConnected(): void {
    window.addEventListener('pagehide', this.endAll)
    beforeSignOut.add(this.endAll)
  }

  hostDisconnected(): void {
    window.removeEventListener('pagehide', this.endAll)
    beforeSignOut.delete(this.endAll)
    void this.endAll()
  }

  isPending(id: string): boolean {
    return this.pending.has(id)
  }

  /** The things that end soon, the latest last. */
  get things(): readonly Thing[] {
    return [...this.pending.values()].map(({ thing }) => thing)
  }

  begin(thing: Thing): void {
    if (this.pending.has(thing.id)) return
    this.pending.set(thing.id, { thing, timer: setTimeout(() => void this.endNow(thing.id), undoMs) })
    this.host.requestUpdate()
  }

  undo(id: string): void {
    clearTimeout(this.pending.get(id)?.timer)
    this.pending.delete(id)
    this.host.requestUpdate()
  }

  private async endNow(id: string): Promise<void> {
    const one = this.pending.get(id)
    if (!one) return
    clearTimeout(one.timer)
    this.pending.delete(id)
    this.host.requestUpdate()
    await this.end(one.thing)
  }

  private readonly endAll = async (): Promise<void> => {
    await Promise.all([...this.pending.keys()].map((id) => this.endNow(id)))
  }
}
