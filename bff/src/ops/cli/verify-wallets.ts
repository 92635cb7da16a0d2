import { createEvmPool } from '../../chain/evm/rpc/evm-pool.ts'
import { readMaster } from '../../chain/evm/virtual/registry.ts'
import { depositsOf } from '../../chain/index.ts'
import { commandPoolDeps } from '../../chain/rpc-pool.ts'
import { OperatorError, PaymentError } from '../../core/errors.ts'
import { findNetwork, type Networks } from '../../core/families.ts'
import { verifyRegistration } from '../../merchant/wallet-registration.ts'
import { checkWallet } from '../../merchant/wallets.ts'
import type { Cli } from './cli.ts'

/**
 * Verifies the wallets that a command names, before it changes anything.
 * @throws {PaymentError} when a text is not a wallet, or the chain does not credit it; {OperatorError} when no node responds.
 */
export async function verifyWallets(cli: Cli, networks: Networks, given: ReadonlyMap<string, string>): Promise<void> {
  let fault = ''
  const registrations = {
    networks,
    readMaster: async (shortName: string, source: string, ending: AbortSignal) => {
      const network = findNetwork(networks, shortName)
      if (!network) return undefined
      const rules = depositsOf(network)
      if (!rules.isDirect || rules.kind !== 'virtual') return undefined
      const pool = createEvmPool(network, commandPoolDeps(cli.runtime))
      return await readMaster(pool, network, source as `0x${string}`, ending)
    },
    onFault: (_: string, text: string) => {
      fault = text
    },
  }
  for (const [network, text] of given) {
    await verifyRegistration(registrations, checkWallet(networks, network, text)).catch((error: unknown) => {
      if (!(error instanceof PaymentError) || error.code !== 'NETWORK_UNAVAILABLE') throw error
      throw new OperatorError(`${error.message} ${fault} Nothing was changed.`)
    })
  }
}
