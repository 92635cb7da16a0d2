import type { SolanaNetwork } from '../../../core/families.ts'
import type { GasBalances } from '../../../network/gas-balances.ts'
import type { PayoutDeps } from '../../../payout/payout-chain.ts'
import type { SolanaSigner } from '../signer/solana-signer.ts'
import type { SolanaSender } from './solana-sender.ts'

/** Dependencies of one Solana network's payouts. */
export type SolanaSweeperDeps = PayoutDeps & {
  network: Pick<SolanaNetwork, 'shortName' | 'name' | 'genesisHash' | 'pollMs' | 'signatureGas'>
  sender: SolanaSender
  signer: SolanaSigner
  /** Reports the fee payer's balance to health and metrics. */
  gasBalances?: GasBalances
}

/**
 * Kinds of work that wait for lamports separately: creating accounts, closing them, and payouts by the number of accounts that
 * they create.
 */
export type PauseKind = 'open' | 'close' | number

/** Shared state of all steps. */
export type SolanaContext = SolanaSweeperDeps & {
  /** Saves calls and log lines; losing it changes nothing else. */
  readonly memory: {
    /** When each kind of work may continue after the balance was too low for it. */
    readonly pauses: Map<PauseKind, { untilMs: number; warnedAtMs: number }>
    /** When the history of an unproven transaction is read again. */
    readonly historyAtMs: Map<string, number>
    /** When the fee payer's balance was last read. */
    balanceReadAtMs: number
    /** Authorizations whose last attempt met a fault that is not of the nodes. */
    readonly faultyAuthorizations: Set<string>
  }
}

export const createSolanaContext = (deps: SolanaSweeperDeps): SolanaContext => ({
  ...deps,
  memory: {
    pauses: new Map(),
    historyAtMs: new Map(),
    balanceReadAtMs: Number.NEGATIVE_INFINITY,
    faultyAuthorizations: new Set(),
  },
})
