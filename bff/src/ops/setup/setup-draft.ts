import type { ChainFamilyName } from '../../chain/family.ts'
import { familyOf } from '../../chain/index.ts'
import type { Logo } from '../../merchant/logo-picture.ts'
import { knownNetworks } from '../../network/known/known-networks.ts'
import { type ProviderName, providers } from '../../rates/providers.ts'
import type { DepositChoice } from '../cli/init.ts'
import type { NodeCheck } from './check-node.ts'
import { SetupRefusal } from './setup-refusal.ts'

/** The passkey that the owner has made, and the name for the audit log. */
type SetupOwner = { name: string; passkey: { id: string; publicKey: string; counter: number } }

/** `color` as `#rrggbb`; null: the element's own. */
type SetupShop = { name: string; language: string; currency: string; color: string | null; logo: Logo | null }

/** `deposits`: what customers pay to. */
export type ChosenNetwork = { network: string; rpcUrls: string[]; deposits: DepositChoice }

/** A wallet's signature of the proof's text. */
export type WalletProof = { address: string; message: string; signature: string }

/** `signed`: what proves it; null: its last characters were typed. */
type SetupWallet = { address: string; signed: WalletProof | null }

/** The account from which the addresses of payments are derived. `text`: `xpub…@address`; `address`: its first one. */
export type SetupAccount = { text: string; address: string }

export type SetupOptions = { relay: boolean; rates: ProviderName | null }

/** The answers, in memory until the service is created: a reload of the page loses none, and a restart begins again. */
export type SetupDraft = {
  owner: SetupOwner | null
  shop: SetupShop | null
  networks: ChosenNetwork[]
  wallets: Map<ChainFamilyName, SetupWallet>
  /** Of the networks whose customers pay to addresses of the merchant's own wallet. */
  account: SetupAccount | null
  options: SetupOptions
  /** By network and URL. */
  checks: Map<string, NodeCheck>
}

export const newDraft = (): SetupDraft => ({
  owner: null,
  shop: null,
  networks: [],
  wallets: new Map(),
  account: null,
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
export function verifyChoice(chosen: readonly Pick<ChosenNetwork, 'network' | 'rpcUrls'>[]): void {
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

type Chosen = Pick<SetupDraft, 'networks'>

/** Those whose customers pay to one of the two kinds of address. */
export const networksWith = (deposits: DepositChoice, { networks }: Chosen): ChosenNetwork[] =>
  networks.filter((one) => one.deposits === deposits)

/** The families that need a wallet to which the service forwards, in the order of the networks. */
export const familiesNeeded = (chosen: Chosen): ChainFamilyName[] => [
  ...new Set(networksWith('forwarder', chosen).flatMap(({ network }) => knownNetworks.get(network)?.family ?? [])),
]

/** Relay pays to addresses of the service alone. */
export const canRelay = (chosen: Chosen): boolean =>
  networksWith('forwarder', chosen).some(({ network }) => {
    const known = knownNetworks.get(network)
    return known !== undefined && familyOf(known).receivesBridged
  })

/** @throws {SetupRefusal} */
export function verifyOptions({ networks, shop }: SetupDraft, { relay, rates }: SetupOptions): void {
  if (relay && !canRelay({ networks })) throw new SetupRefusal('RELAY_UNAVAILABLE', 'relay')
  if (rates === null && shop !== null && shop.currency !== 'USD') throw new SetupRefusal('RATES_NEEDED', 'rates')
  const currencies = rates && providers[rates].currencies
  if (currencies && shop && !currencies.has(shop.currency)) {
    throw new SetupRefusal('RATES_LACKING', 'rates', [shop.currency])
  }
}
