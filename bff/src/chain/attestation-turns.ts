/** Failed attestations per pass: each takes calls, and all other payments wait for them. */
export const unattestedMax = 20

/**
 * The order in which nodes attest transfers. While a node is down, many wait, and a stranger can add more by sending dust. So in each pass
 * those that failed longest ago come first, and after some failures the others wait for the next pass.
 * @param keyOf - Identifies a transfer.
 */
export function createAttestationTurns<One>(keyOf: (one: One) => string) {
  const failedInPass = new Map<string, number>()
  let pass = 0
  let failures = 0
  return {
    /** Begins a pass. @returns the transfers in the order of their turns. */
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
