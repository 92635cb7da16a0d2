import { inspectNetwork } from '../../chain/connect-networks.ts'
import type { ChainFamilyName } from '../../chain/family.ts'
import { chainFamilies, familyOf } from '../../chain/index.ts'
import { commandPoolDeps } from '../../chain/rpc-pool.ts'
import type { Runtime } from '../../core/runtime.ts'
import { parseWallet } from '../../merchant/wallets.ts'
import { verifyContractEverywhere } from './contract-wallet.ts'
import { canRelay, familiesNeeded, networksWith, type SetupDraft, type WalletProof } from './setup-draft.ts'
import { setupNetwork } from './setup-network.ts'
import { type SetupCode, SetupRefusal } from './setup-refusal.ts'

/** How long to wait for a node's response. */
const askMs = 10_000

/** Enough to notice that a wrong address was pasted. */
const retypedChars = 6

type Deps = { runtime: Runtime; fetchFn: typeof fetch }

const refusals = {
  format: 'WALLET_FORMAT',
  checksum: 'WALLET_CHECKSUM',
  zero: 'WALLET_ZERO',
  token: 'WALLET_TOKEN',
  contract: 'WALLET_CONTRACT',
} as const satisfies Record<string, SetupCode>

/**
 * A family's wallet, in checksummed form, for the networks where the service forwards: on none of them a token, a contract of this
 * service, or the zero address.
 * @throws {SetupRefusal}
 */
export function verifyWallet(draft: SetupDraft, family: ChainFamilyName, text: string): string {
  const networks = networksOf(draft, family)
  const [first] = networks
  if (!first) throw new SetupRefusal('NETWORKS_MISSING', 'networks')
  let address = text.trim()
  for (const network of networks) {
    const parsed = parseWallet(network, address)
    if ('fault' in parsed) throw new SetupRefusal(refusals[parsed.fault], 'address')
    address = parsed.address
  }
  return address
}

const networksOf = (draft: SetupDraft, name: ChainFamilyName) =>
  networksWith('forwarder', draft)
    .map(({ network, rpcUrls }) => setupNetwork(network, rpcUrls))
    .filter((network) => familyOf(network) === chainFamilies[name])

/** The text that the wallet's owner reads before signing. */
export const proofText = (shopName: string, address: string, nonce: string): string =>
  [
    `${shopName} asks for its payments to be paid to this wallet:`,
    address,
    '',
    'Signing moves no money.',
    `Nonce: ${nonce}`,
  ].join('\n')

/**
 * A smart wallet must exist on every network of the family: money paid to its address on another network has no owner.
 * @param fetchFn - Asks a node of each network whether a smart wallet has signed.
 * @throws {SetupRefusal}
 */
export async function verifySignature(
  draft: SetupDraft,
  family: ChainFamilyName,
  proof: WalletProof,
  { runtime, fetchFn }: Deps,
): Promise<void> {
  const networks = networksOf(draft, family)
  if (networks.length === 0) throw new SetupRefusal('NETWORKS_MISSING', 'networks')
  for (const network of networks) {
    const { isSignedBy } = await inspectNetwork(network, { ...commandPoolDeps(runtime), fetchFn })
    const isSigned = await isSignedBy(proof, AbortSignal.timeout(askMs)).catch(() => false)
    if (!isSigned) throw new SetupRefusal('WALLET_NOT_SIGNED', 'signature')
  }
}

/** For a wallet that signs nothing in this browser: its last characters, typed by hand. @throws {SetupRefusal} */
export function verifyRetyped(address: string, retyped: string): void {
  const end = address.slice(-retypedChars)
  const isSame = address.startsWith('0x') ? retyped.toLowerCase() === end.toLowerCase() : retyped === end
  if (!isSame) throw new SetupRefusal('WALLET_NOT_RETYPED', 'retyped')
}

/** For a wallet that has signed nothing: only the nodes know what is at its address. @throws {SetupRefusal} */
export async function verifyUnsigned(
  draft: SetupDraft,
  family: ChainFamilyName,
  address: string,
  deps: Deps,
): Promise<void> {
  const networks = networksOf(draft, family).filter((network) => familyOf(network).hasContracts)
  await verifyContractEverywhere(networks, address, deps)
}

/**
 * Verifies the wallets again after the networks or the kinds of deposits changed: on a new network, a wallet may be a token, or a smart
 * wallet that does not exist there. Such a wallet is removed and asked for again. Relay is switched off when no network can use it.
 */
export async function forgetUnfit(draft: SetupDraft, deps: Deps): Promise<void> {
  if (!canRelay(draft)) draft.options = { ...draft.options, relay: false }
  for (const [family, { address, signed }] of draft.wallets) {
    if (!familiesNeeded(draft).includes(family)) continue
    try {
      verifyWallet(draft, family, address)
      if (signed) await verifySignature(draft, family, signed, deps)
      else await verifyUnsigned(draft, family, address, deps)
    } catch {
      draft.wallets.delete(family)
    }
  }
}
