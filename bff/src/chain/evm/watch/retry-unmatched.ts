import type { Log } from '../../../core/log.ts'
import type { Runtime } from '../../../core/runtime.ts'
import type { Db } from '../../../db/db.ts'
import type { PaymentEvent } from '../../../payment/event.ts'
import type { Ledger } from '../../../payment/ledger.ts'
import { watchedPayment } from '../../../payment/store/watched-payments-store.ts'
import { coinAddress } from '../../../payment/unmatched.ts'
import { storeFaults } from '../../apply-isolated.ts'
import { faultsOf, faultyPayments, removeFault, type WatchFault } from '../../watch-fault-store.ts'
import type { EvmAdapter } from '../rpc/evm-adapter.ts'
import type { DescribeToken } from './known-tokens.ts'

/** Payments retried per pass, each separately, and tokens per payment. */
const paymentsMax = 5
const tokensMax = 20

type Deps = {
  db: Db
  ledger: Ledger
  adapter: Pick<EvmAdapter, 'balances'>
  network: { shortName: string }
  runtime: Runtime
  log: Log
}

/** Measures again the unmatched balances that could not be applied to their payments. */
export function createUnmatchedRetry({ db, ledger, adapter, network, runtime, log }: Deps) {
  const name = network.shortName

  async function measure(fault: WatchFault, describe: DescribeToken, at: number, signal: AbortSignal) {
    const deposit = await db.read((tx) => watchedPayment(tx, fault.id))
    const token = describe(fault.place === coinAddress ? null : fault.place)
    if (deposit === undefined || token === undefined) return []
    const asked = fault.place === coinAddress ? null : fault.place
    const [balance = 0n] = await adapter.balances(asked, [deposit.place], at, signal)
    const measured = { ...token, network: name, balance, block: at, txId: null, atMs: runtime.nowMs() }
    return [{ type: 'unmatched.measured', ...measured } as PaymentEvent]
  }

  /**
   * @param at - The block of the balances.
   * @throws {Error} when the database fails.
   */
  return async function retryUnmatched(describe: DescribeToken, at: number, signal: AbortSignal): Promise<void> {
    for (const id of await db.read((tx) => faultyPayments(tx, name, 'unmatched', paymentsMax))) {
      for (const fault of await db.read((tx) => faultsOf(tx, name, { id, part: 'unmatched' }, tokensMax))) {
        try {
          const events = await measure(fault, describe, at, signal)
          await db.write(async (tx) => {
            for (const event of events) await ledger.applyIn(tx, id, event)
            await removeFault(tx, name, fault)
          })
        } catch (error) {
          if (signal.aborted) throw error
          await storeFaults({ db, network: name, runtime, log }, [{ ...fault, error }])
        }
      }
    }
  }
}
