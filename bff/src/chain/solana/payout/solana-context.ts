import type { SolanaNetwork } from '../../../core/families.ts'
import type { PayoutDeps } from '../../../payout/payout-chain.ts'
import type { SolanaSigner } from '../signer/solana-signer.ts'
import type { SolanaSender } from './solana-sender.ts'

/** What the payouts of one Solana network are made with. */
export type SolanaSweeperDeps = PayoutDeps & {
  network: Pick<SolanaNetwork, 'shortName' | 'name' | 'genesisHash' | 'pollMs'>
  sender: SolanaSender
  signer: SolanaSigner
}

/** What waits for lamports together: making accounts, closing them, and payouts by the number of accounts that they make. */
export type PauseKind = 'open' | 'close' | number

/** What every step works with. */
export type SolanaContext = SolanaSweeperDeps & {
  /** Only to spare the nodes and the log: losing it changes nothing. */
  readonly memory: {
    /** Each kind of transaction waits by itself when there are too few lamports for it. */
    readonly pauses: Map<PauseKind, { untilMs: number; warnedAtMs: number }>
    /** When the history of a transaction that seems to have expired is read again. */
    readonly historyAtMs: Map<string, number>
  }
}

export const createSolanaContext = (deps: SolanaSweeperDeps): SolanaContext => ({
  ...deps,
  memory: { pauses: new Map(), historyAtMs: new Map() },
})
