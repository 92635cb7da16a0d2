/** Block ranges per `eth_getLogs`, first and smallest: public nodes allow 10 to 10,000. */
const logRange = { first: 2_000, least: 10 }

/** Calls per search, so that one lost deposit does not delay a pass. */
const searchCallsMax = 12

/** `next`: the block to continue at if nothing was found. */
export type Search<Found> = { found?: Found; next: number }

/** Searches oldest first, in ranges that shrink to a quarter when the node refuses one. */
export async function searchLogs<Found>(
  { from, to }: { from: number; to: number },
  read: (from: number, to: number) => Promise<Found | undefined>,
): Promise<Search<Found>> {
  let [next, blocks] = [from, logRange.first]
  for (let calls = 0; calls < searchCallsMax && next <= to; calls++) {
    const end = Math.min(next + blocks - 1, to)
    try {
      const found = await read(next, end)
      if (found !== undefined) return { found, next }
      next = end + 1
    } catch (error) {
      if (blocks <= logRange.least) throw error
      blocks = Math.max(logRange.least, Math.floor(blocks / 4))
    }
  }
  return { next }
}
