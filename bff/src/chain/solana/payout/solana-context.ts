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

/** What every step works with. */
export type SolanaContext = SolanaSweeperDeps & {
  /** Only to spare the nodes and the log: losing it changes nothing. */
  readonly memory: {
    /** No new transaction before, because the last attempt found too few lamports. */
    emptyUntilMs: number
    warnedAtMs: number
    /** When the history of a transaction that seems to have expired is read again. */
    readonly historyAtMs: Map<string, number>
  }
}

export const createSolanaContext = (deps: SolanaSweeperDeps): SolanaContext => ({
  ...deps,
  memory: { emptyUntilMs: 0, warnedAtMs: 0, historyAtMs: new Map() },
})
