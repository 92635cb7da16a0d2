import type { SolanaNetwork } from '../../../core/families.ts'
import { silentLog } from '../../../core/log.ts'
import {
  type Account,
  type AccountReading,
  ChainMovedError,
  effectOf,
  inChainOrder,
  type Movement,
  type MovementReader,
  type MovementsRequest,
} from '../../movements.ts'
import { readTokenAccount, tokenAccountOf } from '../associated-token-account.ts'
import { parseSolanaTerms } from '../facts/solana-deposit-terms.ts'
import { parseSolanaSplitTerms } from '../facts/solana-split-terms.ts'
import { createSolanaAdapter } from '../rpc/solana-adapter.ts'
import { responses, type SolanaRpc } from '../rpc/solana-rpc.ts'
import { changeOf, creditOf, gainOf, movementOf, type SolanaTransaction } from '../rpc/solana-transaction.ts'

/** Accounts per `getMultipleAccounts`. */
const accountsPerCall = 100

/** Accounts whose transactions are read concurrently. */
const parallelMax = 8

/** An account with this many transactions is not compared. */
const listedMax = 20_000

const wholeBps = 10_000n

/**
 * Reads the final transactions of deposits' token accounts, and those with the reference of a wallet payment or refund. Each
 * account is compared up to one final slot; the watcher's cursor is stored per account.
 */
export async function readSolanaMovements(
  network: SolanaNetwork,
  rpc: SolanaRpc,
  { accounts, onProgress }: MovementsRequest,
  signal: AbortSignal,
): Promise<MovementReader> {
  const adapter = createSolanaAdapter(network, rpc, silentLog)
  const at = await finalSlot(network, rpc, signal)
  const isHere = (account: Account) => account.network === network.shortName
  let total = 0
  for await (const page of accounts()) total += page.filter(isHere).length
  let done = 0
  const countRead = () => {
    done += 1
    onProgress(done, total)
  }

  async function readOne(account: Account, upTo: Balanced, readSignal: AbortSignal): Promise<AccountReading> {
    const address = addressOf(account)
    const listed = await adapter.signatures(address, null, upTo.slot, readSignal)
    if (listed.length >= listedMax) {
      countRead()
      // Anyone can make transactions that name an account: all others are compared.
      const unread = `the account ${address} has ${listedMax} transactions or more, too many to read`
      return { movements: [], balances: [], blocks: new Map(), unread }
    }
    const blocks = new Map<string, number>()
    const movements: Movement[] = []
    for (const { signature, slot, isFailed } of listed) {
      if (slot > upTo.slot) continue
      blocks.set(signature, slot)
      if (isFailed) continue
      const transaction = await adapter.transaction(signature, 'finalized', readSignal)
      if (transaction === undefined)
        throw new Error(`${network.name}: a node lists ${signature} but does not return it`)
      movements.push(...movementsIn(account, transaction))
    }
    movements.sort(inChainOrder)
    const later = movements.filter(({ block }) => block > at.number).reduce((sum, one) => sum + effectOf(one), 0n)
    countRead()
    return {
      movements: movements.filter(({ block }) => block <= at.number),
      balances: account.mode === 'deposit' ? [{ token: account.token, amount: upTo.amount - later }] : [],
      blocks,
    }
  }

  return {
    at,
    async read(page, readSignal) {
      const readings = new Map<Account, AccountReading>()
      for (const batch of inBatches(page.filter(isHere), accountsPerCall)) {
        const upTo = await finalBalances(network, rpc, batch, at.number, readSignal)
        for (const group of inBatches([...batch.entries()], parallelMax)) {
          await Promise.all(
            group.map(async ([index, account]) => {
              const state = { slot: upTo.slot, amount: upTo.amounts[index] ?? 0n }
              readings.set(account, await readOne(account, state, readSignal))
            }),
          )
        }
      }
      return page.map((account) => readings.get(account))
    },
    async blockOf(account, txId, readSignal) {
      const transaction = await adapter.transaction(txId, 'finalized', readSignal)
      return transaction?.isSuccess && changeOf(transaction, addressOf(account)) !== 0n ? transaction.slot : undefined
    },
    async transferOf(refund, { txId, logIndex }, readSignal) {
      const transaction = await adapter.transaction(txId, 'finalized', readSignal)
      const found = transaction && refundMovements(refund, transaction).find((one) => one.logIndex === logIndex)
      return found && { block: found.block, amount: found.amount }
    },
    async verifyUnchanged(readSignal) {
      const { number } = await finalSlot(network, rpc, readSignal)
      if (number < at.number) throw new ChainMovedError(`${network.name}: the node is behind the slot read before`)
    },
  }
}

/** The account's balance at the finalized slot `slot`. */
type Balanced = { slot: number; amount: bigint }

async function finalSlot(network: SolanaNetwork, rpc: SolanaRpc, signal: AbortSignal) {
  return await rpc.onOneNode(async (ask) => {
    const number = await ask(responses.slot, 'getSlot', [{ commitment: 'finalized' }])
    const seconds = await ask(responses.blockTime, 'getBlockTime', [number])
    if (seconds === null) throw new Error(`${network.name}: the node has no block time for slot ${number}`)
    return { number, hash: String(number), parentHash: '', timeMs: seconds * 1_000 }
  }, signal)
}

