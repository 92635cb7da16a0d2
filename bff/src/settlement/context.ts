import type { Hex } from 'viem'
import type { EvmSender } from '../chain/evm-sender.ts'
import type { EvmNetwork } from '../chain/networks.ts'
import type { Db } from '../db/db.ts'
import type { Log } from '../log.ts'
import type { Ledger } from '../payment/apply.ts'
import type { PaymentId } from '../payment/payment.ts'
import type { Runtime } from '../runtime.ts'
import type { GasTanks } from './gas-tanks.ts'
import type { Signer } from './signer.ts'

/** What the sweeper of one network is made of. */
export type SweeperDeps = {
  db: Db
  ledger: Ledger
  network: Pick<
    EvmNetwork,
    'shortName' | 'chainId' | 'confirmations' | 'pollMs' | 'factory' | 'sweepGas' | 'nativeCurrency'
  >
  sender: EvmSender
  signer: Signer
  runtime: Runtime
  log: Log
  /** Told how full the tank is, where somebody shows it. */
  tanks?: GasTanks
}

/** What every step works with. */
export type SweepContext = SweeperDeps & {
  /** The signer's address in lower case, as it is stored. */
  readonly account: Hex
  /** Only to spare the nodes and the log: losing it changes nothing. */
  readonly memory: {
    /** No new transaction before, because the last try found too little gas money. */
    emptyUntilMs: number
    warnedAtMs: number
    tankReadAtMs: number
    /** Where the search for a deposit's settlement goes on. */
    readonly searchedTo: Map<PaymentId, number>
  }
}

export function createContext(deps: SweeperDeps): SweepContext {
  const account = deps.signer.address.toLowerCase() as Hex
  return {
    ...deps,
    account,
    memory: { emptyUntilMs: 0, warnedAtMs: 0, tankReadAtMs: Number.NEGATIVE_INFINITY, searchedTo: new Map() },
  }
}
