import { createHash } from 'node:crypto'
import { checksumAddress } from './address.ts'
import type { Network, Token } from './networks.ts'
import { typicalCost } from './typical-cost.ts'

/** Of our own names; any fixed UUID would do, and another one would change every id. */
const namespace = Buffer.from('6f1d9a528e1e4b0b9a665d3a3f0a7c11', 'hex')

/** The same text has the same id on every machine. @see https://www.rfc-editor.org/rfc/rfc9562#section-5.5 (version 5) */
function uuidOf(text: string): string {
  const bytes = createHash('sha1').update(namespace).update(text).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** As `/networks` shows it: the chain id is a number. Without an explorer there is no field, because it must be a URI. */
function networkView(network: Network) {
  return {
    id: uuidOf(`network ${network.shortName}`),
    name: network.name,
    shortName: network.shortName,
    chainId: network.chainId,
    type: network.family,
    isTestnet: network.isTestnet,
    ...(network.explorerUrl === null ? {} : { explorerUrl: network.explorerUrl }),
    logo: null,
  }
}

/** As it stands in a token: the chain id is text. */
function tokenNetworkView({ shortName, name, chainId, family }: Network) {
  return { id: uuidOf(`network ${shortName}`), name, shortName, chainId: String(chainId), type: family }
}

function tokenView(network: Network, { symbol, name, address, decimals }: Token) {
  return {
    id: uuidOf(`token ${network.shortName} ${symbol}`),
    name,
    symbol,
    contractAddress: checksumAddress(address) ?? address,
    decimals,
    logo: null,
    isStablecoin: true,
    Network: { ...tokenNetworkView(network), logo: null },
  }
}

/** The short form of the list of payable tokens. */
function payableTokenView(network: Network, token: Token) {
  const { id, symbol, contractAddress, decimals } = tokenView(network, token)
  return { id, symbol, contractAddress, decimals, Network: { ...tokenNetworkView(network), ...typicalCost(network) } }
}

/** Networks are fixed while the process runs, so each is put into words once. */
export function listedNetwork(network: Network) {
  return {
    shortName: network.shortName,
    network: networkView(network),
    tokens: network.tokens.map((token) => tokenView(network, token)),
    payableTokens: network.tokens.map((token) => payableTokenView(network, token)),
  }
}

export type ListedNetwork = ReturnType<typeof listedNetwork>
