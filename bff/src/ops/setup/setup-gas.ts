import { createEvmPool, poolReader } from '../../chain/evm/rpc/evm-pool.ts'
import { deploy } from '../../chain/evm/setup/deploy-contracts.ts'
import { familyOf, isSolana, needsContracts } from '../../chain/index.ts'
import { commandPoolDeps } from '../../chain/rpc-pool.ts'
import { payoutReserve, tokenAccountRent } from '../../chain/solana/payout/rent-shares.ts'
import { createSolanaRpc, responses } from '../../chain/solana/rpc/solana-rpc.ts'
import { qrCode } from '../../checkout/qr.ts'
import { PaymentError } from '../../core/errors.ts'
import type { Network, SolanaNetwork } from '../../core/families.ts'
import { type BaseUnits, formatAmount } from '../../core/money.ts'
import type { Runtime } from '../../core/runtime.ts'
import type { Config } from '../config/config.ts'
import { deployByOperator } from '../deploy-by-operator.ts'
import { SetupRefusal } from './setup-refusal.ts'

/** The margin for a rise of the fee between question and deployment. */
const marginPercent = 25n

/** Gas of a deposit that is swept in its own transaction, with a margin. */
const sweepGas = 250_000n

/** Sweeps of a small shop's first day, paid for beside the contracts. */
const sweepsAtFirst = 20n

const askMs = 15_000

/**
 * Lamports that a small shop needs on its first day: without the reserve, no accounts of new deposits are created, which lock up rent until
 * they are swept.
 */
const lamportsAtFirst = payoutReserve + sweepsAtFirst * tokenAccountRent

/** Amounts are decimal text in the chain's coin. `needed`: null when the node did not respond. `isDeployed`: also where there are no contracts. */
export type GasView = {
  network: string
  name: string
  coin: string
  address: string
  qr: ReturnType<typeof qrCode>
  hasContracts: boolean
  balance: string | null
  needed: string | null
  isEnough: boolean
  isDeployed: boolean
}

/** Progress of one network's deployment. `code`: why it failed. */
export type Deployment = { state: 'running' | 'done' | 'failed'; done: number; total: number; code: string | null }

type Sources = Pick<Config, 'networks' | 'operator'> & {
  operatorAddress: string | null
  feePayer: string | null
  runtime: Runtime
}

/** Balance and need of the accounts that pay fees: the operator's on each network with contracts, and Solana's fee payer. */
export async function readGas({ networks, operatorAddress, feePayer, runtime }: Sources): Promise<GasView[]> {
  const views = [...networks.values()].map((network) => {
    if (isSolana(network)) return feePayer === null ? null : feePayerGasOf(network, feePayer, runtime)
    return operatorAddress === null || !needsContracts(network) ? null : gasOf(network, operatorAddress, runtime)
  })
  return (await Promise.all(views)).filter((view) => view !== null)
}

/** What the page shows of any account. */
function shownOf(network: Network, address: string) {
  const { symbol } = familyOf(network).coinOf(network)
  return { network: network.shortName, name: network.name, coin: symbol, address, qr: qrCode(address) }
}

async function feePayerGasOf(network: SolanaNetwork, address: string, runtime: Runtime): Promise<GasView> {
  const shown = { ...shownOf(network, address), hasContracts: false, isDeployed: true }
  const { decimals } = familyOf(network).coinOf(network)
  const text = (lamports: bigint) => formatAmount(lamports as BaseUnits, decimals)
  const rpc = createSolanaRpc(network, commandPoolDeps(runtime))
  try {
    const signal = AbortSignal.timeout(askMs)
    const { value } = await rpc.ask(responses.lamports, 'getBalance', [address, { commitment: 'confirmed' }], signal)
    const needed = text(roundedUp(lamportsAtFirst))
    return { ...shown, balance: text(BigInt(value)), needed, isEnough: BigInt(value) >= lamportsAtFirst }
  } catch {
    return { ...shown, balance: null, needed: null, isEnough: false }
  }
}

async function gasOf(network: Network, address: string, runtime: Runtime): Promise<GasView> {
  const { decimals } = familyOf(network).coinOf(network)
  const shown = { ...shownOf(network, address), hasContracts: true }
  const pool = createEvmPool(network, commandPoolDeps(runtime))
  try {
    const reader = poolReader(pool, AbortSignal.timeout(askMs))
    const { cost } = await deploy(pool, null)
    const balance = await reader.getBalance({ address: address as `0x${string}` })
    const feePerGas = cost?.feePerGas ?? (await reader.getGasPrice())
    const forContracts = cost === null ? 0n : (cost.total * (100n + marginPercent)) / 100n
    const needed = forContracts + feePerGas * sweepGas * sweepsAtFirst
    const text = (wei: bigint) => formatAmount(wei as BaseUnits, decimals)
    const isDeployed = cost === null
    return {
      ...shown,
      balance: text(balance),
      needed: text(roundedUp(needed)),
      isEnough: balance >= forContracts,
      isDeployed,
    }
  } catch {
    return { ...shown, balance: null, needed: null, isEnough: false, isDeployed: false }
  }
}

/** Rounds up to three digits, because a person types the amount. */
function roundedUp(wei: bigint): bigint {
  const step = 10n ** BigInt(Math.max(0, String(wei).length - 3))
  return ((wei + step - 1n) / step) * step
}

/**
 * Deploys with the operator's own coin. Safe to repeat: existing contracts stay.
 * @throws {SetupRefusal}
 */
export async function deployWithOperator(
  sources: Sources,
  shortName: string,
  onProgress: (done: number, total: number) => void,
): Promise<void> {
  try {
    await deployByOperator(sources, shortName, onProgress)
  } catch (error) {
    const code = error instanceof PaymentError ? error.code : null
    throw new SetupRefusal(setupCodes[code ?? ''] ?? 'DEPLOY_FAILED', 'network')
  }
}

const setupCodes: Readonly<Record<string, 'GAS_MISSING' | 'NETWORK_UNKNOWN'>> = {
  GAS_MISSING: 'GAS_MISSING',
  NETWORK_NOT_FOUND: 'NETWORK_UNKNOWN',
  DEPLOY_NOT_POSSIBLE: 'NETWORK_UNKNOWN',
}
