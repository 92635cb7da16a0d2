import type { LiteSVM } from 'litesvm'
import type { AccountState, Accounts } from './accounts.ts'
import { readMint, readTokenAccount } from './token-account.ts'
import {
  type Decoded,
  execute,
  type LoadedAddresses,
  loadAddresses,
  type TransactionFault,
  toBase58,
} from './transaction.ts'

export type TokenBalance = { accountIndex: number; mint: string; owner: string; amount: bigint; decimals: number }

type InnerInstruction = { programIdIndex: number; accounts: number[]; data: string; stackHeight: number }

/** A transaction in a block. Lamports and token amounts in base units. */
export type Landed = Decoded & {
  slot: number
  /** Index in its block. */
  index: number
  timeSeconds: number
  fault: TransactionFault
  fee: bigint
  /** Every account it uses, including those from lookup tables. */
  keys: readonly string[]
  loaded: LoadedAddresses
  preBalances: readonly bigint[]
  postBalances: readonly bigint[]
  preTokenBalances: readonly TokenBalance[]
  postTokenBalances: readonly TokenBalance[]
  innerInstructions: readonly { index: number; instructions: readonly InnerInstruction[] }[]
  logs: readonly string[]
  computeUnits: bigint
  memo: string | null
}

type Landing = {
  svm: LiteSVM
  accounts: Accounts
  transaction: Decoded
  slot: number
  timeSeconds: number
  index: number
}

const memoProgram = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'

/**
 * Executes a transaction.
 * @returns null if no block accepts it, because its fee payer cannot pay.
 */
export function land({ svm, accounts, transaction, slot, timeSeconds, index }: Landing): Landed | null {
  const { message, raw } = transaction
  let loaded: LoadedAddresses
  try {
    loaded = loadAddresses(message, accounts)
  } catch {
    return null
  }
  const keys = [...message.staticAccountKeys, ...loaded.writable, ...loaded.readonly].map((key) => key.toBase58())
  const writable = keys.filter((_, at) => message.isAccountWritable(at))
  const states = (): (AccountState | null)[] => keys.map((key) => accounts.now(key))
  accounts.remember(writable)
  const before = states()
  const { fault, meta } = execute(svm, raw)
  const after = states()
  const paid = (before[0]?.lamports ?? 0n) - (after[0]?.lamports ?? 0n)
  if (fault !== null && paid <= 0n) return null
  accounts.record(writable, slot)
  return {
    ...transaction,
    slot,
    index,
    timeSeconds,
    fault,
    keys,
    loaded,
    // A failed transaction moves only its fee.
    fee: fault === null ? feeOf(transaction) : paid,
    preBalances: before.map((state) => state?.lamports ?? 0n),
    postBalances: after.map((state) => state?.lamports ?? 0n),
    preTokenBalances: tokenBalances(before, accounts),
    postTokenBalances: tokenBalances(after, accounts),
    innerInstructions: innerInstructions(meta),
    logs: meta.logs(),
    computeUnits: meta.computeUnitsConsumed(),
    memo: memoOf(transaction, keys),
  }
}

const lamportsPerSignature = 5_000n
const computeBudgetProgram = 'ComputeBudget111111111111111111111111111111'
const computeUnitsPerInstruction = 200_000
const computeUnitsMax = 1_400_000
const microLamports = 1_000_000n

/** Base fee and priority fee of the runtime, in lamports. */
export function feeOf({ message, signatures }: Pick<Decoded, 'message' | 'signatures'>): bigint {
  let price = 0n
  let limit: number | null = null
  let others = 0
  for (const { programIdIndex, data } of message.compiledInstructions) {
    const bytes = Buffer.from(data)
    if (message.staticAccountKeys[programIdIndex]?.toBase58() !== computeBudgetProgram) others += 1
    else if (bytes[0] === 2) limit = bytes.readUInt32LE(1)
    else if (bytes[0] === 3) price = bytes.readBigUInt64LE(1)
  }
  const units = BigInt(Math.min(limit ?? others * computeUnitsPerInstruction, computeUnitsMax))
  return lamportsPerSignature * BigInt(signatures.length) + (price * units + microLamports - 1n) / microLamports
}

function tokenBalances(states: readonly (AccountState | null)[], accounts: Accounts): TokenBalance[] {
  return states.flatMap((state, accountIndex) => {
    const account = readTokenAccount(state)
    if (account === null) return []
    const { mint, owner, amount } = account
    return [{ accountIndex, mint, owner, amount, decimals: readMint(accounts.now(mint))?.decimals ?? 0 }]
  })
}

function innerInstructions(meta: ReturnType<typeof execute>['meta']): Landed['innerInstructions'] {
  return meta.innerInstructions().flatMap((inner, index) => {
    const instructions = inner.map((one) => {
      const compiled = one.instruction()
      return {
        programIdIndex: compiled.programIdIndex(),
        accounts: [...compiled.accounts()],
        data: toBase58(compiled.data()),
        stackHeight: one.stackHeight(),
      }
    })
    return instructions.length === 0 ? [] : [{ index, instructions }]
  })
}

/** The form of signature lists: `[length] text`. */
function memoOf({ message }: Decoded, keys: readonly string[]): string | null {
  const memos = message.compiledInstructions
    .filter(({ programIdIndex }) => keys[programIdIndex] === memoProgram)
    .map(({ data }) => `[${data.length}] ${Buffer.from(data).toString('utf8')}`)
  return memos.length === 0 ? null : memos.join('; ')
}
