import type { ChainFamilyName } from '../../chain/family.ts'
import { familyOf } from '../../chain/index.ts'
import type { Logo } from '../../merchant/logo-picture.ts'
import { knownNetworks } from '../../network/known/known-networks.ts'
import { type ProviderName, providers } from '../../rates/providers.ts'
import type { NodeCheck } from './check-node.ts'
import { SetupRefusal } from './setup-refusal.ts'

/** The passkey that the owner has made, and the name for the audit log. */
type SetupOwner = { name: string; passkey: { id: string; publicKey: string; counter: number } }

/** `color` as `#rrggbb`; null: the element's own. */
type SetupShop = { name: string; language: string; currency: string; color: string | null; logo: Logo | null }

export type ChosenNetwork = { network: string; rpcUrls: string[] }

/** A wallet's signature of the proof's text. */
export type WalletProof = { address: string; message: string; signature: string }

/** `signed`: what proves it; null: its last characters were typed. */
type SetupWallet = { address: string; signed: WalletProof | null }

export type SetupOptions = { relay: boolean; rates: ProviderName | null }

/** The answers, in memory until the service is created: a reload of the page loses none, and a restart begins again. */
export type SetupDraft = {
  owner: SetupOwner | null
  shop: SetupShop | null
  networks: ChosenNetwork[]
  wallets: Map<ChainFamilyName, SetupWallet>
  options: SetupOptions
  /** By network and URL. */
  checks: Map<string, NodeCheck>
}

export const newDraft = (): SetupDraft => ({
  owner: null,
  shop: null,
  networks: [],
  wallets: new Map(),
  options: { relay: false, rates: null },
  checks: new Map(),
})

const networksMax = 16
const nodesMax = 5
/** As many as all networks can have, twice: the oldest gives way. */
const checksMax = 2 * networksMax * nodesMax

const keyOf = (network: string, url: string): string => `${network} ${url}`

export function keepCheck({ checks }: SetupDraft, network: string, check: NodeCheck): void {
  const oldest = checks.keys().next()
  if (checks.size >= checksMax && !oldest.done) checks.delete(oldest.value)
  checks.set(keyOf(network, check.url), check)
}

export const checkOf = ({ checks }: SetupDraft, network: string, url: string) => checks.get(keyOf(network, url))

/** @throws {SetupRefusal} naming the network. */
export function verifyChoice(chosen: readonly ChosenNetwork[]): void {
  if (chosen.length === 0 || chosen.length > networksMax) throw new SetupRefusal('NETWORKS_MISSING', 'networks')
  const known = chosen.map(({ network }) => {
    const one = knownNetworks.get(network)
    if (!one) throw new SetupRefusal('NETWORK_UNKNOWN', network)
    return one
  })
  if (new Set(known.map(({ isTestnet }) => isTestnet)).size > 1) throw new SetupRefusal('NETWORKS_MIXED', 'networks')
  for (const { network, rpcUrls } of chosen) {
    if (rpcUrls.length === 0 || rpcUrls.length > nodesMax) throw new SetupRefusal('NODE_MISSING', network)
    if (new Set(rpcUrls).size < rpcUrls.length) throw new SetupRefusal('NODE_TWICE', network)
  }
}

/** The families that need a wallet, in the order of the networks. */
export const familiesNeeded = ({ networks }: Pick<SetupDraft, 'networks'>): ChainFamilyName[] => [
  ...new Set(networks.flatMap(({ network }) => knownNetworks.get(network)?.family ?? [])),
]

/** @throws {SetupRefusal} */
export function verifyOptions({ networks, shop }: SetupDraft, { relay, rates }: SetupOptions): void {
  const canRelay = networks.some(({ network }) => {
    const known = knownNetworks.get(network)
    return known !== undefined && familyOf(known).receivesBridged
  })
  if (relay && !canRelay) throw new SetupRefusal('RELAY_UNAVAILABLE', 'relay')
  if (rates === null && shop !== null && shop.currency !== 'USD') throw new SetupRefusal('RATES_NEEDED', 'rates')
  const currencies = rates && providers[rates].currencies
  if (currencies && shop && !currencies.has(shop.currency)) {
    throw new SetupRefusal('RATES_LACKING', 'rates', [shop.currency])
  }
}
