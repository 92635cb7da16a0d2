import type { Caller } from '../../access/caller.ts'
import type { WalletPayments } from '../../chain/connector.ts'
import { NetworkMismatchError } from '../../chain/network-fault.ts'
import { PaymentError } from '../../core/errors.ts'
import { findNetwork, type Networks } from '../../core/families.ts'
import { faultText } from '../../core/fault-text.ts'
import type { Log } from '../../core/log.ts'
import { withTimeout } from '../../core/with-timeout.ts'

/** A node answers in a fraction of a second. */
const verifyTimeoutMs = 5_000

type Deps = {
  networks: Networks
  /** By the network's short name. */
  chains: ReadonlyMap<string, WalletPayments>
  log: Log
}

/**
 * Why a new live deposit must not be shown: the chain would not bring its money to the merchant's wallet, or no node says so.
 * Undefined where the address proves it, and for test payments.
 */
export type AccountRefusal = (caller: Caller, networkName: string) => Promise<PaymentError | undefined>

/** Asks the chain before each payment: an address without its registration loses the customer's money. */
export function createAccountRefusals({ networks, chains, log }: Deps): AccountRefusal {
  return async (caller, networkName) => {
    const network = findNetwork(networks, networkName)
    const { verifyAccount } = (network && chains.get(network.shortName)) ?? {}
    if (network === undefined || verifyAccount === undefined || caller.isTest) return undefined
    const { shortName, name } = network
    const [source, address] = [caller.sources.get(shortName), caller.wallets.get(shortName)]
    // The draft refuses the payment.
    if (source === undefined || address === undefined) return undefined
    try {
      await withTimeout(verifyTimeoutMs, [], (signal) => verifyAccount({ source, address }, signal))
      return undefined
    } catch (error) {
      const fields = { network: shortName, merchantId: caller.merchantId, fault: faultText(error) }
      log.error(fields, 'A deposit was refused: the chain does not confirm the merchant’s wallet')
      return error instanceof NetworkMismatchError
        ? new PaymentError(
            'WALLET_MISSING',
            `The merchant's wallet is not registered for deposits on ${name} (${shortName}).`,
          )
        : new PaymentError('NETWORK_UNAVAILABLE', `No node of ${name} (${shortName}) confirms the merchant's wallet.`)
    }
  }
}
