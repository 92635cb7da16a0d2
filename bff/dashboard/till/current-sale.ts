import type { ReactiveController, ReactiveControllerHost } from 'lit'
import { cancelSale, createSale, isAway, type KeptSale, keepSale, keptSale, readSale, type Sale } from './till-api.ts'

/** Between two reads of a sale that is open. */
const pollMs = 1_500
/** Between two attempts while the service cannot be reached; going online is tried at once. */
const retryMs = 3_000

type Notify = { paid(): void; refused(fault: unknown): void }

/**
 * The sale at the counter. It is created once, whatever happens to the network, and its state is what the service last answered: without
 * an answer nothing is paid.
 */
export class CurrentSale implements ReactiveController {
  /** Null: no sale, or not yet created. */
  sale: Sale | null = null
  /** The last request got no answer. */
  isOffline = false
  private kept: KeptSale | null = null
  private timer: ReturnType<typeof setTimeout> | undefined
  /** Each sale has a number: an answer to an earlier one changes nothing. */
  private turn = 0
  private readonly host: ReactiveControllerHost
  private readonly notify: Notify

  constructor(host: ReactiveControllerHost, notify: Notify) {
    this.host = host
    this.notify = notify
    host.addController(this)
  }

  hostConnected(): void {
    addEventListener('online', this.onOnline)
    addEventListener('offline', this.unanswered)
  }

  hostDisconnected(): void {
    removeEventListener('online', this.onOnline)
    removeEventListener('offline', this.unanswered)
    clearTimeout(this.timer)
  }

  /** The amount of the sale that is being created or paid; null: none. */
  get amount(): string | null {
    return this.kept?.amount ?? null
  }

  start(amount: string): void {
    this.follow({ amount, key: crypto.randomUUID(), id: null }, null)
  }

  /** Goes on with a sale of the list. */
  resume(sale: Sale): void {
    this.follow({ amount: sale.price ?? sale.amount ?? '', key: '', id: sale.id }, sale)
  }

  /** After a reload, or after the PIN was entered. */
  continueKept(): void {
    const kept = this.kept ?? keptSale()
    if (kept) this.follow(kept, this.sale)
  }

  /** For the next customer. The sale stays in the day's list. */
  leave(): void {
    clearTimeout(this.timer)
    this.turn += 1
    this.kept = null
    this.sale = null
    this.isOffline = !navigator.onLine
    keepSale(null)
    this.host.requestUpdate()
  }

  /** @throws {Fault} */
  async cancel(): Promise<void> {
    const id = this.kept?.id
    if (id == null) return this.leave()
    const { turn } = this
    const sale = await cancelSale(id)
    if (turn !== this.turn) return
    // The answer to a read from before may come later.
    this.turn += 1
    this.show(sale)
    if (isUnderWay(sale)) void this.step(this.turn)
  }

  private follow(kept: KeptSale, sale: Sale | null): void {
    this.turn += 1
    this.kept = kept
    this.sale = sale
    keepSale(kept)
    this.host.requestUpdate()
    void this.step(this.turn)
  }

  private async step(turn: number): Promise<void> {
    clearTimeout(this.timer)
    const { kept } = this
    if (turn !== this.turn || kept === null) return
    try {
      const sale = kept.id === null ? await createSale(kept.amount, kept.key) : await readSale(kept.id)
      if (turn !== this.turn) return
      this.isOffline = false
      this.kept = { ...kept, id: sale.id }
      keepSale(this.kept)
      this.show(sale)
      if (isUnderWay(sale)) this.timer = setTimeout(() => void this.step(turn), pollMs)
    } catch (fault) {
      if (turn !== this.turn) return
      if (isAway(fault)) {
        this.isOffline = true
        this.timer = setTimeout(() => void this.step(turn), retryMs)
      } else this.notify.refused(fault)
      this.host.requestUpdate()
    }
  }

  private show(sale: Sale): void {
    const wasPaid = this.sale?.state === 'paid'
    this.sale = sale
    if (sale.state === 'paid' && !wasPaid) this.notify.paid()
    this.host.requestUpdate()
  }

  private readonly onOnline = (): void => {
    this.isOffline = false
    this.host.requestUpdate()
    if (this.kept === null || (this.sale !== null && !isUnderWay(this.sale))) return
    // The answer to a request from before may come later than this one's.
    this.turn += 1
    void this.step(this.turn)
  }

  /** Until the next answer. */
  readonly unanswered = (): void => {
    this.isOffline = true
    this.host.requestUpdate()
  }
}

export const isUnderWay = ({ state }: Sale): boolean => state === 'open' || state === 'partial' || state === 'detected'
