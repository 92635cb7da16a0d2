import {
  type Account,
  BaseError,
  createWalletClient,
  formatEther,
  formatGwei,
  type Hex,
  InsufficientFundsError,
  type PublicClient,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { OperatorError, ValidationError } from '../../../core/errors.ts'
import { LyingNodeError } from '../../rpc-pool.ts'
import {
  type DeployedContract,
  deployContracts,
  deployedContracts,
  deploymentOf,
  missingContracts,
} from '../deploy/deployer.ts'
import { type EvmPool, poolReader, poolTransport } from '../rpc/evm-pool.ts'

/** The contracts' state on a chain. Amounts in wei of the chain's coin. */
export type DeploymentReport = {
  chainId: number
  contracts: { name: string; address: Hex; state: 'there' | 'missing' | 'deployed' }[]
  /** Maximum cost to deploy the missing contracts; null if none was missing. */
  cost: { gas: bigint; feePerGas: bigint; total: bigint } | null
  /** Null if nothing was sent. */
  paid: { by: Hex; amount: bigint } | null
}

/** The payer's balance is below the deployment's maximum cost, or no longer covers the rest after a fee increase. */
export class GasMissingError extends OperatorError {}

/** @throws {ValidationError} when it is not a private key. The message never contains the input. */
export function deployerAccount(key: string): Account {
  try {
    return privateKeyToAccount(key.trim() as Hex)
  } catch {
    throw new ValidationError('DEPLOYER_PRIVATE_KEY must be 0x and 64 hex digits, on the curve')
  }
}

/**
 * Finds the contracts that a chain lacks and, given a payer, deploys them. Safe to repeat. Verifies the code of present and
 * deployed contracts.
 * @param pool - Transactions are sent only to the pool's chain.
 * @param payer - Pays, and gets no rights over the contracts; null: nothing is sent.
 * @throws {OperatorError} with what to do; or the node's error.
 */
export async function deploy(
  pool: EvmPool,
  payer: Account | null,
  onProgress?: (label: string, done: number, total: number) => void,
): Promise<DeploymentReport> {
  const { signal } = new AbortController()
  const reader = poolReader(pool, signal)
  const chainId = await chainIdOf(pool, signal)
  const missing = await missingContracts(reader)
  const cost = missing.length === 0 ? null : await costOf(reader, missing)
  const stateOf = (contract: DeployedContract) => {
    if (!missing.includes(contract)) return 'there' as const
    return payer === null ? ('missing' as const) : ('deployed' as const)
  }
  const contracts = () =>
    deployedContracts.map((contract) => ({ name: contract.name, address: contract.address, state: stateOf(contract) }))
  if (cost === null || payer === null) return { chainId, contracts: contracts(), cost, paid: null }
  const balance = await reader.getBalance({ address: payer.address })
  if (balance < cost.total) {
    throw new GasMissingError(
      `${payer.address} holds ${formatEther(balance)} of the chain's coin and needs ${formatEther(cost.total)}.`,
    )
  }
  const sender = createWalletClient({ transport: poolTransport(pool, signal), account: payer })
  await deployContracts({ reader, sender }, onProgress).catch((error: unknown) => {
    const isOutOfGas = error instanceof BaseError && error.walk((cause) => cause instanceof InsufficientFundsError)
    throw isOutOfGas ? new GasMissingError(`${payer.address} no longer holds enough of the chain's coin.`) : error
  })
  const amount = balance - (await reader.getBalance({ address: payer.address }))
  return { chainId, contracts: contracts(), cost, paid: { by: payer.address, amount } }
}

async function chainIdOf(pool: EvmPool, signal: AbortSignal): Promise<number> {
  try {
    return Number((await pool.ask('eth_chainId', [], signal)).answer)
  } catch (error) {
    if (error instanceof LyingNodeError) throw new OperatorError(`${error.message}: nothing was sent.`)
    throw error
  }
}

async function costOf(reader: PublicClient, missing: readonly DeployedContract[]) {
  const gasOf = (contract: DeployedContract) => reader.estimateGas(deploymentOf(contract))
  const gas = (await Promise.all(missing.map(gasOf))).reduce((sum, one) => sum + one, 0n)
  const feePerGas = await feePerGasOf(reader)
  return { gas, feePerGas, total: gas * feePerGas }
}

/** The current maximum gas price; on chains without a base fee, the node's price. In wei. */
async function feePerGasOf(reader: PublicClient): Promise<bigint> {
  try {
    return (await reader.estimateFeesPerGas()).maxFeePerGas
  } catch {
    return await reader.getGasPrice()
  }
}

const stateTexts = {
  there: 'deployed before, with the expected code',
  missing: 'missing',
  deployed: 'deployed, with the expected code',
} as const

export function describeDeployment({ chainId, contracts, cost, paid }: DeploymentReport): string {
  const lines = contracts.map(({ name, address, state }) => `${name.padEnd(16)}  ${address}  ${stateTexts[state]}`)
  const head = [`Chain ${chainId}`, ...lines]
  if (cost === null) return [...head, 'Nothing to do.'].join('\n')
  if (paid !== null) return [...head, `Paid by ${paid.by}: ${formatEther(paid.amount)}.`].join('\n')
  const price = `${cost.gas} gas at ${formatGwei(cost.feePerGas)} gwei at most: ${formatEther(cost.total)} of the chain's coin`
  const more =
    'Nothing was sent. To deploy, set DEPLOYER_PRIVATE_KEY to the key of an account that can pay this, or pass --as-operator.'
  return [...head, `To deploy: ${price} (some chains charge a data fee in addition).`, more].join('\n')
}
