import type { WalletPayments } from '../../chain/connector.ts'
import { createMinuteShares } from '../../chain/minute-bound.ts'
import { stillUnconfirmed, TransactionRefused, unknownTransaction } from '../../chain/refusal.ts'
import { createFairShares, type Shares } from '../../core/fair-shares.ts'
import { findNetwork, type Networks } from '../../core/families.ts'
import type { Log } from '../../core/log.ts'
import type { Runtime } from '../../core/runtime.ts'
import { withTimeout } from '../../core/with-timeout.ts'
import { pause } from '../../core/worker.ts'
import type { ContractPayment, Payment } from '../../payment/payment.ts'

/** Pause between two verifications, for faster and slower blocks. */
const pauseMinMs = 100
const pauseMaxMs = 2_000

/** Anybody with a public key can name transactions that never come: neither one address nor one merchant may take all waits. */
const sharesOf = (all: number): Shares => ({ all, perMerchant: Math.ceil(all / 2), perClient: Math.ceil(all / 4) })

/** Transactions verified per minute: each costs two or more node calls, and anybody with a public key can name any number. */
const verificationsPerMinute: Shares = { perClient: 120, perMerchant: 1_200, all: 2_400 }

type Deps = {
  networks: Networks
  /** By the network's short name. */
  chains: ReadonlyMap<string, WalletPayments>
  log: Log
  runtime: Pick<Runtime, 'nowMs'>
  waitMs: number
  waitsMax: number
  /** Aborted when the service stops: every wait ends. */
  stopping: AbortSignal
}

export type Processor = ReturnType<typeof createProcessor>

/**
 * Verifies a submitted transaction repeatedly, until its payment is paid, the transaction is refused permanently, or
 * the wait is over.
 */
export function createProcessor(deps: Deps) {
  const { networks, chains, log, runtime, waitMs, waitsMax, stopping } = deps
  const shares = createFairShares(sharesOf(waitsMax))
  const verifications = createMinuteShares(verificationsPerMinute, runtime.nowMs)
  let waiting = 0
  /** Verifications in progress: concurrent requests for a transaction share one node call. */
  const running = new Map<string, Promise<Payment>>()

  /** @returns the paid payment. @throws {TransactionRefused} or the node's error. */
  async function verify({ id, network, isTest }: ContractPayment, txId: string): Promise<Payment> {
    if (isTest) throw unknownTransaction('this is a test payment; simulate its events')
    const chain = chains.get(network)
    if (!chain) throw stillUnconfirmed(`${network} is no longer configured`)
    return await chain.verifySubmission({ id, txId }, stopping)
  }

  function verifyShared(payment: ContractPayment, txId: string): Promise<Payment> {
    const key = `${payment.id} ${txId}`
    const shared = running.get(key)
    if (shared) return shared
    const started = verify(payment, txId).finally(() => running.delete(key))
    running.set(key, started)
    return started
  }

  /**
   * Verifies once.
   * @returns the paid payment, or the reason why it is not paid (yet); undefined if the wait ended first.
   */
  async function verifyOnce(payment: ContractPayment, txId: string, until: AbortSignal) {
    // A verification without a waiting request could end the process by an unhandled rejection.
    if (until.aborted) return undefined
    try {
      return await orAborted(verifyShared(payment, txId), until)
    } catch (error) {
      if (error instanceof TransactionRefused) return error
      if (until.aborted) return undefined
      log.warn({ network: payment.network, paymentId: payment.id, err: error }, 'Verifying a transaction failed')
      return stillUnconfirmed('the chain could not be read')
    }
  }

  return {
    /** Number of waiting requests. */
    get waiting() {
      return waiting
    },
    /**
     * @param left - Aborted when the client has disconnected.
     * @param client - A digest of the client's address; null: a merchant's server.
     * @returns the paid payment, or the reason why it is not paid (yet).
     */
    async process(
      payment: ContractPayment,
      txId: string,
      left: AbortSignal,
      client: string | null,
    ): Promise<Payment | TransactionRefused> {
      const asker = { client, merchantId: payment.merchantId }
      const busy = stillUnconfirmed('many payments are being verified; try again in a moment')
      if (!verifications.take(asker)) return busy
      if (!shares.take(asker)) return busy
      waiting += 1
      const { pollMs = pauseMaxMs } = findNetwork(networks, payment.network) ?? {}
      const pauseMs = Math.min(pauseMaxMs, Math.max(pauseMinMs, pollMs))
      try {
        return await withTimeout(waitMs, [left, stopping], async (until) => {
          let last = stillUnconfirmed('the chain could not be read')
          for (;;) {
            const result = await verifyOnce(payment, txId, until)
            if (result === undefined) return last
            if (!(result instanceof TransactionRefused) || !result.isOpen || payment.isTest || until.aborted)
              return result
            await pause(pauseMs, until)
            if (until.aborted) return result
            last = result
          }
        })
      } finally {
        shares.release(asker)
        waiting -= 1
      }
    },
  }
}

/** Rejects when the signal aborts, so that a hanging node never extends a request's wait. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
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
