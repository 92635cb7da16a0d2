import type { ChainFamilyName } from '../../chain/family.ts'
import { familyOf } from '../../chain/index.ts'
import type { Logo } from '../../merchant/logo-picture.ts'
import { knownNetworks } from '../../network/known/known-networks.ts'
import { type ProviderName, providers } from '../../rates/providers.ts'
import type { DepositChoice } from '../cli/init.ts'
import type { NodeCheck } from './check-node.ts'
import { SetupRefusal } from './setup-refusal.ts'

/** The owner's passkey, and the owner's name for the audit log. */
type SetupOwner = { name: string; passkey: { id: string; publicKey: string; counter: number } }

/** `color`: as `#rrggbb`; null: the element's own. */
type SetupShop = { name: string; language: string; currency: string; color: string | null; logo: Logo | null }

/** `deposits`: what customers pay to. */
export type ChosenNetwork = { network: string; rpcUrls: string[]; deposits: DepositChoice }

/** A wallet's signature of the proof's text. */
export type WalletProof = { address: string; message: string; signature: string }

/** `signed`: the proof; null: the last characters were typed instead. */
type SetupWallet = { address: string; signed: WalletProof | null }

/** The account from which payment addresses are derived. `text`: `xpub…@address`; `address`: the first address. */
export type SetupAccount = { text: string; address: string }

export type SetupOptions = { relay: boolean; stores: boolean; rates: ProviderName | null }

/** The answers, in memory until the service is created. A reload of the page keeps them; a restart begins anew. */
export type SetupDraft = {
  owner: SetupOwner | null
  shop: SetupShop | null
  networks: ChosenNetwork[]
  wallets: Map<ChainFamilyName, SetupWallet>
  /** For the networks where customers pay to addresses of the merchant's own wallet. */
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
  options: { relay: false, stores: false, rates: null },
  checks: new Map(),
})

const networksMax = 16
const nodesMax = 5
/** Twice as many as all networks can have. Above this the oldest check is dropped. */
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

/** The networks with one of the two kinds of deposits. */
export const networksWith = (deposits: DepositChoice, { networks }: Chosen): ChosenNetwork[] =>
  networks.filter((one) => one.deposits === deposits)

/** The families that need a wallet for the service to forward to, in the order of the networks. */
export const familiesNeeded = (chosen: Chosen): ChainFamilyName[] => [
  ...new Set(networksWith('forwarder', chosen).flatMap(({ network }) => knownNetworks.get(network)?.family ?? [])),
]

/** Whether Relay can pay on a chosen network. It pays only to addresses of the service. */
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
