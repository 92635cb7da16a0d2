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

/** A node that does not respond in this time is not waited for. */
const askMs = 10_000

/** Enough to notice a pasted wrong address. */
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
 * A wallet for all networks of a family that the service forwards on, in its checksummed form: on none of them a token, a contract of ours or nothing.
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

/** What whoever has the wallet reads before signing. */
export const proofText = (shopName: string, address: string, nonce: string): string =>
  [
    `${shopName} asks for its payments to be paid to this wallet:`,
    address,
    '',
    'Signing moves no money.',
    `Nonce: ${nonce}`,
  ].join('\n')

/**
 * A smart wallet must exist on every network of the family: money that is paid to its address on another one has no owner.
 * @param fetchFn - Asks a node of each network whether a smart wallet has signed. @throws {SetupRefusal}
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

/** For a wallet that has signed nothing: nobody but the nodes knows what is at its address. @throws {SetupRefusal} */
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
 * After other networks were chosen, or other addresses to pay to: a wallet that was right before may be a token there, or a smart wallet
 * that does not exist there, and is asked for again. Relay ends with the last network that it can pay to.
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
