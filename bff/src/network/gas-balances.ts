/** The operator's gas balance on one network when last read. Wei, and unix milliseconds. */
export type GasBalance = {
  address: string
  balanceWei: bigint
  /** The minimum for the next transaction. */
  neededWei: bigint
  /** The part of `neededWei` that must stay in the account, because the network refuses less; 0 on EVM. */
  minimumWei: bigint
  /** `empty`: below `neededWei`; `low`: enough for fewer than `lowTransactions` transactions. */
  state: 'ok' | 'low' | 'empty'
  readAtMs: number
}

/** Leaves the operator about a day to send coins. */
const lowTransactions = 50n

type GasReading = Omit<GasBalance, 'state' | 'minimumWei'> & Partial<Pick<GasBalance, 'minimumWei'>>

/** The gas balances that the payouts have read, for health and metrics. */
export type GasBalances = ReturnType<typeof createGasBalances>

export function createGasBalances() {
  const balances = new Map<string, GasBalance>()
  return {
    /** Undefined until the balance was read: the network was never reached, or has no operator. */
    get: (network: string): GasBalance | undefined => balances.get(network),
    note(network: string, reading: GasReading): void {
      const { balanceWei, neededWei, minimumWei = 0n } = reading
      const isLow = balanceWei - minimumWei < (neededWei - minimumWei) * lowTransactions
      const state = balanceWei < neededWei ? 'empty' : isLow ? 'low' : 'ok'
      balances.set(network, { ...reading, minimumWei, state })
    },
  }
}
