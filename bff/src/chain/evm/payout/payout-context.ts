import type { Hex } from 'viem'
import type { EvmNetwork } from '../../../core/families.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import type { GasBalances } from '../../../payout/gas-balances.ts'
import type { PayoutDeps } from '../../../payout/payout-chain.ts'
import type { CallCosts } from '../authorization/evm-authorizer.ts'
import type { Signer } from '../signer/signer.ts'
import type { EvmSender } from './evm-sender.ts'

/** What the payouts of one EVM network are made with. */
export type SweeperDeps = PayoutDeps & {
  network: Pick<
    EvmNetwork,
    'shortName' | 'chainId' | 'confirmations' | 'pollMs' | 'factory' | 'sweepGas' | 'signatureGas' | 'nativeCurrency'
  > &
    // Without a splitter no share of a wallet payment can wait there.
    Partial<Pick<EvmNetwork, 'splitter' | 'platformWallet' | 'tokens'>>
  sender: EvmSender
  signer: Signer
  /** Keeps the gas balance for health and metrics. */
  gasBalances?: GasBalances
}

/** What every step works with. */
export type PayoutContext = SweeperDeps & {
  /** The signer's address in lower case, as it is stored. */
  readonly account: Hex
  /** What customers' authorizations cost; undefined where paying by signature is not offered. */
  readonly callCosts: CallCosts | undefined
  /** Saves calls and log lines; losing it changes nothing else. */
  readonly memory: {
    /** No new transaction before, because the last attempt found too little gas money. */
    emptyUntilMs: number
    warnedAtMs: number
    balanceReadAtMs: number
    /** Since when no node has a receipt of a transaction whose nonce is used; by its id, Unix milliseconds. */
    readonly missingSinceMs: Map<string, number>
    /** Where the search for a deposit's settlement goes on. */
    readonly searchedTo: Map<PaymentId, number>
    /** When failed deposits are checked again, and the number of the payment after which that goes on. */
    failedDueAtMs: number
    failedAfter: number
    /** When the splitter is asked for parked shares again. */
    splitterDueAtMs: number
  }
}

export function createContext(deps: SweeperDeps, callCosts?: CallCosts): PayoutContext {
  const account = deps.signer.address.toLowerCase() as Hex
  return {
    ...deps,
    account,
    callCosts,
    memory: {
      emptyUntilMs: 0,
      warnedAtMs: 0,
      balanceReadAtMs: Number.NEGATIVE_INFINITY,
      missingSinceMs: new Map(),
      searchedTo: new Map(),
      failedDueAtMs: 0,
      failedAfter: 0,
      splitterDueAtMs: 0,
    },
  }
}
