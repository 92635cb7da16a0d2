import type { SolanaNetwork } from '../../../core/families.ts'
import type { Log } from '../../../core/log.ts'
import type { Runtime } from '../../../core/runtime.ts'
import type { Db } from '../../../db/db.ts'
import type { Ledger } from '../../../payment/ledger.ts'
import type { SolanaSigner } from '../signer/solana-signer.ts'
import type { SolanaSender } from './solana-sender.ts'

/** What the sweeper of one network of Solana is made of. */
export type SolanaSweeperDeps = {
  db: Db
  ledger: Ledger
  network: Pick<SolanaNetwork, 'shortName' | 'name' | 'genesisHash' | 'pollMs'>
  sender: SolanaSender
  signer: SolanaSigner
  runtime: Runtime
  log: Log
}

/** What every step works with. */
export type SolanaContext = SolanaSweeperDeps & {
  /** Only to spare the nodes and the log: losing it changes nothing. */
  readonly memory: {
    /** No new transaction before, because the last try found too few lamports. */
    emptyUntilMs: number
    warnedAtMs: number
  }
}

export const createSolanaContext = (deps: SolanaSweeperDeps): SolanaContext => ({
  ...deps,
  memory: { emptyUntilMs: 0, warnedAtMs: 0 },
})
