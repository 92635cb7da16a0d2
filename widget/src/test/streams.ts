/** Emulates the browser's EventSource: a stream that a test opens, feeds and breaks. */
export class EmulatedStream extends EventTarget {
  /** All streams opened since the last `forget`, oldest first. */
  static opened: EmulatedStream[] = []
  readonly url: string
  isClosed = false

  constructor(url: string) {
    super()
    this.url = url
    EmulatedStream.opened.push(this)
  }

  /** @returns a function that restores the browser's EventSource. */
  static takeOver(): () => void {
    const before = globalThis.EventSource
    EmulatedStream.opened = []
    Object.assign(globalThis, { EventSource: EmulatedStream })
    return () => Object.assign(globalThis, { EventSource: before })
  }

  static get open(): EmulatedStream[] {
    return EmulatedStream.opened.filter(({ isClosed }) => !isClosed)
  }

  close(): void {
    this.isClosed = true
  }

  begin(): void {
    this.dispatchEvent(new Event('open'))
  }

  breakOff(): void {
    this.dispatchEvent(new Event('error'))
  }

  emit(answer: object): void {
    this.dispatchEvent(new MessageEvent('payment', { data: JSON.stringify(answer) }))
  }
}
