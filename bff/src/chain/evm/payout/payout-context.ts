import type { Hex } from 'viem'
import type { EvmNetwork } from '../../../core/families.ts'
import type { Log } from '../../../core/log.ts'
import type { Runtime } from '../../../core/runtime.ts'
import type { Db } from '../../../db/db.ts'
import type { Ledger } from '../../../payment/ledger.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import type { GasTanks } from '../../../payout/gas-balances.ts'
import type { Signer } from '../signer/signer.ts'
import type { EvmSender } from './evm-sender.ts'

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
