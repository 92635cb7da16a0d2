import type { Network } from '../core/families.ts'
import type { Runtime } from '../core/runtime.ts'
import type { Db } from '../db/db.ts'
import type { Vault } from '../db/vault.ts'
import type { Payment } from '../payment/payment.ts'
import { evmFamily } from './evm/evm-family.ts'
import { operatorSigner } from './evm/signer/operator.ts'
import type { Chain, ChainDeps, ChainFamily, ChainFamilyName, PayerSources, Signers } from './family.ts'
import { openSolanaSeed } from './solana/signer/deposit-seed.ts'
import { createSolanaSigner } from './solana/signer/solana-signer.ts'
import { solanaFamily } from './solana/solana-family.ts'

/** Every chain family by its name. The only place of the program that asks which family a network is of. */
export const chainFamilies: { readonly [Name in ChainFamilyName]: ChainFamily<Extract<Network, { family: Name }>> } = {
  evm: evmFamily,
  solana: solanaFamily,
}

/** What the family of a network answers for it. */
export function familyOf({ family }: Pick<Network, 'family'>): ChainFamily {
  return chainFamilies[family]
}

/** The family that a stored payment was created on, also after its network has left the configuration. */
export function familyOfPayment(payment: Payment): ChainFamily {
  if (payment.mode === 'contract') {
    return payment.splitTerms.startsWith('{"family":"solana"') ? solanaFamily : evmFamily
  }
  return payment.depositAddress.startsWith('0x') ? evmFamily : solanaFamily
}

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

/** Connects every configured network. Nothing is asked of a node yet. @returns the chains by the network's short name. */
export function connectChains(deps: ChainDeps): ReadonlyMap<string, Chain> {
  const connectors: Record<ChainFamilyName, ReturnType<ChainFamily['connector']>> = {
    evm: evmFamily.connector(deps),
    solana: solanaFamily.connector(deps),
  }
  return new Map([...deps.networks].map(([name, network]) => [name, connectors[network.family].connect(network)]))
}
