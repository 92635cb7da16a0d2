import { z } from 'zod'
import type { BaseUnits } from '../../../core/money.ts'
import type { Transfer } from '../../../payment/event.ts'

const balance = z.object({
  accountIndex: z.int().nonnegative(),
  mint: z.string(),
  owner: z.string().optional(),
  uiTokenAmount: z.object({ amount: z.string().regex(/^\d{1,20}$/) }),
})

/** The fields that are read of a transaction in a block (`getTransaction`, encoding `json`). */
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

/** What one token account held before and after a transaction, in base units. An owner is null where it did not exist. */
export type TokenChange = {
  account: string
  /** Empty where the account was closed, and opened again for another mint. */
  mint: string
  /** Place of the account among the keys of the transaction. */
  index: number
  ownerBefore: string | null
  ownerAfter: string | null
  before: bigint
  after: bigint
}

/** A transaction in a block, lookup tables resolved. */
export type SolanaTransaction = {
  signature: string
  slot: number
  /** Null: the cluster has not estimated it (yet). */
  timeMs: number | null
  isSuccess: boolean
  /** Every account that the transaction names: its own, then those of lookup tables, the writable ones first. */
  keys: readonly string[]
  /** The accounts that signed, the fee payer first. */
  signers: readonly string[]
  /** In the order of `index`. */
  changes: readonly TokenChange[]
}

/** The token account in which money is counted, and the owner that it must have. */
export type Target = { account: string; owner: string; mint: string }

/** @throws {Error} when the node's response lacks the token balances, an account, or is of another transaction. */
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
  /** The account's change so far, which `balance` is one side of. */
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
 * How much more the token account holds after the transaction, whatever instructions did it: zero when the transaction failed,
 * or when the account is of another mint, or was or became somebody else's. Negative where it holds less.
 */
export function gainOf({ isSuccess, changes }: SolanaTransaction, { account, owner, mint }: Target): bigint {
  const change = changes.find((one) => one.account === account)
  if (!isSuccess || !change || change.mint !== mint) return 0n
  const isTheirs = (one: string | null) => one === null || one === owner
  if (!isTheirs(change.ownerBefore) || change.ownerAfter !== owner) return 0n
  return change.after - change.before
}

/** A transfer without what only the caller knows: its network, and a block time that is not null. */
type Movement = Omit<Transfer, 'network' | 'blockTimeMs'>

/** The movement of money that a transaction makes for a payment: `amount` base units of `mint`, counted in one account. */
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
    // A slot holds one block at most, and the transaction is asked for again at every commitment.
    blockHash: String(slot),
  }
}

/** What a transaction brought to a deposit's token account; undefined when it brought nothing. */
export function creditOf(transaction: SolanaTransaction, target: Target): Movement | undefined {
  const amount = gainOf(transaction, target)
  return amount > 0n ? movementOf(transaction, target, amount) : undefined
}

/** The change of a token account's balance, with any owner; zero where the transaction failed or did not touch the account. */
export function changeOf({ isSuccess, changes }: SolanaTransaction, account: string): bigint {
  const change = changes.find((one) => one.account === account)
  return isSuccess && change ? change.after - change.before : 0n
}

/** The owner of the account of that mint that lost the most. */
function payerOf({ changes }: SolanaTransaction, mint: string): string | undefined {
  const loss = ({ before, after }: TokenChange) => before - after
  const spenders = changes.filter((one) => one.mint === mint && one.ownerBefore !== null && loss(one) > 0n)
  const most = spenders.toSorted((a, b) => (loss(b) > loss(a) ? 1 : -1))[0]
  return most?.ownerBefore ?? undefined
}

/** Whether two nodes report the same of a transaction: its block, its time, and every movement of tokens. */
export function isSameTransaction(one: SolanaTransaction, other: SolanaTransaction): boolean {
  const text = (transaction: SolanaTransaction) =>
    JSON.stringify(transaction, (_, value) => (typeof value === 'bigint' ? String(value) : value))
  return text(one) === text(other)
}
