export type WakeSignal = ReturnType<typeof createWakeSignal>

/** Wakes one waiting loop. A wake that comes while nobody waits is kept for the next wait. */
export function createWakeSignal() {
  let isAwake = false
  let endWait = () => {}
  return {
    wake: () => {
      isAwake = true
      endWait()
    },
    /** Resolves at the next wake, at once after a wake since the last wait, and after `atMostMs` in any case. */
    async wait(atMostMs: number): Promise<void> {
      if (!isAwake && atMostMs > 0) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, atMostMs)
          endWait = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      isAwake = false
    },
  }
}
