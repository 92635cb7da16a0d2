export type WakeSignal = ReturnType<typeof createWakeSignal>

/** Wakes one waiting loop. A wake without a waiter is kept for the next wait. */
export function createWakeSignal() {
  let isAwake = false
  let endWait = () => {}
  return {
    wake: () => {
      isAwake = true
      endWait()
    },
    /** Resolves at the next wake or after `atMostMs`. Resolves at once when a wake has come since the last wait. */
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
