import { setTimeout as sleep } from 'node:timers/promises'
import { hasHeader, loadHeaders } from '../../chain/cursor-store.ts'
import type { EvmAdapter } from '../../chain/evm/rpc/evm-adapter.ts'
import { verifyConfirmations, verifySplit } from '../../chain/evm/split/verify-payment.ts'
import { Refusal, stillUnconfirmed, unknownTransaction } from '../../chain/refusal.ts'
import { isSolanaSplit } from '../../chain/solana/split/solana-split-terms.ts'
import type { LookAtSolana } from '../../chain/solana/split/verify-submission.ts'
import { findNetwork, type Network, type Networks } from '../../core/families.ts'
import type { Log } from '../../core/log.ts'
import { formatAmount } from '../../core/money.ts'
import type { Runtime } from '../../core/runtime.ts'
import { withTimeout } from '../../core/with-timeout.ts'
import type { Db } from '../../db/db.ts'
import type { NetworkHealth } from '../../network/network-health.ts'
import type { Transfer } from '../../payment/event.ts'
import type { Ledger } from '../../payment/ledger.ts'
import { type ContractPayment, isPaid, type Payment } from '../../payment/payment.ts'
import { loadPayment, transfersIn } from '../../payment/payment-store.ts'

/** Between two looks. A block may be faster, but nobody waits for less. */
const pauseMinMs = 100
const pauseMaxMs = 2_000

export type ContractChains = ReadonlyMap<string, Pick<EvmAdapter, 'network' | 'receipt' | 'block'>>

type Deps = {
  db: Db
  ledger: Ledger
  networks: Networks
  health: NetworkHealth
  chains: ContractChains
  runtime: Runtime
  log: Log
  /** The same for payments on Solana. */
  lookAtSolana: LookAtSolana
  waitMs: number
  waitsMax: number
  /** The service is stopping: nobody waits any more. */
  stopping: AbortSignal
}

export type Processor = ReturnType<typeof createProcessor>

/**
 * Looks at a transaction that a client named, until its payment is paid, refused for good, or the wait is over. It is a
 * second pair of eyes beside the watcher: what it finds goes to the ledger as the same event, only for blocks that the
 * watcher has passed, so that a reorg takes it back like everything else.
 */
export function createProcessor(deps: Deps) {
  const { db, ledger, networks, health, chains, lookAtSolana, runtime, log, waitMs, waitsMax, stopping } = deps
  let waiting = 0
  /** Looks under way, so that a client that asks fifty times at once costs the node one question. */
  const looks = new Map<string, Promise<Payment>>()

  /** @throws {Refusal} or the node's error. */
  async function look({ id, splitTerms }: ContractPayment, txId: string): Promise<Payment> {
    if (isSolanaSplit(splitTerms)) return await lookAtSolana({ id, txId }, stopping)
    const { payment, tip, known } = await db.read(async (tx) => {
      const stored = await loadPayment(tx, id)
      return {
        payment: stored,
        tip: stored && (await loadHeaders(tx, stored.network, 1)).at(-1),
        known: stored ? await transfersIn(tx, stored.network, txId) : [],
      }
    })
    if (payment?.mode !== 'contract') throw new Error(`There is no contract payment ${id}`)
    if (isPaid(payment)) return payment
    if (payment.isTest) throw unknownTransaction('this is a test payment, on no chain; simulate what shall happen')
    const [network, chain] = [findNetwork(networks, payment.network), chains.get(payment.network)]
    if (!network || !chain) throw stillUnconfirmed(`${payment.network} is not configured any more`)
    if (!health.get(payment.network).isPayable || !tip) throw stillUnconfirmed(`${network.name} cannot be read now`)
    const own = known.find(({ paymentId }) => paymentId === id)
    if (own) return settled(payment, own, tip.number, network)
    const isUsed = async () => known.length > 0
    const transfer = await verifySplit({ payment, network, chain, txId, isUsed }, stopping)
    // One of high value is left to the watcher, which asks a second node.
    const isDeep = tip.number - transfer.blockNumber + 1 >= network.confirmations
    const isConfirmed = isDeep && payment.confirmations === null
    const type = isConfirmed ? 'transfer.confirmed' : 'transfer.seen'
    const after = await db.write(async (tx) => {
      // The block was canonical after this tip was read. Unless the tip is gone, a reorg that takes it is still to come.
      if (transfer.blockNumber > tip.number || !(await hasHeader(tx, payment.network, tip))) return undefined
      return await ledger.applyIn(tx, id, { type, transfer, atMs: runtime.nowMs() })
    })
    return settled(after ?? payment, transfer, tip.number, network)
  }

  /** The payment when it is paid. @throws {Refusal} saying what is missing. */
  function settled(payment: Payment, transfer: Transfer, head: number, network: Network): Payment {
    if (isPaid(payment)) return payment
    verifyConfirmations(transfer.blockNumber, head, payment.confirmations ?? network.confirmations)
    if (payment.late > 0n) throw new Refusal('PAID_LATE', 'the payment had ended before it was paid; ask the merchant')
    if (payment.received === 0n) throw stillUnconfirmed('the block is being read')
    const format = (amount: Payment['due']) => formatAmount(amount, payment.tokenDecimals)
    throw new Refusal('UNDERPAID', `${format(payment.received)} of ${format(payment.due)} ${payment.currency} arrived`)
  }

  function sharedLook(payment: ContractPayment, txId: string): Promise<Payment> {
    const key = `${payment.id} ${txId}`
    const running = looks.get(key)
    if (running) return running
    const started = look(payment, txId).finally(() => looks.delete(key))
    looks.set(key, started)
    return started
  }

  /** One look. @returns the paid payment, or why it is not paid (yet). */
  async function lookOnce(payment: ContractPayment, txId: string, until: AbortSignal): Promise<Payment | Refusal> {
    try {
      return await orAborted(sharedLook(payment, txId), until)
    } catch (error) {
      if (error instanceof Refusal) return error
      if (!until.aborted) log.warn({ network: payment.network, paymentId: payment.id, err: error }, 'could not verify')
      return stillUnconfirmed('the chain could not be read')
    }
  }

  return {
    /** How many requests are waiting. */
    get waiting() {
      return waiting
    },
    /** @param left - The client has gone. @returns the paid payment, or why it is not paid (yet). */
    async process(payment: ContractPayment, txId: string, left: AbortSignal): Promise<Payment | Refusal> {
      if (waiting >= waitsMax) return stillUnconfirmed('many payments are being verified; ask again in a moment')
      waiting += 1
      const { pollMs = pauseMaxMs } = findNetwork(networks, payment.network) ?? {}
      const pauseMs = Math.min(pauseMaxMs, Math.max(pauseMinMs, pollMs))
      try {
        return await withTimeout(waitMs, [left, stopping], async (until) => {
          for (;;) {
            const seen = await lookOnce(payment, txId, until)
            if (!(seen instanceof Refusal) || !seen.isOpen || payment.isTest || until.aborted) return seen
            await sleep(pauseMs, undefined, { signal: until }).catch(() => undefined)
            if (until.aborted) return seen
          }
        })
      } finally {
        waiting -= 1
      }
    },
  }
}

/** A node that hangs holds up nobody for longer than they wait. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  let stop = () => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
