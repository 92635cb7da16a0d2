import { type Db, sql } from '@stablecoin-checkout/bff/testing/db'
import type { PaymentId } from '@stablecoin-checkout/bff/testing/payment'
import {
  createDepositWatcher,
  createLateAccountScanner,
  createRefundTransactions,
  createRefundWatcher,
  createSolanaRefundVerification,
  createSolanaSweeper,
  type SolanaAdapter,
  tokenAccountOf,
} from '@stablecoin-checkout/bff/testing/solana'
import type { SolanaFixture } from './devnet/solana/fixtures.ts'

type WorkerParts = Parameters<typeof createDepositWatcher>[0] & Parameters<typeof createSolanaSweeper>[0]

/** @param counted - The adapter whose calls are counted. */
export function openDepositWorkers(
  parts: WorkerParts,
  counted: SolanaAdapter,
  solana: SolanaFixture,
  signal: AbortSignal,
) {
  const watcher = createDepositWatcher(parts)
  const lateScanner = createLateAccountScanner({ ...parts, adapter: counted })
  const sweeper = createSolanaSweeper(parts)
  const both = async () => {
    await watcher.pass(signal)
    await sweeper.pass(signal)
  }
  return {
    watch: async () => await watcher.pass(signal),
    payout: async () => await sweeper.pass(signal),
    scanLate: async () => await lateScanner.pass(signal),
    async work(rounds = 3): Promise<void> {
      for (let round = 0; round < rounds; round += 1) {
        await both()
        await solana.advance(6)
      }
      await both()
    },
  }
}

type RefundParts = Parameters<typeof createSolanaRefundVerification>[0] &
  Parameters<typeof createRefundTransactions>[0] &
  Omit<Parameters<typeof createRefundWatcher>[0], 'verifyRefund' | 'isPayable'>

export function openRefundWatcher(parts: RefundParts, signal: AbortSignal) {
  const verifyRefund = createSolanaRefundVerification(parts)
  const newWatcher = (changed: Partial<Parameters<typeof createRefundWatcher>[0]> = {}) =>
    createRefundWatcher({ ...parts, isPayable: () => true, verifyRefund, ...changed })
  const watcher = newWatcher()
  return {
    refundsOfWallets: { verifyRefund, refundTransaction: createRefundTransactions(parts) },
    /** One pass of the refund watcher. */
    findRefunds: async () => await watcher.pass(signal),
    /** A restarted refund watcher, which knows only what is stored. */
    restartRefundWatcher: newWatcher,
  }
}

/** Base units held by merchant and platform. */
export async function balancesOf(chain: SolanaAdapter, mint: string, wallets: readonly string[], signal: AbortSignal) {
  const accounts = wallets.map((owner) => tokenAccountOf(mint, owner))
  const [ours, platform] = await chain.tokenAccounts(accounts, undefined, signal)
  return { merchant: ours?.amount ?? 0n, platform: platform?.amount ?? 0n }
}

/** The types of a payment's events, in order. */
export async function eventsOf(db: Db, id: PaymentId): Promise<string[]> {
  const query = sql`select type from events where payment_id = ${id} order by number`
  return (await db.read((tx) => tx.all<{ type: string }>(query))).map(({ type }) => type)
}
