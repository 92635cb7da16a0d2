import { hash } from 'node:crypto'
import { familyOf } from '../../chain/index.ts'
import type { Network, Token } from '../../core/families.ts'
import { networkLogo, tokenLogo } from './logo.ts'

/** Of our own names; any fixed UUID would do, and another one would change every id. */
const namespace = Buffer.from('6f1d9a528e1e4b0b9a665d3a3f0a7c11', 'hex')

/** Hashing took longer than the rest of a payment's view. As many as networks and tokens have been configured. */
const ids = new Map<string, string>()

function idOf(text: string): string {
  const id = ids.get(text) ?? uuidOf(text)
  ids.set(text, id)
  return id
}

/** The same text has the same id on every machine. @see https://www.rfc-editor.org/rfc/rfc9562#section-5.5 (version 5) */
function uuidOf(text: string): string {
  const bytes = hash('sha1', Buffer.concat([namespace, Buffer.from(text)]), 'buffer').subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** The same network has the same id on every service, also after it left the configuration. */
export const networkIdOf = (shortName: string): string => idOf(`network ${shortName}`)

export const tokenIdOf = (shortName: string, symbol: string): string => idOf(`token ${shortName} ${symbol}`)

export function explorerLink(network: Network | undefined, kind: 'address' | 'tx', id: string): string | null {
  if (!network?.explorerUrl) return null
  // Solana's explorer distinguishes its clusters by a query, which stays behind the path.
  const [base = '', query] = network.explorerUrl.split('?')
  return `${base.replace(/\/+$/, '')}/${kind}/${id}${query === undefined ? '' : `?${query}`}`
}

/** As `/networks` shows it: the chain id is a number. `base` is where the caller reaches this service. */
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

/** As it stands in a token: the chain id is text. */
const tokenNetworkView = (network: Network, base: string | null) => ({
  ...networkView(network, base),
  chainId: String(network.chainId),
})

function tokenView(network: Network, { symbol, name, address, decimals }: Token, base: string | null) {
  return {
    id: tokenIdOf(network.shortName, symbol),
    name,
    symbol,
    contractAddress: familyOf(network).parseAddress(address) ?? address,
    decimals,
    logo: tokenLogo(base, symbol),
    isStablecoin: true,
    Network: tokenNetworkView(network, base),
  }
}

/** In the list of payable tokens a network also says what a payment on it takes. */
function payableTokenView(network: Network, token: Token, base: string | null) {
  const view = tokenView(network, token, base)
  return { ...view, Network: { ...view.Network, ...typicalCost(network) } }
}

/** Networks are fixed while the process runs, so each is put into words once for every address that callers use. */
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
 * How long a payment waits for its confirmations and how much sending it costs, roughly. Null where nothing is known of the
 * chain: no guess is shown.
 */
export function typicalCost(network: Pick<Network, 'chainId' | 'family' | 'confirmations'>) {
  const pace = familyOf(network).paceOf(network)
  return {
    confirmations: network.confirmations,
    confirmSeconds: pace ? Math.ceil(network.confirmations * pace.blockSeconds) : null,
    feeLevel: pace?.fee ?? null,
  }
}
