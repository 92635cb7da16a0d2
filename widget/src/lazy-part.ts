import type { ReactiveController, ReactiveControllerHost } from 'lit'

/**
 * Imports a chunk. A browser remembers for as long as the page lives that an address could not be imported, so another
 * attempt asks by another address: the one that the error names, with a query.
 * @param attempt - 0 for the first one.
 * @throws what the browser says when the chunk cannot be loaded.
 */
export async function importChunk<Module>(load: () => Promise<Module>, attempt: number): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    const url = attempt > 0 ? /https?:\S+/.exec(String(error))?.[0] : undefined
    if (!url) throw error
    return (await import(/* @vite-ignore */ `${url}?attempt=${attempt}`)) as Module
  }
}

/** First wait before a chunk that the screen needs is asked for again; doubles up to `retryMaxMs`. */
const retryMs = 3000
const retryMaxMs = 60_000

type Host = Pick<ReactiveControllerHost & Element, 'addController' | 'requestUpdate' | 'isConnected'>

/** A part of the element in a chunk of its own, loaded when it is first needed. */
export class LazyPart<Module, Part> implements ReactiveController {
  /** Null until it is loaded. */
  part: Part | null = null
  /** Times in a row that it could not be loaded; what was only loaded ahead does not count. */
  failures = 0
  private readonly host: Host
  private readonly importModule: () => Promise<Module>
  private readonly create: (module: Module) => Part
  private attempts = 0
  private loading: Promise<Part | null> | null = null
  private retryTimer: ReturnType<typeof setTimeout> | undefined

  constructor(host: Host, importModule: () => Promise<Module>, create: (module: Module) => Part) {
    this.host = host
    this.importModule = importModule
    this.create = create
    host.addController(this)
  }

  hostDisconnected(): void {
    clearTimeout(this.retryTimer)
    this.retryTimer = undefined
  }

  /** The screen needs it: loads it, also by itself again after a failure. For every update of the element. */
  want(onLoaded?: () => void): void {
    if (this.part || this.loading || this.retryTimer) return
    void this.load().then((part) => {
      if (part) return onLoaded?.()
      if (!this.host.isConnected) return
      const waitMs = Math.min(retryMs * 2 ** (this.failures - 1), retryMaxMs)
      this.retryTimer = setTimeout(() => {
        this.retryTimer = undefined
        this.host.requestUpdate()
      }, waitMs)
    })
  }

  /**
   * Loads it now; whoever asks meanwhile gets the same.
   * @param isAhead - The customer may need it soon: a failure is shown only when they do.
   * @returns null when it could not be loaded.
   */
  async load(isAhead = false): Promise<Part | null> {
    // What is on screen without it says how the payment stands.
    this.loading ??= importChunk(this.importModule, this.attempts++).then(this.create, () => null)
    this.part = await this.loading
    if (!this.part) {
      this.loading = null
      if (!isAhead) this.failures++
    } else this.failures = 0
    this.host.requestUpdate()
    return this.part
  }
}
