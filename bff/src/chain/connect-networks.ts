import type { Network, Networks } from '../core/families.ts'
import type { Runtime } from '../core/runtime.ts'
import type { Db } from '../db/db.ts'
import type { Vault } from '../db/vault.ts'
import type { Chain, ConnectorDeps, Inspection, PayerSources } from './connector.ts'
import { type EvmSigners, evmConnector } from './evm/evm-chain.ts'
import { operatorSigner } from './evm/signer/operator.ts'
import type { ChainFamilyName } from './family.ts'
import { familiesOf } from './index.ts'
import type { PoolDeps } from './rpc-pool.ts'
import type { SolanaSigner } from './solana/signer/solana-signer.ts'

/** `solana` is null where no Solana network is configured. */
export type Signers = EvmSigners & { solana: SolanaSigner | null }

export type ChainDeps = ConnectorDeps & { signers: Signers }

/** Loads the code for Solana; only a service with such a network does. */
const loadSolana = () => import('./solana/solana.part.ts')

const loadTron = () => import('./tron/tron.part.ts')

/** Opens the keys that sign payouts: the operator on EVM networks; the fee payer and the seed of deposit addresses on Solana. */
export async function openSigners(
  { operator, formerOperators, solanaFeePayerKey: feePayerKey, networks }: PayerSources & { networks: Networks },
  deps: { db: Db; vault: Vault; runtime: Runtime },
): Promise<Signers> {
  const signsOnSolana = feePayerKey !== null && familiesOf(networks).has('solana')
  return {
    operator: operator && operatorSigner(operator),
    formerOperators: formerOperators.map(operatorSigner),
    solana: signsOnSolana ? await (await loadSolana()).openSolanaSigner(feePayerKey, deps) : null,
  }
}

type Inspector = { inspect(network: Network, deps: PoolDeps): Inspection }

/** Opens a network for commands. Calls no node yet. */
export async function inspectNetwork(network: Network, deps: PoolDeps): Promise<Inspection> {
  const inspectors: Record<ChainFamilyName, () => Promise<Inspector>> = {
    evm: async () => evmConnector,
    solana: async () => (await loadSolana()).solanaConnector,
    tron: async () => (await loadTron()).tronConnector,
  }
  return (await inspectors[network.family]()).inspect(network, deps)
}

/** Connects every configured network. Calls no node yet. @returns the chains by the network's short name. */
export async function connectChains({ signers, ...deps }: ChainDeps): Promise<ReadonlyMap<string, Chain>> {
  const families = familiesOf(deps.networks)
  const connectors: Record<ChainFamilyName, { connect(network: Network): Chain } | null> = {
    evm: evmConnector.open(deps, signers),
    solana: families.has('solana') ? (await loadSolana()).solanaConnector.open(deps, signers.solana) : null,
    tron: families.has('tron') ? (await loadTron()).tronConnector.open(deps, null) : null,
  }
  const chains = new Map<string, Chain>()
  for (const [name, network] of deps.networks) {
    const chain = connectors[network.family]?.connect(network)
    if (chain) chains.set(name, chain)
  }
  return chains
}
