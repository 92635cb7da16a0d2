/** One deposit that could be forwarded now. `valueMicros`: millionths of a token; `gas`: what it adds to a transaction. */
export type Candidate = { valueMicros: bigint; gas: bigint; isOverdue: boolean }

export type Prices = {
  /** Of the transaction itself. */
  baseGas: bigint
  weiPerGas: bigint
  /** Millionths of a token for one coin, and wei of one coin. */
  coinMicros: bigint
  coinWei: bigint
  /** Of what is forwarded, the most that gas may be worth. */
  maxBps: number
}

const wholeBps = 10_000n

/**
 * Which sweeps are worth their gas now: as many as can share one transaction within the share of their value. Overdue sweeps are
 * sent whatever they cost, and every sweep that pays for its own gas beside them is sent too.
 * @returns the places of the sweeps to send, in the order of `candidates`.
 */
export function planSweeps(candidates: readonly Candidate[], prices: Prices): number[] {
  const { baseGas, weiPerGas, coinMicros, coinWei, maxBps } = prices
  const placed = candidates.map((candidate, place) => ({ ...candidate, place }))
  const overdue = placed.filter(({ isOverdue }) => isOverdue)
  const others = placed.filter(({ isOverdue }) => !isOverdue).sort((a, b) => Number(b.valueMicros - a.valueMicros))
  let gas = overdue.length > 0 ? 0n : baseGas
  let valueMicros = 0n
  let count = 0
  for (const [index, candidate] of others.entries()) {
    gas += candidate.gas
    valueMicros += candidate.valueMicros
    const costs = gas * weiPerGas * coinMicros * wholeBps
    if (costs <= valueMicros * BigInt(maxBps) * coinWei) count = index + 1
  }
  return [...overdue, ...others.slice(0, count)].map(({ place }) => place).sort((a, b) => a - b)
}
