import { hash } from 'node:crypto'
import { familyOf } from '../../chain/index.ts'
import { explorerPage } from '../../core/explorer-page.ts'
import type { Network, Token } from '../../core/families.ts'
import { networkLogo, tokenLogo } from './logo.ts'

/** UUID namespace of our ids. A random constant: changing it would change every id. */
const namespace = Buffer.from('6f1d9a528e1e4b0b9a665d3a3f0a7c11', 'hex')

/** Cached, because hashing dominated the time of a payment's view. Bounded by the configured networks and tokens. */
const ids = new Map<string, string>()

function idOf(text: string): string {
  const id = ids.get(text) ?? uuidOf(text)
  ids.set(text, id)
  return id
}

/** UUID version 5: deterministic for the text. @see https://www.rfc-editor.org/rfc/rfc9562#section-5.5 */
function uuidOf(text: string): string {
  const bytes = hash('sha1', Buffer.concat([namespace, Buffer.from(text)]), 'buffer').subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** The same on every service, also for networks removed from the configuration. */
export const networkIdOf = (shortName: string): string => idOf(`network ${shortName}`)

export const tokenIdOf = (shortName: string, symbol: string): string => idOf(`token ${shortName} ${symbol}`)

export function explorerLink(
  network: { explorerUrl: string | null; family: Network['family'] | null } | undefined,
  kind: 'address' | 'tx',
  id: string,
): string | null {
  return network?.explorerUrl ? explorerPage(network.explorerUrl, network.family, kind, id) : null
}

/** The `/networks` form, with a numeric chain id. `base` is this service's origin for the caller. */
function networkView(network: Network, base: string | null) {
  return {
    id: networkIdOf(network.shortName),
    name: network.name,
    shortName: network.shortName,
    chainId: network.chainId,
    type: network.family,
    isTestnet: network.isTestnet,
    explorerUrl: network.explorerUrl,
    logo: networkLogo(base, network),
  }
}

/** The form within a token, with the chain id as text. */
const tokenNetworkView = (network: Network, base: string | null) => ({
  ...networkView(network, base),
  chainId: String(network.chainId),
})

function tokenView(network: Network, { symbol, currency, name, address, decimals }: Token, base: string | null) {
  return {
    id: tokenIdOf(network.shortName, symbol),
    name,
    symbol,
    currency,
    contractAddress: familyOf(network).parseAddress(address) ?? address,
    decimals,
    logo: tokenLogo(base, symbol),
    isStablecoin: true,
    Network: tokenNetworkView(network, base),
  }
}

/** In the list of payable tokens, networks include the typical time and fee of a payment. */
function payableTokenView(network: Network, token: Token, base: string | null) {
  const view = tokenView(network, token, base)
  return { ...view, Network: { ...view.Network, ...typicalCost(network) } }
}

/** All views of a network. Networks never change at runtime, so callers may cache them per origin. */
export function listedNetwork(network: Network, base: string | null) {
  return {
    shortName: network.shortName,
    network: networkView(network, base),
    tokens: network.tokens.map((token) => tokenView(network, token, base)),
    payableTokens: network.tokens.map((token) => payableTokenView(network, token, base)),
  }
}

export type ListedNetwork = ReturnType<typeof listedNetwork>

/**
 * Typical confirmation time in seconds and fee level of a payment. Null for unknown chains: the service does not guess.
 */
export function typicalCost(network: Pick<Network, 'chainId' | 'family' | 'confirmations'>) {
  const pace = familyOf(network).paceOf(network)
  return {
    confirmations: network.confirmations,
    confirmSeconds: pace ? Math.ceil(network.confirmations * pace.blockSeconds) : null,
    feeLevel: pace?.fee ?? null,
  }
}
