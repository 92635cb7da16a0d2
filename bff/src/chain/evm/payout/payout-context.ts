import type { Hex } from 'viem'
import type { EvmNetwork } from '../../../core/families.ts'
import type { GasBalances } from '../../../network/gas-balances.ts'
import type { PaymentId } from '../../../payment/payment.ts'
import type { PayoutDeps } from '../../../payout/payout-chain.ts'
import type { CallCosts } from '../authorization/evm-authorizer.ts'
import type { SplitterPlace } from '../deposit/parked-call.ts'
import type { EvmSender } from '../send/evm-sender.ts'
import type { Signer } from '../signer/signer.ts'

/** Dependencies of the payouts of one EVM network. */
export type SweeperDeps = PayoutDeps & {
  network: Pick<
    EvmNetwork,
    'shortName' | 'chainId' | 'confirmations' | 'pollMs' | 'factory' | 'sweepGas' | 'signatureGas' | 'nativeCurrency'
  > &
    // Without a splitter, no wallet payment's share can be parked; without `finalityBlocks`, final transactions are never
    // rechecked.
    Partial<Pick<EvmNetwork, 'splitter' | 'platformWallet' | 'tokens' | 'finalityBlocks'>>
  sender: EvmSender
  signer: Signer
  /** Former operators: only they can refund deposits whose terms name them. */
  formerSigners?: readonly Signer[]
  /** Reports the gas balance to health and metrics. */
  gasBalances?: GasBalances
}

/** Shared state of all steps. */
export type PayoutContext = SweeperDeps & {
  /** The signer's address in lower case, as stored. */
  readonly account: Hex
  /** Costs of customers' authorizations; undefined if paying by signature is not offered. */
  readonly callCosts: CallCosts | undefined
  /** The context of each former operator, by address in lower case. */
  readonly formers: ReadonlyMap<string, PayoutContext>
  /** Saves calls and log lines; losing it changes nothing else. */
  readonly memory: {
    /** No new transaction before this time, because the gas balance was too low. */
    emptyUntilMs: number
    warnedAtMs: number
    balanceReadAtMs: number
    /** Authorizations whose last attempt met a fault that is not of the nodes. */
    readonly faultyAuthorizations: Set<string>
    /**
     * When a receipt was first missing on all nodes, in Unix milliseconds: of a transaction whose nonce is used, by its id; of an
     * external settlement, by the payment's id.
     */
    readonly missingSinceMs: Map<string, number>
    /** When the nodes are asked again about a final transaction that too few of them confirm, by its id. */
    readonly unproven: Map<string, number>
    /** Where the searches for a deposit's external settlement and for its external refund continue. */
    readonly settlementsSearchedTo: Map<PaymentId, number>
    readonly refundsSearchedTo: Map<PaymentId, number>
    /** When failed deposits are checked next, and the payment number to continue after. */
    failedDueAtMs: number
    failedAfter: number
    /** When the splitter is next polled for parked shares. */
    splitterDueAtMs: number
    /** The splitter balances to read, by key, and the newest payment number considered for them. */
    readonly splitterPlaces: Map<string, SplitterPlace>
    splitterReadTo: number
    /** When final transactions are checked next. */
    recheckDueAtMs: number
    /** The transaction after which the check continues; undefined: start with the oldest. */
    recheckedTo: { block: number; txId: string } | undefined
    /** The payment after which the check of external settlements continues. */
    settlementAfter: string
  }
}

export function createContext(deps: SweeperDeps, callCosts?: CallCosts): PayoutContext {
  const account = deps.signer.address.toLowerCase() as Hex
  const formers = new Map<string, PayoutContext>()
  for (const signer of deps.formerSigners ?? []) {
    const address = signer.address.toLowerCase()
    // Former operators have their own gas balance: if it is empty, the operator's payouts continue. Health and metrics show only
    // the operator's.
    const { gasBalances: _, formerSigners: __, ...own } = { ...deps, signer }
    if (address !== account && !formers.has(address)) formers.set(address, createContext(own))
  }
  return {
    ...deps,
    account,
    callCosts,
    formers,
    memory: {
      emptyUntilMs: 0,
      warnedAtMs: 0,
      balanceReadAtMs: Number.NEGATIVE_INFINITY,
      faultyAuthorizations: new Set(),
      missingSinceMs: new Map(),
      unproven: new Map(),
      settlementsSearchedTo: new Map(),
      refundsSearchedTo: new Map(),
      failedDueAtMs: 0,
      failedAfter: 0,
      splitterDueAtMs: 0,
      splitterPlaces: new Map(),
      splitterReadTo: 0,
      recheckDueAtMs: 0,
      recheckedTo: undefined,
      settlementAfter: '',
    },
  }
}

/** Whether a reorg can be deeper than the confirmations after which a transaction counts. */
export const isReorgPossible = ({ network }: PayoutContext): boolean =>
  (network.finalityBlocks ?? 0) > network.confirmations

/** The context whose signer is the account; undefined if its key is not configured. */
export function contextOf(context: PayoutContext, account: string): PayoutContext | undefined {
  const address = account.toLowerCase()
  return address === context.account ? context : context.formers.get(address)
}