async function finalBalances(
  network: SolanaNetwork,
  rpc: SolanaRpc,
  accounts: readonly Account[],
  minContextSlot: number,
  signal: AbortSignal,
): Promise<{ slot: number; amounts: bigint[] }> {
  const options = { commitment: 'finalized', encoding: 'base64', minContextSlot }
  const params = [accounts.map(addressOf), options]
  const { context, value } = await rpc.ask(responses.accounts, 'getMultipleAccounts', params, signal)
  if (value.length !== accounts.length) throw new Error(`${network.name}: a node omitted accounts`)
  const amounts = accounts.map(({ token, place }, index) => {
    const state = value[index]
    const account = state ? readTokenAccount(state) : undefined
    // The service does not own an account with another owner, and does not count transfers to it.
    return account?.mint === token && account.owner === place ? account.amount : 0n
  })
  return { slot: context.slot, amounts }
}

/** A deposit's token account, or the reference of a wallet payment or a refund. */
const addressOf = ({ mode, token, place }: Account): string =>
  mode === 'deposit' ? tokenAccountOf(token, place) : place

function movementsIn(account: Account, transaction: SolanaTransaction): Movement[] {
  switch (account.mode) {
    case 'deposit':
      return depositMovements(account, transaction)
    case 'contract':
      return splitMovements(account, transaction)
    case 'refund':
      return refundMovements(account, transaction)
    default:
      return account.mode satisfies never
  }
}

/** What the customer's token account received. */
function refundMovements(account: Account, transaction: SolanaTransaction) {
  const { token: mint, terms: owner } = account
  const credit = creditOf(transaction, { account: tokenAccountOf(mint, owner), owner, mint })
  if (!credit) return []
  return [{ ...placeOf(account, transaction, credit.logIndex), kind: 'in' as const, amount: credit.amount }]
}

function placeOf({ token }: Account, { signature, slot, timeMs }: SolanaTransaction, logIndex: number) {
  if (timeMs === null) throw new Error(`A node has no block time for slot ${slot}`)
  return { txId: signature, logIndex, block: slot, timeMs, token }
}

/** A transaction's effect on a deposit's token account. */
function depositMovements(account: Account, transaction: SolanaTransaction): Movement[] {
  const target = { account: addressOf(account), owner: account.place, mint: account.token }
  const credit = creditOf(transaction, target)
  if (credit) return [{ ...placeOf(account, transaction, credit.logIndex), kind: 'in', amount: credit.amount }]
  const change = transaction.changes.find((one) => one.account === target.account)
  const isOurs = (owner: string | null | undefined) => owner === account.place
  if (change === undefined || !transaction.isSuccess || !isOurs(change.ownerBefore)) return []
  // The key's holder can transfer the account's ownership, with its balance.
  const isGivenAway = change.ownerAfter !== null && !isOurs(change.ownerAfter)
  if (isGivenAway) return [{ ...placeOf(account, transaction, change.index), kind: 'gone', amount: change.before }]
  const taken = change.before - change.after
  if (taken <= 0n) return []
  const { merchant, platform, mint, feeBps } = parseSolanaTerms(account.terms)
  const place = placeOf(account, transaction, movementOf(transaction, target, taken).logIndex)
  const gain = (owner: string) => gainOf(transaction, { account: tokenAccountOf(mint, owner), owner, mint })
  const toMerchant = gain(merchant)
  const toPlatform = merchant === platform ? 0n : gain(platform)
  if (toMerchant > 0n && toMerchant + toPlatform === taken) {
    const feeAmount = merchant === platform ? (taken * BigInt(feeBps)) / wholeBps : toPlatform
    // A platform share that cannot be paid stays at the deposit address, and does not count as withdrawn.
    return [{ ...place, kind: 'settled', merchantAmount: taken - feeAmount, feeAmount, isFeeParked: false }]
  }
  const gained = transaction.changes.filter((change) => change.mint === mint && change.after > change.before)
  const [only] = gained
  // A transfer to the platform alone is its parked share. A refund to its wallet looks the same; the books distinguish them.
  if (toMerchant === 0n && toPlatform === taken) return [{ ...place, kind: 'feePaid', amount: taken }]
  if (gained.length === 1 && only && only.after - only.before === taken)
    return [{ ...place, kind: 'sentBack', to: only.ownerAfter ?? '', amount: taken }]
  return [{ ...place, kind: 'gone', amount: taken }]
}

/** A transaction's payments to both recipients of a wallet payment; none if either received too little. */
function splitMovements(account: Account, transaction: SolanaTransaction): Movement[] {
  const { merchant, platform, mint, feeBps, amount } = parseSolanaSplitTerms(account.terms)
  const accountOfMerchant = tokenAccountOf(mint, merchant)
  const gain = (owner: string) => gainOf(transaction, { account: tokenAccountOf(mint, owner), owner, mint })
  const feeDue = (amount * BigInt(feeBps)) / wholeBps
  const isOneWallet = merchant === platform
  const toMerchant = gain(merchant)
  const toPlatform = isOneWallet || feeDue === 0n ? 0n : gain(platform)
  const isPaid = isOneWallet ? toMerchant >= amount : toMerchant >= amount - feeDue && toPlatform >= feeDue
  if (!isPaid || toMerchant + toPlatform === 0n) return []
  const counted = movementOf(transaction, { account: accountOfMerchant, mint }, toMerchant + toPlatform)
  const place = placeOf(account, transaction, counted.logIndex)
  const feeAmount = isOneWallet ? feeDue : toPlatform
  const merchantAmount = isOneWallet ? toMerchant - feeDue : toMerchant
  return [
    { ...place, kind: 'in', amount: counted.amount },
    { ...place, kind: 'settled', merchantAmount, feeAmount, isFeeParked: false },
  ]
}

function* inBatches<T>(all: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size)
}
