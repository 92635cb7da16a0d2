import type { Network } from '../core/families.ts'
import type { Runtime } from '../core/runtime.ts'
import type { Db } from '../db/db.ts'
import type { Vault } from '../db/vault.ts'
import type { Chain, ConnectorDeps, Inspection, PayerSources } from './connector.ts'
import { type EvmSigners, evmConnector } from './evm/evm-chain.ts'
import { operatorSigner } from './evm/signer/operator.ts'
import type { ChainFamilyName } from './family.ts'
import type { PoolDeps } from './rpc-pool.ts'
import { openSolanaSeed } from './solana/signer/deposit-seed.ts'
import { createSolanaSigner, type SolanaSigner } from './solana/signer/solana-signer.ts'
import { solanaConnector } from './solana/solana-chain.ts'

/** Null where no network of the family is configured. */
export type Signers = EvmSigners & { solana: SolanaSigner | null }

export type ChainDeps = ConnectorDeps & { signers: Signers }

/** Makes what signs payouts: of an EVM network the operator, of Solana the fee payer and the seed of all deposit addresses. */
export async function openSigners(
  { operator, formerOperators, solanaFeePayerKey }: PayerSources,
  { db, vault, runtime }: { db: Db; vault: Vault; runtime: Runtime },
): Promise<Signers> {
  return {
    operator: operator && operatorSigner(operator),
    formerOperators: formerOperators.map(operatorSigner),
    solana: solanaFeePayerKey && createSolanaSigner(solanaFeePayerKey, await openSolanaSeed(db, vault, runtime)),
  }
}

type Inspector = { inspect(network: Network, deps: PoolDeps): Inspection }

/** Opens a network for commands. Makes no call to a node yet. */
export function inspectNetwork(network: Network, deps: PoolDeps): Inspection {
  const inspectors: Record<ChainFamilyName, Inspector> = { evm: evmConnector, solana: solanaConnector }
  return inspectors[network.family].inspect(network, deps)
}

/** Connects every configured network. Makes no call to a node yet. @returns the chains by the network's short name. */
export function connectChains({ signers, ...deps }: ChainDeps): ReadonlyMap<string, Chain> {
  const connectors: Record<ChainFamilyName, { connect(network: Network): Chain }> = {
    evm: evmConnector.open(deps, signers),
    solana: solanaConnector.open(deps, signers.solana),
  }
  return new Map([...deps.networks].map(([name, network]) => [name, connectors[network.family].connect(network)]))
}
