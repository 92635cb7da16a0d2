import type { SolanaNetwork } from '../../../core/families.ts'
import type { GasBalances } from '../../../network/gas-balances.ts'
import type { PayoutDeps } from '../../../payout/payout-chain.ts'
import type { SolanaSigner } from '../signer/solana-signer.ts'
import type { SolanaSender } from './solana-sender.ts'

/** Dependencies of one Solana network's payouts. */
export type SolanaSweeperDeps = PayoutDeps & {
  network: Pick<SolanaNetwork, 'shortName' | 'name' | 'genesisHash' | 'pollMs'>
  sender: SolanaSender
  signer: SolanaSigner
  /** The fee payer's balance is noted here, for health and metrics. */
  gasBalances?: GasBalances
}

/**
 * Kinds of work that wait for lamports together: creating accounts, closing them, and payouts by the number of accounts
 * that they create.
 */
export type PauseKind = 'open' | 'close' | number

/** Dependencies of every step. */
export type SolanaContext = SolanaSweeperDeps & {
  /** Only reduces calls and log lines: losing it changes nothing. */
  readonly memory: {
    /** Each kind of transaction waits separately when the balance is too low for it. */
    readonly pauses: Map<PauseKind, { untilMs: number; warnedAtMs: number }>
    /** When the history of a seemingly expired transaction is read again. */
    readonly historyAtMs: Map<string, number>
    /** When the fee payer's balance was last read. */
    balanceReadAtMs: number
  }
}

export const createSolanaContext = (deps: SolanaSweeperDeps): SolanaContext => ({
  ...deps,
  memory: { pauses: new Map(), historyAtMs: new Map(), balanceReadAtMs: Number.NEGATIVE_INFINITY },
})
