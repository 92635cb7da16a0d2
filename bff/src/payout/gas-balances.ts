/** The operator's coins on one network, as they were last read. Wei, and unix milliseconds. */
export type GasTank = {
  address: string
  balanceWei: bigint
  /** The least that the next transaction needs. */
  neededWei: bigint
  /** `low`: enough for less than `lowTransactions` of them. */
  state: 'ok' | 'low' | 'empty'
  readAtMs: number
}

/** A person should have a day to send coins there. */
const lowTransactions = 50n

/** What the sweepers know of their tanks, for whoever shows it: health, metrics. */
export type GasTanks = ReturnType<typeof createGasTanks>

export function createGasTanks() {
  const tanks = new Map<string, GasTank>()
  return {
    /** Undefined until it was read: a network that was never reached, or has no operator. */
    get: (network: string): GasTank | undefined => tanks.get(network),
    note(network: string, reading: Omit<GasTank, 'state'>): void {
      const { balanceWei, neededWei } = reading
      const state = balanceWei < neededWei ? 'empty' : balanceWei < neededWei * lowTransactions ? 'low' : 'ok'
      tanks.set(network, { ...reading, state })
    },
  }
}
