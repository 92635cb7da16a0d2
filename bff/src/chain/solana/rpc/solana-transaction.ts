import { z } from 'zod'
import type { BaseUnits } from '../../../core/money.ts'
import type { Transfer } from '../../../payment/event.ts'

const balance = z.object({
  accountIndex: z.int().nonnegative(),
  mint: z.string(),
  owner: z.string().optional(),
  uiTokenAmount: z.object({ amount: z.string().regex(/^\d{1,20}$/) }),
})

/** The fields read from a transaction (`getTransaction`, encoding `json`). */
export const transactionResponse = z
  .object({
    slot: z.int(),
    blockTime: z.int().nullish(),
    transaction: z.object({
      signatures: z.array(z.string()).min(1),
      message: z.object({
        accountKeys: z.array(z.string()).min(1),
        header: z.object({ numRequiredSignatures: z.int().positive() }),
      }),
    }),
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

/** A token account's balances before and after a transaction, in base units. An owner is null if the account did not exist. */
export type TokenChange = {
  account: string
  /** Empty if the account was closed and reopened for another mint. */
  mint: string
  /** Index of the account in the transaction's keys. */
  index: number
  ownerBefore: string | null
  ownerAfter: string | null
  before: bigint
  after: bigint
}

/** A transaction in a block, with lookup tables resolved. */
export type SolanaTransaction = {
  signature: string
  slot: number
  /** Null if the cluster has not (yet) estimated it. */
  timeMs: number | null
  isSuccess: boolean
  /** All accounts of the transaction: its own, then those from lookup tables, writable ones first. */
  keys: readonly string[]
  /** Accounts that signed, the fee payer first. */
  signers: readonly string[]
  /** In the order of `index`. */
  changes: readonly TokenChange[]
}

/** A token account whose gains count, with its required owner. */
export type Target = { account: string; owner: string; mint: string }

/** @throws {Error} when the node's response lacks token balances or an account, or is about another transaction. */
export function readTransaction(
  signature: string,
  { slot, blockTime, transaction, meta }: NonNullable<z.infer<typeof transactionResponse>>,
): SolanaTransaction {
  const { preTokenBalances, postTokenBalances } = meta ?? {}
  if (!meta || !preTokenBalances || !postTokenBalances)
    throw new Error(`A node returned no result of transaction ${signature}`)
  if (transaction.signatures[0] !== signature) throw new Error(`A node returned another transaction for ${signature}`)
  const { accountKeys, header } = transaction.message
  const { writable = [], readonly = [] } = meta.loadedAddresses ?? {}
  const keys = [...accountKeys, ...writable, ...readonly]
  const changes = new Map<number, TokenChange>()
  /** The account's change so far; `balance` is one side of it. */
  const changeOfBalance = ({ accountIndex: index, mint }: z.infer<typeof balance>): TokenChange => {
    const account = keys[index]
    if (account === undefined) throw new Error(`A node reported transaction ${signature} without its account ${index}`)
    const known = changes.get(index)
    const change = known ?? { account, mint, index, ownerBefore: null, ownerAfter: null, before: 0n, after: 0n }
    if (change.mint !== mint) change.mint = ''
    changes.set(index, change)
    return change
  }
  for (const entry of preTokenBalances) {
    const change = changeOfBalance(entry)
    change.ownerBefore = entry.owner ?? null
    change.before = BigInt(entry.uiTokenAmount.amount)
  }
  for (const entry of postTokenBalances) {
    const change = changeOfBalance(entry)
    change.ownerAfter = entry.owner ?? null
    change.after = BigInt(entry.uiTokenAmount.amount)
  }
  return {
    signature,
    slot,
    timeMs: typeof blockTime === 'number' ? blockTime * 1_000 : null,
    isSuccess: meta.err === null,
    keys,
    signers: accountKeys.slice(0, header.numRequiredSignatures),
    changes: [...changes.values()].sort((a, b) => a.index - b.index),
  }
}

/**
 * The growth of the token account's balance by the transaction, whatever its instructions; negative for a decrease. Zero if the
 * transaction failed, or if the account has another mint, or another owner before or after it.
 */
export function gainOf({ isSuccess, changes }: SolanaTransaction, { account, owner, mint }: Target): bigint {
  const change = changes.find((one) => one.account === account)
  if (!isSuccess || !change || change.mint !== mint) return 0n
  const isTheirs = (one: string | null) => one === null || one === owner
  if (!isTheirs(change.ownerBefore) || change.ownerAfter !== owner) return 0n
  return change.after - change.before
}

/** A transfer without the fields that the caller adds: network, and a non-null block time. */
type Movement = Omit<Transfer, 'network' | 'blockTimeMs'>

/** A transaction's payment: `amount` base units of `mint`, attributed to one account. */
export function movementOf(
  transaction: SolanaTransaction,
  { account, mint }: Pick<Target, 'account' | 'mint'>,
  amount: bigint,
): Movement {
  const { signature, slot, changes, signers } = transaction
  return {
    txId: signature,
    logIndex: changes.find((change) => change.account === account)?.index ?? 0,
    payer: payerOf(transaction, mint) ?? signers[0] ?? '',
    amount: amount as BaseUnits,
    blockNumber: slot,
    // A slot has at most one block, and the transaction is read again at every commitment.
    blockHash: String(slot),
  }
}

/** A transaction's transfer to a deposit's token account; undefined if none. */
export function creditOf(transaction: SolanaTransaction, target: Target): Movement | undefined {
  const amount = gainOf(transaction, target)
  return amount > 0n ? movementOf(transaction, target, amount) : undefined
}

/** A token account's balance change, with any owner; zero if the transaction failed or did not touch the account. */
export function changeOf({ isSuccess, changes }: SolanaTransaction, account: string): bigint {
  const change = changes.find((one) => one.account === account)
  return isSuccess && change ? change.after - change.before : 0n
}

/** The owner whose account of that mint decreased most. */
function payerOf({ changes }: SolanaTransaction, mint: string): string | undefined {
  const loss = ({ before, after }: TokenChange) => before - after
  const spenders = changes.filter((one) => one.mint === mint && one.ownerBefore !== null && loss(one) > 0n)
  const most = spenders.toSorted((a, b) => (loss(b) > loss(a) ? 1 : -1))[0]
  return most?.ownerBefore ?? undefined
}

/** Whether two nodes report the same about a transaction: its block, its time, and every token movement. */
export function isSameTransaction(one: SolanaTransaction, other: SolanaTransaction): boolean {
  const text = (transaction: SolanaTransaction) =>
    JSON.stringify(transaction, (_, value) => (typeof value === 'bigint' ? String(value) : value))
  return text(one) === text(other)
}
