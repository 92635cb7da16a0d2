import type { EvmNetwork } from '../../../core/families.ts'
import type { Runtime } from '../../../core/runtime.ts'
import type { Db } from '../../../db/db.ts'
import type { NetworkHealth } from '../../../network/network-health.ts'
import type { Transfer } from '../../../payment/event.ts'
import type { Ledger } from '../../../payment/ledger.ts'
import type { Payment } from '../../../payment/payment.ts'
import { isPaid } from '../../../payment/payment-sums.ts'
import { loadPayment } from '../../../payment/store/payment-store.ts'
import { transfersIn } from '../../../payment/store/transfer-store.ts'
import type { Submission } from '../../connector.ts'
import { hasHeader, loadHeaders } from '../../cursor-store.ts'
import { stillUnconfirmed, stillUnpaid } from '../../refusal.ts'
import type { EvmAdapter } from '../rpc/evm-adapter.ts'
import { verifyConfirmations, verifySplit } from './verify-payment.ts'

type Deps = {
  db: Db
  ledger: Ledger
  health: NetworkHealth
  network: EvmNetwork
  adapter: Pick<EvmAdapter, 'network' | 'receipt' | 'block'>
  runtime: Runtime
}

/**
 * Verifies a transaction named by a client, without waiting for the watcher. The ledger gets the watcher's event, and only for
 * blocks that the watcher has applied, so that a reorg reverts the transfer like any other.
 */
export function createEvmSubmissions({ db, ledger, health, network, adapter, runtime }: Deps) {
  /** @returns the paid payment. @throws {TransactionRefused} or the node's error. */
  return async function verifySubmission({ id, txId }: Submission, signal: AbortSignal): Promise<Payment> {
    const { payment, tip, known } = await db.read(async (tx) => ({
      payment: await loadPayment(tx, id),
      tip: (await loadHeaders(tx, network.shortName, 1)).at(-1),
      known: await transfersIn(tx, network.shortName, txId),
    }))
    if (payment?.mode !== 'contract') throw new Error(`No contract payment ${id}`)
    if (isPaid(payment)) return payment
    if (!health.get(network.shortName).isPayable || !tip)
      throw stillUnconfirmed(`no node of ${network.name} responds; try again`)
    const own = known.find(({ paymentId }) => paymentId === id)
    if (own) return verifyPaid(payment, own, tip.number)
    const isUsed = async () => known.length > 0
    const transfer = await verifySplit({ payment, network, chain: adapter, txId, isUsed }, signal)
    // High-value payments are left to the watcher, which asks a second node.
    const isDeep = tip.number - transfer.blockNumber + 1 >= network.confirmations
    const isConfirmed = isDeep && payment.confirmations === null
    const type = isConfirmed ? 'transfer.confirmed' : 'transfer.seen'
    const after = await db.write(async (tx) => {
      // The block was canonical after this tip was read. While the tip is unchanged, the watcher has not yet passed a reorg of
      // the block.
      if (transfer.blockNumber > tip.number || !(await hasHeader(tx, network.shortName, tip))) return undefined
      return await ledger.applyIn(tx, id, { type, transfer, atMs: runtime.nowMs() })
    })
    return verifyPaid(after ?? payment, transfer, tip.number)
  }

  /** Returns a paid payment. @throws {TransactionRefused} with what is missing. */
  function verifyPaid(payment: Payment, transfer: Transfer, head: number): Payment {
    if (isPaid(payment)) return payment
    verifyConfirmations(transfer.blockNumber, head, payment.confirmations ?? network.confirmations)
    if (payment.late === 0n && payment.received === 0n) throw stillUnconfirmed('the block is being read')
    throw stillUnpaid(payment)
  }
}
