import { z } from 'zod'
import type { BaseUnits } from '../money.ts'
import type { Transfer } from '../payment/event.ts'

const balance = z.object({
  accountIndex: z.int().nonnegative(),
  mint: z.string(),
  owner: z.string().optional(),
  uiTokenAmount: z.object({ amount: z.string().regex(/^\d{1,20}$/) }),
})

/** What is read of a transaction in a block (`getTransaction`, encoding `json`). */
export const transactionAnswer = z
  .object({
    slot: z.int(),
    blockTime: z.int().nullable(),
    transaction: z.object({ message: z.object({ accountKeys: z.array(z.string()).min(1) }) }),
    meta: z
      .object({
        err: z.unknown(),
        preTokenBalances: z.array(balance).nullish(),
        postTokenBalances: z.array(balance).nullish(),
        loadedAddresses: z.object({ writable: z.array(z.string()), readonly: z.array(z.string()) }).nullish(),
      })
      .nullable(),
  })
  .nullable()

type SolanaTransaction = NonNullable<z.infer<typeof transactionAnswer>>
type TokenBalance = z.infer<typeof balance>

/** Whose money is counted, and where. */
export type Target = { account: string; owner: string; mint: string }

/**
 * What a transaction brought to a token account: its balance after less its balance before, when it is of that mint and
 * belongs to that owner afterwards; whatever instructions did it. Undefined when it brought nothing, or failed.
 * @throws {Error} when the node left out what that is read from.
 */
export function creditOf(
  txId: string,
  transaction: SolanaTransaction,
  target: Target,
): Omit<Transfer, 'network' | 'blockTimeMs'> | undefined {
  const { meta, slot } = transaction
  if (meta === null) throw new Error(`A node told nothing of what transaction ${txId} did`)
  if (meta.err !== null) return undefined
  const keys = keysOf(transaction)
  const index = keys.indexOf(target.account)
  const of = (balances: readonly TokenBalance[] | null | undefined) =>
    (balances ?? []).find(({ accountIndex }) => accountIndex === index)
  const after = of(meta.postTokenBalances)
  if (index < 0 || after?.mint !== target.mint || after.owner !== target.owner) return undefined
  const before = of(meta.preTokenBalances)
  const amount = BigInt(after.uiTokenAmount.amount) - BigInt(before?.uiTokenAmount.amount ?? '0')
  if (amount <= 0n) return undefined
  return {
    ...{ txId, logIndex: index, amount: amount as BaseUnits, blockNumber: slot, blockHash: String(slot) },
    payer: payerIn(transaction, target.mint) ?? keys[0] ?? '',
  }
}

/** Lookup tables count behind the message's own keys, the writable ones first. */
function keysOf({ transaction, meta }: SolanaTransaction): string[] {
  const { writable = [], readonly = [] } = meta?.loadedAddresses ?? {}
  return [...transaction.message.accountKeys, ...writable, ...readonly]
}

/** By how much a token account grew, or shrank; zero where the transaction failed or did not touch it. */
export function changeOf(transaction: SolanaTransaction, account: string): bigint {
  const { meta } = transaction
  const index = keysOf(transaction).indexOf(account)
  if (meta === null || meta.err !== null || index < 0) return 0n
  const of = (balances: readonly TokenBalance[] | null | undefined) =>
    BigInt((balances ?? []).find(({ accountIndex }) => accountIndex === index)?.uiTokenAmount.amount ?? '0')
  return of(meta.postTokenBalances) - of(meta.preTokenBalances)
}

/** Whose balance of the token went down most. */
function payerIn({ meta }: SolanaTransaction, mint: string): string | undefined {
  let [payer, most]: [string | undefined, bigint] = [undefined, 0n]
  for (const before of meta?.preTokenBalances ?? []) {
    if (before.mint !== mint) continue
    const after = meta?.postTokenBalances?.find(({ accountIndex }) => accountIndex === before.accountIndex)
    const spent = BigInt(before.uiTokenAmount.amount) - BigInt(after?.uiTokenAmount.amount ?? '0')
    if (spent > most) [payer, most] = [before.owner, spent]
  }
  return payer
}
