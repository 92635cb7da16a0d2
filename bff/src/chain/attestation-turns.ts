/** Transfers per pass that too few nodes may turn out to confirm: each takes calls, and all other payments wait for them. */
export const unattestedMax = 20

/**
 * Whose turn it is to be attested by nodes, where many transfers wait while a node is down: a stranger can add some by dust. In each pass
 * those that failed longest ago come first, and after some failures the others wait for the next pass.
 * @param keyOf - Names a transfer.
 */
export function createAttestationTurns<One>(keyOf: (one: One) => string) {
  const failedInPass = new Map<string, number>()
  let pass = 0
  let failures = 0
  return {
    /** Begins a pass. @returns them in the order of their turns. */
    order<Some extends One>(waiting: readonly Some[]): Some[] {
      pass += 1
      failures = 0
      const keys = new Set(waiting.map(keyOf))
      for (const key of failedInPass.keys()) if (!keys.has(key)) failedInPass.delete(key)
      const lastFailed = (one: One) => failedInPass.get(keyOf(one)) ?? 0
      return waiting.toSorted((one, other) => lastFailed(one) - lastFailed(other))
    },
    /** Whether this pass attests no more. */
    isOver: (): boolean => failures >= unattestedMax,
    failed(one: One): void {
      failures += 1
      failedInPass.set(keyOf(one), pass)
    },
  }
}
