import { sql, type Tx } from '../db/db.ts'

/** A network's state as seen by the replica that holds its lease. */
export type NetworkState = {
  /** A public sentence on why the network cannot be paid on; null: it can. */
  reason: string | null
  /** The newest fully applied block; undefined: none yet. */
  head: { number: number; hash: string; timeMs: number } | undefined
  /** The account that pays gas, when last read; undefined: never read. Amounts in wei. */
  gas: { address: string; balanceWei: bigint; neededWei: bigint; minimumWei: bigint; readAtMs: number } | undefined
}

export async function saveNetworkState(tx: Tx, network: string, { reason, head, gas }: NetworkState): Promise<void> {
  await tx.run(sql`
      insert into network_states (network, reason, head_number, head_hash, head_time_ms, gas_address, gas_balance, gas_needed,
                                  gas_minimum, gas_read_at_ms)
      values (${network}, ${reason}, ${head?.number ?? null}, ${head?.hash ?? null}, ${head?.timeMs ?? null},
              ${gas?.address ?? null}, ${gas ? String(gas.balanceWei) : null}, ${gas ? String(gas.neededWei) : null},
              ${gas ? String(gas.minimumWei) : null},
              ${gas?.readAtMs ?? null})
      on conflict (network) do update
         set reason = excluded.reason, head_number = excluded.head_number, head_hash = excluded.head_hash,
             head_time_ms = excluded.head_time_ms, gas_address = excluded.gas_address, gas_balance = excluded.gas_balance,
             gas_needed = excluded.gas_needed, gas_minimum = excluded.gas_minimum,
             gas_read_at_ms = excluded.gas_read_at_ms`)
}

type StateRow = {
  network: string
  unheldMs: number
  reason: string | null
  headNumber: number | null
  headHash: string | null
  headTimeMs: number | null
  gasAddress: string | null
  gasBalance: string | null
  gasNeeded: string | null
  gasMinimum: string | null
  gasReadAtMs: number | null
}

/** The states of all networks that had a lease. `unheldMs`: time since the lease ended, negative while it is held. */
export async function loadNetworkStates(tx: Tx): Promise<(NetworkState & { network: string; unheldMs: number })[]> {
  const rows = await tx.all<StateRow>(sql`
      select l.name as network, now_ms() - l.ends_at_ms as "unheldMs", s.reason, s.head_number as "headNumber",
             s.head_hash as "headHash", s.head_time_ms as "headTimeMs", s.gas_address as "gasAddress",
             s.gas_balance as "gasBalance", s.gas_needed as "gasNeeded",
             s.gas_minimum as "gasMinimum", s.gas_read_at_ms as "gasReadAtMs"
        from leases l left join network_states s on s.network = l.name`)
  return rows.map(({ network, unheldMs, reason, headNumber, headHash, headTimeMs, ...row }) => ({
    network,
    unheldMs,
    reason,
    head:
      headNumber === null || headHash === null || headTimeMs === null
        ? undefined
        : { number: headNumber, hash: headHash, timeMs: headTimeMs },
    gas: gasOf(row),
  }))
}

type GasRow = Pick<StateRow, 'gasAddress' | 'gasBalance' | 'gasNeeded' | 'gasMinimum' | 'gasReadAtMs'>

function gasOf({ gasAddress, gasBalance, gasNeeded, gasMinimum, gasReadAtMs }: GasRow): NetworkState['gas'] {
  if (gasAddress === null || gasBalance === null || gasNeeded === null || gasReadAtMs === null) return undefined
  return {
    address: gasAddress,
    balanceWei: BigInt(gasBalance),
    neededWei: BigInt(gasNeeded),
    minimumWei: BigInt(gasMinimum ?? 0),
    readAtMs: gasReadAtMs,
  }
}
