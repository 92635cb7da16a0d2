/** Remembers one ring until it is heard. */
export function createBell() {
  let hasRung = false
  let hear = () => {}
  return {
    ring: () => {
      hasRung = true
      hear()
    },
    /** Resolves at the next ring, at once if it has rung since the last time, and after `atMostMs` in any case. */
    async heard(atMostMs: number): Promise<void> {
      if (!hasRung && atMostMs > 0) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, atMostMs)
          hear = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      hasRung = false
    },
  }
}
