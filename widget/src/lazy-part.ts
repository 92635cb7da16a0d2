import type { ReactiveController, ReactiveControllerHost } from 'lit'

/**
 * Imports a chunk. Browsers cache a failed import for the life of the page, so a retry uses another URL: the failed
 * one, as named in the error, with a query.
 * @param attempt - 0 for the first.
 * @throws the browser's error when the chunk cannot be loaded.
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

/** First wait before a required chunk is requested again; doubles up to `retryMaxMs`. */
const retryMs = 3000
const retryMaxMs = 60_000

type Host = Pick<ReactiveControllerHost & Element, 'addController' | 'requestUpdate' | 'isConnected'>

/** A part of the element in its own chunk, loaded when first needed. */
export class LazyPart<Module, Part> implements ReactiveController {
  /** Null until loaded. */
  part: Part | null = null
  /** Consecutive failures to load it, without those of preloading. */
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

  /** Loads a part that the screen requires, and retries after a failure. Called at every update of the element. */
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
   * Loads the part now; concurrent callers share one request.
   * @param isAhead - Preloading: a failure is shown only when the part is needed.
   * @returns null when loading failed.
   */
  async load(isAhead = false): Promise<Part | null> {
    // The screen without this part still shows the payment's state.
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
