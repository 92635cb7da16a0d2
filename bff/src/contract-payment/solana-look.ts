import type { NetworkHealth } from '../chain/network-health.ts'
import type { SolanaSplitChain, SolanaTransaction } from '../chain/solana-split-chain.ts'
import { parseSolanaSplitTerms } from '../chain/solana-split-terms.ts'
import type { Db, Tx } from '../db/db.ts'
import { formatAmount } from '../money.ts'
import type { Ledger } from '../payment/apply.ts'
import type { StoredTransfer } from '../payment/event.ts'
import { type ContractPayment, isPaid, type Payment, type PaymentId } from '../payment/payment.ts'
import { loadPayment, transfersIn } from '../payment/payment-store.ts'
import type { Runtime } from '../runtime.ts'
import { namesAnother } from './solana-store.ts'
import { verifySolanaSplit } from './solana-verify.ts'
import { Refusal, stillUnconfirmed, unknownTransaction } from './verify.ts'

type Deps = {
  db: Db
  ledger: Ledger
  health: NetworkHealth
  runtime: Runtime
  /** By the network's short name. */
  chains: ReadonlyMap<string, SolanaSplitChain>
}

/** A transaction that is said to pay a payment. `sender`: who the client says has sent it. */
export type SolanaClaimed = { id: PaymentId; txId: string; sender: string | undefined }

export type LookAtSolana = ReturnType<typeof createSolanaLook>

/**
 * Looks once at a transaction that a client or the finder named, and tells the ledger what it moved: seen when it is
 * confirmed, paid when it is finalized, taken back when the slot that it was in is final without it.
 */
export function createSolanaLook({ db, ledger, health, runtime, chains }: Deps) {
  const isOther = (id: PaymentId) => (transfer: { paymentId: PaymentId }) => transfer.paymentId !== id

  async function read({ id, txId }: SolanaClaimed) {
    return await db.read(async (tx) => {
      const payment = await loadPayment(tx, id)
      return { payment, known: payment ? await transfersIn(tx, payment.network, txId) : [] }
    })
  }

  async function isUsed(tx: Tx, { id, network }: Payment, { signature, keys }: SolanaTransaction): Promise<boolean> {
    return (await transfersIn(tx, network, signature)).some(isOther(id)) || (await namesAnother(tx, network, id, keys))
  }

  /** It was seen, and is in no node's chain any more. */
  async function takeBack(id: PaymentId, own: StoredTransfer | undefined, chain: SolanaSplitChain): Promise<void> {
    if (own?.state !== 'seen' || (await chain.finalizedSlot()) <= own.blockNumber) return
    await ledger.apply(id, { type: 'transfer.reverted', transfer: own, atMs: runtime.nowMs() })
  }

  /** @returns the payment when it is paid. @throws {Refusal} saying what is missing, or the node's error. */
  return async function look(claimed: SolanaClaimed): Promise<Payment> {
    const { id, txId } = claimed
    const { payment, known } = await read(claimed)
    if (payment?.mode !== 'contract') throw new Error(`There is no contract payment ${id}`)
    if (isPaid(payment)) return payment
    if (payment.isTest) throw unknownTransaction('this is a test payment, on no chain; simulate what shall happen')
    const chain = chains.get(payment.network)
    if (!chain) throw stillUnconfirmed(`${payment.network} is not configured any more`)
    if (!health.get(payment.network).isPayable) throw stillUnconfirmed(`${payment.network} cannot be read now`)
    const own = known.find(({ paymentId }) => paymentId === id)
    const final = await chain.transaction(txId, 'finalized')
    const transaction = final ?? (await chain.transaction(txId, 'confirmed'))
    if (!transaction) {
      await takeBack(id, own, chain)
      throw unknownTransaction(`no block of ${payment.network} holds ${txId} yet`)
    }
    const terms = parseSolanaSplitTerms(payment.splitTerms)
    const used = () => db.read((tx) => isUsed(tx, payment, transaction))
    const sender = claimed.sender ?? own?.payer
    const transfer = await verifySolanaSplit({ payment, terms, transaction, sender, isUsed: used })
    const type = final ? 'transfer.confirmed' : 'transfer.seen'
    const after = await db.write(async (tx) => {
      // Again, because two payments may have been asked about at once.
      if (await isUsed(tx, payment, transaction)) return undefined
      return await ledger.applyIn(tx, id, { type, transfer, atMs: runtime.nowMs() })
    })
    if (!after) throw new Refusal('ALREADY_USED', 'the transaction pays another payment')
    return verifyPaid(after as ContractPayment, final !== undefined)
  }
}

/** The payment when it is paid. @throws {Refusal} saying what is missing. */
function verifyPaid(payment: ContractPayment, isFinal: boolean): Payment {
  if (isPaid(payment)) return payment
  if (!isFinal) throw stillUnconfirmed('the transaction is in a block that is not finalized yet')
  if (payment.late > 0n) throw new Refusal('PAID_LATE', 'the payment had ended before it was paid; ask the merchant')
  const format = (amount: Payment['due']) => formatAmount(amount, payment.tokenDecimals)
  throw new Refusal('UNDERPAID', `${format(payment.received)} of ${format(payment.due)} ${payment.currency} arrived`)
}
