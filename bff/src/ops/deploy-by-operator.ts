import { createEvmPool } from '../chain/evm/rpc/evm-pool.ts'
import { type DeploymentReport, deploy, GasMissingError } from '../chain/evm/setup/deploy-contracts.ts'
import { operatorAccount } from '../chain/evm/signer/operator.ts'
import { needsContracts } from '../chain/index.ts'
import { commandPoolDeps } from '../chain/rpc-pool.ts'
import { OperatorError, PaymentError } from '../core/errors.ts'
import { findNetwork } from '../core/families.ts'
import type { Runtime } from '../core/runtime.ts'
import type { Config } from './config/config.ts'

type Sources = Pick<Config, 'networks' | 'operator'> & { runtime: Runtime }

/**
 * Deploys a network's missing contracts with the operator's own coin, like `deploy <network> --as-operator`. Safe to repeat: existing
 * contracts stay.
 * @throws {PaymentError} when there is nothing to deploy, no account to pay, or too little gas.
 */
export async function deployByOperator(
  { networks, operator, runtime }: Sources,
  shortName: string,
  onProgress?: (done: number, total: number) => void,
): Promise<DeploymentReport> {
  const network = findNetwork(networks, shortName)
  if (!network) throw new PaymentError('NETWORK_NOT_FOUND', `There is no network "${shortName}".`)
  if (!needsContracts(network)) throw new PaymentError('DEPLOY_NOT_POSSIBLE', `${network.name} needs no contracts.`)
  if (!operator) throw new PaymentError('DEPLOY_NOT_POSSIBLE', 'The configuration has no operator that can pay.')
  const pool = createEvmPool(network, commandPoolDeps(runtime))
  try {
    return await deploy(pool, operatorAccount(operator), (_, done, total) => onProgress?.(done, total))
  } catch (error) {
    if (error instanceof GasMissingError) throw new PaymentError('GAS_MISSING', error.message, { cause: error })
    // Messages of other errors may contain a node's address, which often includes a key.
    const why = error instanceof OperatorError ? error.message : 'Its node did not answer, or its code is not ours.'
    throw new PaymentError('DEPLOY_FAILED', `The contracts of ${network.name} were not deployed: ${why}`, {
      cause: error,
    })
  }
}
