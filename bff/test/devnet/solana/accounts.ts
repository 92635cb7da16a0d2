import { type Address, lamports } from '@solana/kit'
import type { LiteSVM } from 'litesvm'

/** An account as it was at the end of a slot. */
export type AccountState = { lamports: bigint; data: Uint8Array; owner: string; executable: boolean }

/** `null`: there was no such account. */
type Version = { slot: number; state: AccountState | null }

/** What the accounts held, slot by slot, so that one can read below the head and a fork can take slots back. */
export type Accounts = ReturnType<typeof createAccounts>

const systemProgram = '11111111111111111111111111111111' as Address

/** Older than every slot: what the account held before it was first touched. */
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

  /** Remembers what they hold now, unless that is known. To be called before they may change. */
  function remember(addresses: readonly string[]): void {
    for (const address of addresses) {
      if (!versions.has(address)) versions.set(address, [{ slot: beforeAll, state: now(address) }])
    }
  }

  /** Writes down what they hold at `slot`. */
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
    /** As of the end of `slot`. Programs and the like, which never change, are known of at every slot. */
    read(address: string, slot: number): AccountState | null {
      const known = versions.get(address)
      if (known === undefined) return now(address)
      return known.findLast((version) => version.slot <= slot)?.state ?? null
    },
    /** Puts an account there without a transaction. */
    put(address: string, state: AccountState, slot: number): void {
      remember([address])
      put(address, state)
      record([address], slot)
    },
    /** What came after `slot` never was. */
    rollBack(slot: number): void {
      for (const [address, known] of versions) {
        const kept = known.filter((version) => version.slot <= slot)
        if (kept.length === known.length) continue
        versions.set(address, kept)
        put(address, kept.at(-1)?.state ?? null)
      }
    },
    /** Forgets what nobody can ask for any more: all below `slot` but the newest. */
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
