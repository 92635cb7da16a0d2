import type { Log } from '../../../core/log.ts'
import type { Transfer } from '../../../payment/event.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import { isOfNodes } from '../../rpc-pool.ts'
import type { ListedSignature, SolanaAdapter } from '../rpc/solana-adapter.ts'
import { creditOf, type SolanaTransaction, type Target } from '../rpc/solana-transaction.ts'

/** Maximum difference between this host's clock and the cluster's estimated block times. */
const clockSkewMs = 15 * 60 * 1000

type Chain = Pick<SolanaAdapter, 'transaction'>

type Reader = {
  /** Whether the transaction was already read in the same slot. */
  isRead?: (listed: ListedSignature) => boolean
  /**
   * @param transaction - Undefined if it failed, or was read before.
   * @returns false if it must be read again.
   */
  onTransaction: (listed: ListedSignature, transaction: SolanaTransaction | undefined) => Promise<boolean> | boolean
  /** Called with a transaction that the nodes return in an unreadable form; later ones are still read. */
  onUnreadable: (listed: ListedSignature, error: unknown) => void
}

/**
 * Reads listed transactions of a token account one by one.
 * @returns false at the first transaction that the node lists but does not return, because a fork removed it or the node lags.
 * That one and later ones must be read again.
 */
export async function readListed(
  chain: Chain,
  listed: readonly ListedSignature[],
  { isRead, onTransaction, onUnreadable }: Reader,
  signal: AbortSignal,
): Promise<boolean> {
  for (const one of listed) {
    const isWanted = !one.isFailed && !isRead?.(one)
    let transaction: SolanaTransaction | undefined
    try {
      transaction = isWanted ? await chain.transaction(one.signature, 'confirmed', signal) : undefined
    } catch (error) {
      if (signal.aborted || isOfNodes(error)) throw error
      onUnreadable(one, error)
      continue
    }
    if (isWanted && transaction === undefined) return false
    if (!(await onTransaction(one, transaction))) return false
  }
  return true
}

/** A deposit's token account, and the newest signature that was read. */
export type ReadableAccount = Target & { id: PaymentId; createdAtMs: number; readTo: string | null }

/**
 * The transfers read from one account, the newest signature read, the number of transactions read, and the number left.
 * `unreadable`: the error of the first unreadable transaction; `to` stays before it, so that it is read again.
 */
export type AccountTransfers = {
  credits: Transfer[]
  to: string | null
  read: number
  left: number
  unreadable: { error: unknown } | undefined
}

/**
 * The transaction's transfer to the deposit's account.
 * @throws {Error} while the node has no time for its block.
 */
export function transferOf(network: string, transaction: SolanaTransaction, target: Target): Transfer | undefined {
  const credit = creditOf(transaction, target)
  if (credit === undefined) return undefined
  if (transaction.timeMs === null)
    throw new Error(`${network}: the node has no block time for slot ${transaction.slot} yet`)
  return { ...credit, network, blockTimeMs: transaction.timeMs }
}

/**
 * Reads the next transactions of a deposit's token account.
 * @param limit - Maximum transactions.
 * @returns undefined if the node lists a transaction that it does not return yet.
 */
export async function readTransfers(
  { adapter, log }: { adapter: Pick<SolanaAdapter, 'network' | 'signatures' | 'transaction'>; log: Log },
  account: ReadableAccount,
  { slot, limit }: { slot: number; limit: number },
  signal: AbortSignal,
): Promise<AccountTransfers | undefined> {
  const { network } = adapter
  const listed = await adapter.signatures(account.account, account.readTo, slot, signal)
  const batch = listed.slice(0, limit)
  const credits: Transfer[] = []
  let to = account.readTo
  let unreadable: AccountTransfers['unreadable']
  const isWhole = await readListed(
    adapter,
    batch,
    {
      onUnreadable: (_, error) => {
        unreadable ??= { error }
      },
      onTransaction({ signature }, transaction) {
        let credit: Transfer | undefined
        try {
          credit = transaction && transferOf(network, transaction, account)
        } catch (error) {
          unreadable ??= { error }
          return true
        }
        if (!unreadable) to = signature
        // Money that arrived before the payment's creation was not sent for it: its address was not yet known.
        if (credit && credit.blockTimeMs >= account.createdAtMs - clockSkewMs) credits.push(credit)
        else if (credit)
          log.warn({ network, paymentId: account.id, txId: signature }, 'A transfer is older than its payment')
        return true
      },
    },
    signal,
  )
  if (!isWhole) return undefined
  return { credits, to, read: batch.length, left: listed.length - batch.length, unreadable }
}
