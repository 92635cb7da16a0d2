import { type Address, lamports } from '@solana/kit'
import type { LiteSVM } from 'litesvm'

/** An account at the end of a slot. */
export type AccountState = { lamports: bigint; data: Uint8Array; owner: string; executable: boolean }

/** `null`: the account did not exist. */
type Version = { slot: number; state: AccountState | null }

/** Account states by slot, for reads below the head and for forks. */
export type Accounts = ReturnType<typeof createAccounts>

const systemProgram = '11111111111111111111111111111111' as Address

/** Before every slot: the account's state before its first change. */
const beforeAll = -1

export function createAccounts(svm: LiteSVM) {
  const versions = new Map<string, Version[]>()

  function now(address: string): AccountState | null {
    const account = svm.getAccount(address as Address)
    if (!account.exists || account.lamports === 0n) return null
    const { data, executable, programAddress } = account
    return { lamports: account.lamports, data: Uint8Array.from(data), owner: programAddress, executable }
  }

  function put(address: string, state: AccountState | null): void {
    const { data, owner, executable } = state ?? { data: new Uint8Array(), owner: systemProgram, executable: false }
    svm.setAccount({
      address: address as Address,
      lamports: lamports(state?.lamports ?? 0n),
      data,
      programAddress: owner as Address,
      executable,
      space: BigInt(data.length),
    })
  }

  /** Records the current states, if unknown. Call before the accounts can change. */
  function remember(addresses: readonly string[]): void {
    for (const address of addresses) {
      if (!versions.has(address)) versions.set(address, [{ slot: beforeAll, state: now(address) }])
    }
  }

  /** Records the accounts' states at `slot`. */
  function record(addresses: readonly string[], slot: number): void {
    for (const address of addresses) {
      const known = versions.get(address) ?? []
      const state = now(address)
      const last = known.at(-1)
      if (last !== undefined && isSame(last.state, state)) continue
      if (last?.slot === slot) last.state = state
      else known.push({ slot, state })
      versions.set(address, known)
    }
  }

  return {
    now,
    remember,
    record,
    /** The state at the end of `slot`. Programs and other accounts that never change exist at every slot. */
    read(address: string, slot: number): AccountState | null {
      const known = versions.get(address)
      if (known === undefined) return now(address)
      return known.findLast((version) => version.slot <= slot)?.state ?? null
    },
    /** Sets an account without a transaction. */
    put(address: string, state: AccountState, slot: number): void {
      remember([address])
      put(address, state)
      record([address], slot)
    },
    /** Removes everything after `slot`. */
    rollBack(slot: number): void {
      for (const [address, known] of versions) {
        const kept = known.filter((version) => version.slot <= slot)
        if (kept.length === known.length) continue
        versions.set(address, kept)
        put(address, kept.at(-1)?.state ?? null)
      }
    },
    /** Prunes all states below `slot` except the newest. */
    prune(slot: number): void {
      for (const [address, known] of versions) {
        const first = known.findLastIndex((version) => version.slot <= slot)
        if (first > 0) versions.set(address, known.slice(first))
      }
    },
    addresses: (): Iterable<string> => versions.keys(),
  }
}

function isSame(a: AccountState | null, b: AccountState | null): boolean {
  if (a === null || b === null) return a === b
  return a.lamports === b.lamports && a.owner === b.owner && Buffer.compare(a.data, b.data) === 0
}
