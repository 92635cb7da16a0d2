import type { Caller } from '../../access/context/caller.ts'
import type { WalletPayments } from '../../chain/connector.ts'
import { NetworkMismatchError } from '../../chain/network-fault.ts'
import { PaymentError } from '../../core/errors.ts'
import { findNetwork, type Network, type Networks } from '../../core/families.ts'
import { faultText } from '../../core/fault-text.ts'
import type { Log } from '../../core/log.ts'
import type { Runtime } from '../../core/runtime.ts'
import { withTimeout } from '../../core/with-timeout.ts'
import type { MerchantId } from '../../payment/payment.ts'

/** The RPC pool abandons a hanging node after 10 s (`rpc-pool.ts`); the next node responds within a fraction of a second. */
const verifyTimeoutMs = 13_000

/** The interval between two verifications of a network (`network-health.ts`). A registration is permanent. */
const rememberedMs = 60_000
const rememberedMax = 10_000

type Deps = {
  runtime: Pick<Runtime, 'nowMs'>
  networks: Networks
  /** By the network's short name. */
  chains: ReadonlyMap<string, WalletPayments>
  log: Log
}

/**
 * Why a new live deposit must not be offered: its money would not reach the merchant's wallet, or no node can confirm that it would.
 * Undefined when confirmed, when the address itself proves it, and for test payments.
 */
export type AccountRefusal = (caller: Caller, networkName: string) => Promise<PaymentError | undefined>

/**
 * Verifies the merchant's wallet on chain before a payment, because money sent to an unregistered address is lost. Anyone with a public key
 * can create payments, so concurrent requests share one verification per wallet, and a confirmed wallet is not verified again for a minute.
 */
export function createAccountRefusals({ networks, chains, runtime, log }: Deps): AccountRefusal {
  const confirmedAtMs = new Map<string, number>()
  const asking = new Map<string, Promise<PaymentError | undefined>>()

  async function ask(network: Network, merchantId: MerchantId, verify: (signal: AbortSignal) => Promise<void>) {
    const { shortName, name } = network
    try {
      await withTimeout(verifyTimeoutMs, [], (signal) => Promise.race([verify(signal), abortOf(signal)]))
      return undefined
    } catch (error) {
      const fields = { network: shortName, merchantId, fault: faultText(error) }
      log.error(fields, 'A deposit was refused: the chain does not confirm the merchant’s wallet')
      return error instanceof NetworkMismatchError
        ? new PaymentError(
            'WALLET_MISSING',
            `The merchant's wallet is not registered for deposits on ${name} (${shortName}).`,
          )
        : new PaymentError('NETWORK_UNAVAILABLE', `No node of ${name} (${shortName}) confirms the merchant's wallet.`)
    }
  }

  return async (caller, networkName) => {
    const network = findNetwork(networks, networkName)
    const { verifyAccount } = (network && chains.get(network.shortName)) ?? {}
    if (network === undefined || verifyAccount === undefined || caller.isTest) return undefined
    const { merchantId } = caller
    const [source, address] = [caller.sources.get(network.shortName), caller.wallets.get(network.shortName)]
    // The draft refuses the payment.
    if (source === undefined || address === undefined) return undefined
    const key = JSON.stringify([merchantId, network.shortName, source, address])
    const sinceMs = runtime.nowMs() - (confirmedAtMs.get(key) ?? 0)
    if (sinceMs >= 0 && sinceMs < rememberedMs) return undefined
    const known = asking.get(key)
    if (known) return await known
    const asked = ask(network, merchantId, (signal) => verifyAccount({ source, address }, signal))
    asking.set(key, asked)
    const refusal = await asked
    asking.delete(key)
    if (confirmedAtMs.size >= rememberedMax) confirmedAtMs.clear()
    if (refusal === undefined) confirmedAtMs.set(key, runtime.nowMs())
    return refusal
  }
}

/** Rejects when the signal aborts, because a node call does not. */
const abortOf = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }))
